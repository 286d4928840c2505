import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { GatheredWrites } from './gathered-writes.ts';

const LARGE = Buffer.alloc(16_384, 'x');
const SMALL = Buffer.from('small');
const noop = (): void => {};

/** A socket that records the number of bytes of each write to the kernel. */
function recorded(): { socket: Writable; writes: number[] } {
  const writes: number[] = [];
  const socket = new Writable({
    highWaterMark: 1_000_000,
    write: (chunk: Buffer, _encoding, done) => {
      writes.push(chunk.length);
      done();
    },
    writev: (chunks, done) => {
      writes.push(chunks.reduce((sum, { chunk }) => sum + (chunk as Buffer).length, 0));
      done();
    },
  });
  return { socket, writes };
}

const tick = (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

test('large pieces of one turn leave as one write, those of the next one as another', async () => {
  const { socket, writes } = recorded();
  const gathered = new GatheredWrites(socket, noop);
  gathered.write(LARGE);
  await tick();
  gathered.write(LARGE);
  await tick();
  gathered.write(SMALL);
  assert.deepEqual(writes, []);
  await turn();
  assert.deepEqual(writes, [2 * LARGE.length + SMALL.length]);
  gathered.write(LARGE);
  await turn();
  assert.deepEqual(writes.slice(1), [LARGE.length]);
});

test('a small piece does not wait for the rest of the turn', async () => {
  const { socket, writes } = recorded();
  const gathered = new GatheredWrites(socket, noop);
  gathered.write(SMALL);
  gathered.write(SMALL);
  await tick();
  assert.deepEqual(writes, [2 * SMALL.length]);
});

test('what was gathered leaves before the end, and before the socket is destroyed', () => {
  const ending = recorded();
  new GatheredWrites(ending.socket, noop).write(LARGE);
  ending.socket.end();
  assert.deepEqual(ending.writes, [LARGE.length]);

  const destroyed = recorded();
  const gathered = new GatheredWrites(destroyed.socket, noop);
  gathered.write(LARGE);
  gathered.flush();
  destroyed.socket.destroy();
  assert.deepEqual(destroyed.writes, [LARGE.length]);
});

test('says that the socket is full', () => {
  const { socket } = recorded();
  const gathered = new GatheredWrites(socket, noop);
  assert.equal(gathered.write(LARGE), true);
  assert.equal(gathered.write(Buffer.alloc(1_000_000)), false);
});

test('says so after few single bytes already', () => {
  const { socket } = recorded();
  const gathered = new GatheredWrites(socket, noop);
  let pieces = 1;
  while (gathered.write(Buffer.alloc(1)) && pieces < 1000) pieces++;
  assert.ok(pieces < 100, `${pieces} pieces`);
});

test('copies of one turn leave as one piece, as they were, and in their order with what is not copied', async () => {
  const pieces: string[] = [];
  const keep = (chunk: Buffer): void => {
    pieces.push(chunk.toString('latin1'));
  };
  const socket = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      keep(chunk);
      done();
    },
    writev: (chunks, done) => {
      for (const { chunk } of chunks) keep(chunk as Buffer);
      done();
    },
  });
  const gathered = new GatheredWrites(socket, noop);
  const buffer = Buffer.alloc(16_384);
  for (const letter of 'abc') gathered.writeCopy(buffer.fill(letter));
  gathered.write(SMALL);
  gathered.writeCopy(buffer.fill('d'));
  buffer.fill('?');
  assert.deepEqual(pieces, []);
  await turn();
  const large = (letter: string): string => letter.repeat(buffer.length);
  assert.deepEqual(pieces, [`${large('a')}${large('b')}${large('c')}`, 'small', large('d')]);
  gathered.writeCopy(buffer.fill('e'));
  gathered.flush();
  socket.end();
  assert.equal(pieces[3], large('e'));
});

test('says that the socket is full of copies, however large, and that it has room again', async () => {
  let drains = 0;
  let taken: (() => void) | null = null;
  const wait = (done: () => void): void => {
    taken = done;
  };
  const socket = new Writable({
    highWaterMark: 300_000,
    write: (_chunk, _encoding, done) => wait(done),
    writev: (_chunks, done) => wait(done),
  });
  const gathered = new GatheredWrites(socket, () => drains++);
  assert.equal(gathered.writeCopy(LARGE), true);
  await turn();
  assert.equal(gathered.writeCopy(Buffer.alloc(400_000)), true, 'not handed over yet');
  assert.equal(gathered.writeCopy(LARGE), false);
  await turn();
  for (let left = 2; left > 0; left--) {
    assert.equal(drains, 0);
    taken!();
    await turn();
  }
  assert.equal(drains, 1);
  assert.equal(gathered.writeCopy(LARGE), true);
});

test('small copies for many sockets lie in one piece of memory, and none is in what another wrote', async (t) => {
  const made = t.mock.method(Buffer, 'allocUnsafeSlow');
  const written: string[] = Array(200).fill('');
  const all = written.map((_, number) => {
    const keep = (chunk: Buffer): void => {
      written[number] += chunk.toString('latin1');
    };
    const socket = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        keep(chunk);
        done();
      },
      writev: (chunks, done) => {
        for (const { chunk } of chunks) keep(chunk as Buffer);
        done();
      },
    });
    return new GatheredWrites(socket, noop);
  });
  all.forEach((gathered, number) => void gathered.writeCopy(Buffer.from(`${number} and`)));
  all.forEach((gathered, number) => void gathered.writeCopy(Buffer.from(` ${number}`)));
  await turn();
  assert.deepEqual(
    written,
    written.map((_, number) => `${number} and ${number}`),
  );
  assert.ok(made.mock.callCount() <= 1, `${made.mock.callCount()} pieces of memory`);
});

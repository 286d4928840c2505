import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { GatheredWrites } from './gathered-writes.ts';

const LARGE = Buffer.alloc(16_384, 'x');
const SMALL = Buffer.from('small');
const noop = (): void => {};

/** A socket that notes how many bytes each write to the kernel would have. */
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

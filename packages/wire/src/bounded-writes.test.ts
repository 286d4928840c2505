import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { BoundedWrites } from './bounded-writes.ts';

type Done = (error?: Error | null) => void;

/** A socket whose peer reads only when `read` is called. */
function unread(highWaterMark: number): { socket: Writable; read: (error?: Error) => void } {
  let taken: Done | null = null;
  const wait = (done: Done): void => {
    taken = done;
  };
  const socket = new Writable({
    highWaterMark,
    write: (_chunk, _encoding, done) => wait(done),
    writev: (_chunks, done) => wait(done),
  });
  const read = (error?: Error): void => {
    const done = taken;
    taken = null;
    done?.(error);
  };
  return { socket, read };
}

/** Writes pieces until there is no room; at most a thousand. */
function fill(writes: BoundedWrites, piece: Buffer): number {
  let pieces = 1;
  while (writes.write(piece) && pieces < 1000) pieces++;
  return pieces;
}

test('a socket is full of few single bytes, and takes more when all of them are gone', async () => {
  const { socket, read } = unread(1_000_000);
  let drains = 0;
  const writes = new BoundedWrites(socket, () => drains++);
  const pieces = fill(writes, Buffer.alloc(1));
  assert.ok(pieces < 100, `${pieces} pieces`);
  assert.equal(writes.isFull, true);
  read();
  await turn();
  assert.equal(drains, 0, 'the first write is gone, the others are not');
  read();
  await turn();
  assert.equal(drains, 1);
  assert.equal(writes.isFull, false);
  assert.equal(fill(writes, Buffer.alloc(1)), pieces);
});

test('a socket is full of its own number of bytes, too', async () => {
  const { socket, read } = unread(20_000);
  let drains = 0;
  const writes = new BoundedWrites(socket, () => drains++);
  assert.equal(fill(writes, Buffer.alloc(10_000)), 2);
  read();
  await turn();
  read();
  await turn();
  assert.equal(drains, 1);
});

test('no writer is notified of room in a lost socket', async () => {
  const { socket, read } = unread(1);
  socket.on('error', () => {});
  let drains = 0;
  const writes = new BoundedWrites(socket, () => drains++);
  assert.equal(writes.write(Buffer.alloc(10)), false);
  read(new Error('gone'));
  await turn();
  assert.equal(drains, 0);
});

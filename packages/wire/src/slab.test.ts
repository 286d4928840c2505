/** Lifetimes of the memory that frames are built in. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ErrorCode, StreamType } from './codes.ts';
import { INITIAL_WINDOW } from './frame.ts';
import { type MuxStream, noopHandler } from './mux-stream.ts';
import { returnSlab, takeSlab, writtenSlab } from './slab.ts';
import { rawPair, sessionPair, until } from './test-peers.fixture.ts';

test('memory that a socket has views of is not filled again, and is once all of it was taken', () => {
  // Slabs that other tests left.
  for (let left = 0; left < 32; left++) takeSlab(1000);
  const first = takeSlab(1000);
  first.used = 1000;
  returnSlab(first);
  const second = takeSlab(1000);
  assert.ok(second === first, 'the unused rest goes to the next taker');
  assert.equal(second.used, 1000);
  second.used = 2000;
  writtenSlab(first);
  returnSlab(second);
  const third = takeSlab(1000);
  assert.ok(third === first);
  assert.equal(third.used, 2000, 'the second write was not taken yet');
  third.used = third.bytes.length;
  returnSlab(third);
  const other = takeSlab(1000);
  assert.ok(other !== first, 'it has no room');
  writtenSlab(second);
  writtenSlab(third);
  const fourth = takeSlab(1000);
  assert.ok(fourth === first);
  assert.equal(fourth.used, 0);
  writtenSlab(other);
  writtenSlab(fourth);
});

test('what the socket has not taken yet stays as it was while more is written', async (t) => {
  const { peer, session } = await rawPair(t);
  peer.socket.pause();
  const opened = (): MuxStream => session.open(StreamType.proxy, noopHandler)!;
  const piece = Buffer.alloc(INITIAL_WINDOW / 2);
  const large: MuxStream[] = [];
  // Writes until the kernel accepts no more.
  for (let isTaken = true; isTaken; await turn()) {
    const stream = opened();
    large.push(stream);
    stream.writeCopy(piece.fill(stream.id));
    await turn();
    isTaken = !stream.writableNeedDrain;
  }
  const small = Array.from({ length: 20 }, opened);
  for (const stream of small) stream.writeCopy(Buffer.alloc(4000, stream.id));
  await turn();
  peer.socket.resume();
  const last = small.at(-1)!.id;
  await until(
    () => peer.received(last).length === 4004 && peer.received(large.at(-1)!.id).length > piece.length,
  );
  for (const { id } of [...large, ...small]) {
    const bytes = peer.received(id).subarray(4);
    assert.ok(bytes.equals(Buffer.alloc(bytes.length, id)), `stream ${id}`);
  }
});

test('bulk is sent out of memory that is used again', async (t) => {
  let received = 0;
  const count = (chunk: Buffer): void => {
    received += chunk.length;
  };
  const { client } = await sessionPair(t, {
    accept: (_type, stream) => {
      stream.handler = { ...noopHandler, data: count };
    },
  });
  const made = t.mock.method(Buffer, 'allocUnsafeSlow');
  let drained = (): void => {};
  const stream = client.session.open(StreamType.proxy, { ...noopHandler, drain: () => drained() })!;
  const piece = Buffer.alloc(65_536);
  for (let sent = 0; sent < 256; sent++)
    if (!stream.writeCopy(piece)) await new Promise<void>((resolve) => (drained = resolve));
  await until(() => received === 256 * piece.length, 'all of it');
  assert.ok(made.mock.callCount() < 16, `${made.mock.callCount()} pieces of memory for 16 MiB`);
  client.session.goAway(ErrorCode.none);
});

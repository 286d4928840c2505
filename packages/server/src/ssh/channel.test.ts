import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ErrorCode, noopHandler } from '@underpass/wire';
import { Channel, packetBytes } from './channel.ts';
import { Message } from './numbers.ts';

const RECORD = 16 * 1024;
/** Offset of the data, after the type, the number of the channel and the length. */
const dataAt = 9;

/** An open channel and its output: the calls to its connection, as whole messages. */
function opened({ window = 2 ** 20, theirs = packetBytes, first = Buffer.alloc(0) } = {}) {
  const sent: Buffer[] = [];
  const link = {
    isCongested: false,
    send: (...parts: readonly Buffer[]) => void sent.push(Buffer.concat(parts)),
    wait: () => {},
    release: () => {
      released.count += 1;
    },
  };
  const released = { count: 0 };
  const channel = new Channel(0, link);
  channel.write(first);
  channel.confirmed({ id: 7, window, packetBytes: theirs });
  const ofType = (type: number): readonly Buffer[] => sent.filter((message) => message[0] === type);
  const packets = (): readonly Buffer[] =>
    ofType(Message.channelData).map((message) => message.subarray(dataAt));
  return { channel, link, released, sent, packets };
}

const sizes = (packets: readonly Buffer[]): readonly number[] => packets.map(({ length }) => length);

test('large pieces of one turn fill packets, in their order', async () => {
  const { channel, packets } = opened();
  const pieces = ['a', 'b', 'c'].map((letter) => Buffer.alloc(RECORD, letter));
  for (const piece of pieces) assert.equal(channel.write(piece), true);
  channel.write(Buffer.from('end'));
  assert.deepEqual(sizes(packets()), []);
  await turn();
  assert.deepEqual(sizes(packets()), [packetBytes, RECORD + 3]);
  assert.ok(Buffer.concat(packets()).equals(Buffer.concat([...pieces, Buffer.from('end')])));
});

test('a small piece does not wait for the rest of the turn', () => {
  const { channel, packets } = opened();
  channel.write(Buffer.from('one'));
  channel.write(Buffer.from('two'));
  assert.deepEqual(packets().map(String), ['one', 'two']);
});

test('what was gathered goes before the end, and before a reset', () => {
  for (const ended of [
    { by: (channel: Channel) => channel.end(), last: Message.channelEof },
    { by: (channel: Channel) => channel.reset(ErrorCode.streamReset), last: Message.channelClose },
  ]) {
    const { channel, sent } = opened();
    channel.write(Buffer.alloc(RECORD));
    ended.by(channel);
    assert.deepEqual(
      sent.map(([type]) => type),
      [Message.channelData, ended.last],
    );
  }
});

test('sends no more than the window, and is full until it grows', async () => {
  const { channel, packets } = opened({ window: 1000 });
  let drained = 0;
  channel.handler = { ...noopHandler, drain: () => drained++ };
  let written = 0;
  do written += RECORD;
  while (channel.write(Buffer.alloc(RECORD)) && written < 2 ** 20);
  assert.ok(written <= 2 ** 17, `${written} bytes are queued`);
  // A writer that has to wait may have data that cannot wait.
  assert.equal(channel.write(Buffer.alloc(RECORD)), false);
  await turn();
  assert.deepEqual(sizes(packets()), [1000]);
  assert.equal(drained, 0);
  channel.addCredit(2 ** 20);
  assert.equal(Buffer.concat(packets()).length, written + RECORD);
  assert.equal(drained, 1);
});

test('is still full when a large piece follows the small one that found no window', async () => {
  const { channel } = opened({ window: 0 });
  let drained = 0;
  channel.handler = { ...noopHandler, drain: () => drained++ };
  assert.equal(channel.write(Buffer.from('small')), false);
  assert.equal(channel.write(Buffer.alloc(RECORD)), false);
  await turn();
  assert.equal(drained, 0);
  channel.addCredit(2 ** 20);
  assert.equal(drained, 1);
});

test('is full after few single bytes already', () => {
  const { channel } = opened();
  channel.write(Buffer.alloc(RECORD));
  let pieces = 1;
  while (channel.write(Buffer.alloc(1)) && pieces < 1000) pieces++;
  assert.ok(pieces < 100, `${pieces} pieces`);
});

test('an empty piece is nothing', async () => {
  const { channel, sent } = opened();
  assert.equal(channel.write(Buffer.alloc(0)), true);
  channel.write(Buffer.alloc(RECORD));
  channel.write(Buffer.alloc(0));
  await turn();
  assert.equal(sent.length, 1);
});

test('a packet that is too small to be worth its head closes the channel, whatever was gathered for it', async () => {
  const { channel, sent } = opened({ theirs: 0, first: Buffer.alloc(RECORD) });
  await turn();
  assert.equal(channel.closed, true);
  assert.deepEqual(
    sent.map(([type]) => type),
    [Message.channelClose],
  );
});

/** Returns a list that collects the codes with which the channel closes. */
function closings(channel: Channel): ErrorCode[] {
  const codes: ErrorCode[] = [];
  channel.handler = { ...noopHandler, close: (code) => codes.push(code) };
  return codes;
}

test('a channel that both sides end closes once, and is released once, by the close of the peer', () => {
  const { channel, released, sent } = opened();
  const codes = closings(channel);
  channel.end();
  channel.receiveEnd();
  assert.deepEqual([codes, released.count], [[ErrorCode.none], 0]);
  channel.receiveEnd();
  channel.receiveClose();
  channel.receiveClose();
  channel.lost(ErrorCode.sessionClosed);
  assert.deepEqual(codes, [ErrorCode.none]);
  assert.ok(released.count >= 1);
  assert.deepEqual(
    sent.map(([type]) => type),
    [Message.channelEof, Message.channelClose],
  );
});

test('an owner that ends its side as it hears of the other one hears of one end', () => {
  for (const ends of [
    (channel: Channel) => channel.end(),
    (channel: Channel) => channel.finish(),
    (channel: Channel) => channel.reset(ErrorCode.streamCancelled),
  ]) {
    const { channel, released } = opened();
    let closed = 0;
    channel.handler = { ...noopHandler, end: () => ends(channel), close: () => closed++ };
    channel.receiveEnd();
    channel.receiveClose();
    assert.deepEqual([closed, released.count], [1, 1]);
  }
});

test('the owner of a channel that ended gets no further calls, whatever comes late', async () => {
  const { channel } = opened({ window: 10 });
  const codes = closings(channel);
  let told = 0;
  channel.write(Buffer.alloc(100));
  channel.receiveEnd();
  channel.reset(ErrorCode.streamCancelled);
  channel.handler = {
    data: () => told++,
    end: () => told++,
    drain: () => told++,
    close: (code) => void codes.push(code),
  };
  channel.addCredit(1000);
  channel.receive(Buffer.from('late'));
  channel.resume();
  channel.receiveEnd();
  channel.receiveClose();
  await turn();
  assert.deepEqual([codes, told], [[ErrorCode.streamCancelled], 0]);
});

test('no sender waits for a channel that is ending or closed', () => {
  const { channel, link } = opened({ window: 10 });
  assert.equal(channel.write(Buffer.alloc(100)), false);
  assert.equal(channel.writableNeedDrain, true);
  link.isCongested = true;
  channel.end();
  assert.equal(channel.writableNeedDrain, false, 'it takes nothing more');
  assert.equal(channel.write(Buffer.alloc(100)), true);
  const { channel: other, link: full } = opened();
  full.isCongested = true;
  assert.equal(other.writableNeedDrain, true);
  other.reset(ErrorCode.streamCancelled);
  assert.equal(other.writableNeedDrain, false);
  assert.equal(other.write(Buffer.alloc(100)), true);
});

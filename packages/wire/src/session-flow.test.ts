import assert from 'node:assert/strict';
import { Duplex } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { ErrorCode, StreamType } from './codes.ts';
import { INITIAL_WINDOW, MAX_WINDOW } from './frame.ts';
import type { MuxStream } from './mux-stream.ts';
import {
  data,
  type RawPeer,
  Recorder,
  rawPair,
  sessionPair,
  syn,
  until,
  watch,
  wndinc,
} from './test-peers.fixture.ts';

/** Waits for several turns of all sockets and timers, until everything has been sent. */
async function turns(): Promise<void> {
  for (let i = 0; i < 50; i++) await turn();
}

test('a writer stops at exactly the window, and goes on by exactly the credit', async (t) => {
  const { peer, session } = await rawPair(t);
  const told = new Recorder();
  const stream = session.open(StreamType.proxy, told)!;
  const bytes = Buffer.alloc(INITIAL_WINDOW * 2, 'abcdefg');
  assert.equal(stream.write(bytes), false);
  assert.equal(stream.writableNeedDrain, true);
  // The four bytes of the type are data as well.
  await until(() => peer.received(2).length === INITIAL_WINDOW);
  await turns();
  assert.equal(peer.received(2).length, INITIAL_WINDOW);
  peer.send(wndinc(2, 1), wndinc(2, 9));
  await until(() => peer.received(2).length === INITIAL_WINDOW + 10);
  await turns();
  assert.equal(peer.received(2).length, INITIAL_WINDOW + 10);
  assert.equal(told.drains, 0);
  peer.send(wndinc(2, INITIAL_WINDOW));
  await until(() => told.drains === 1);
  assert.equal(stream.writableNeedDrain, false);
  assert.deepEqual(peer.received(2).subarray(4), bytes);
});

for (const [sign, send] of [
  ['credit', (peer: RawPeer) => peer.send(wndinc(2, 1))],
  ['data', (peer: RawPeer) => peer.send(data(2, Buffer.from('x')))],
  ['the end of the data', (peer: RawPeer) => peer.send(data(2, Buffer.alloc(0), 1))],
] as const) {
  test(`a stream that is to be acknowledged has room for a beginning only, until there is ${sign}`, async (t) => {
    const { peer, session } = await rawPair(t);
    const told = new Recorder();
    const stream = session.open(StreamType.proxy, told, Buffer.from('head'), true)!;
    assert.equal(stream.write(Buffer.alloc(32_000)), true);
    assert.equal(stream.write(Buffer.alloc(32_000)), false);
    await until(() => peer.received(2).length === 64_008, 'nothing is kept back that was written');
    await turns();
    assert.equal(told.drains, 0);
    send(peer);
    await until(() => told.drains === 1);
    assert.equal(stream.write(Buffer.alloc(100_000)), true);
  });
}

test('a stream is acknowledged by the credit for what was read, at once, and once', async (t) => {
  const { accepted, peer } = await rawPair(t);
  peer.send(syn(1), data(1, Buffer.alloc(100)));
  await until(() => accepted.length === 1 && accepted[0]!.told.bytes.length === 100);
  const { stream } = accepted[0]!;
  stream.acknowledge();
  stream.acknowledge();
  await until(() => peer.frames.length > 0);
  await turns();
  assert.deepEqual(
    peer.frames.map(({ type, id, body }) => [type, id, body.readUInt32BE(0)]),
    [[2, 1, 104]],
  );
});

test('what a buffer had is sent, though it has changed since: both what fits the window and the rest', async (t) => {
  const { peer, session } = await rawPair(t);
  const stream = session.open(StreamType.proxy, new Recorder())!;
  const buffer = Buffer.alloc(INITIAL_WINDOW + 10_000, 'abcdefg');
  const wanted = Buffer.from(buffer);
  assert.equal(stream.writeCopy(buffer), false);
  buffer.fill('x');
  await until(() => peer.received(2).length === INITIAL_WINDOW);
  peer.send(wndinc(2, INITIAL_WINDOW));
  await until(() => peer.received(2).length === 4 + wanted.length);
  assert.ok(peer.received(2).subarray(4).equals(wanted));
});

test('the end of the data waits for the data', async (t) => {
  const { peer, session } = await rawPair(t);
  const stream = session.open(StreamType.proxy, new Recorder())!;
  stream.write(Buffer.alloc(INITIAL_WINDOW));
  stream.end();
  await until(() => peer.received(2).length === INITIAL_WINDOW);
  await turns();
  assert.equal(peer.frames.at(-1)!.flags & 1, 0);
  peer.send(wndinc(2, 4));
  await until(() => (peer.frames.at(-1)!.flags & 1) === 1);
  assert.equal(peer.received(2).length, INITIAL_WINDOW + 4);
});

test('a peer may send exactly the window to a paused stream; one byte more resets it', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(syn(1));
  await until(() => accepted.length === 1);
  const { stream, told } = accepted[0]!;
  stream.pause();
  peer.send(data(1, Buffer.alloc(INITIAL_WINDOW - 4, 1)));
  peer.send(syn(3));
  await until(() => accepted.length === 2);
  assert.deepEqual(told.closes, []);
  peer.send(data(1, Buffer.of(1)));
  await until(() => peer.resets(1).length === 1);
  assert.deepEqual(peer.resets(1), [ErrorCode.flowControl]);
  assert.deepEqual(told.closes, [ErrorCode.flowControl]);
  assert.equal(session.isClosed, false);
});

test('a frame longer than the window is refused at its header', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(syn(1), Buffer.from('ffffff1000000001', 'hex'), Buffer.alloc(1));
  await until(() => peer.resets(1).length === 1);
  assert.deepEqual(peer.resets(1), [ErrorCode.flowControl]);
  // The rest of the body is skipped, and the session continues behind it.
  for (let left = 0xffffff - 1; left > 0; left -= 1_000_000)
    peer.send(Buffer.alloc(Math.min(left, 1_000_000)));
  peer.send(syn(3));
  await until(() => accepted.length === 2);
  assert.equal(session.isClosed, false);
});

test('a SYN frame longer than the window is refused too', async (t) => {
  const { accepted, peer } = await rawPair(t);
  peer.send(syn(1, 3, Buffer.alloc(INITIAL_WINDOW - 3)), syn(3, 3, Buffer.alloc(INITIAL_WINDOW - 4)));
  await until(() => accepted.length === 1 && accepted[0]!.told.bytes.length === INITIAL_WINDOW - 4);
  assert.equal(accepted[0]!.stream.id, 3);
  assert.deepEqual(peer.resets(1), [ErrorCode.flowControl]);
});

test('credit beyond 2^31-1 resets the stream', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(syn(1), wndinc(1, MAX_WINDOW - INITIAL_WINDOW), syn(3), wndinc(3, 0xffffffff));
  await until(() => accepted[1]?.told.closes.length === 1);
  assert.deepEqual(accepted[0]!.told.closes, []);
  peer.send(wndinc(1, 1));
  await until(() => accepted[0]!.told.closes.length === 1);
  await until(() => peer.resets(1).length + peer.resets(3).length === 2);
  assert.deepEqual([...peer.resets(1), ...peer.resets(3)], [ErrorCode.flowControl, ErrorCode.flowControl]);
  assert.equal(session.isClosed, false);
});

test('credit comes back merged, and all of it in the end', async (t) => {
  const { accepted, peer } = await rawPair(t);
  peer.send(syn(1));
  for (let i = 0; i < 1000; i++) peer.send(data(1, Buffer.alloc(200)));
  await until(() => accepted[0]?.told.bytes.length === 200_000);
  await turns();
  const increments = peer.frames.filter((f) => f.type === 2).map((f) => f.body.readUInt32BE(0));
  const returned = increments.reduce((sum, one) => sum + one, 0);
  assert.ok(increments.length > 0 && increments.length <= 4, `${increments.length} increments`);
  assert.ok(200_004 - returned < INITIAL_WINDOW / 2, `${returned} returned`);
});

test('a paused stream gets nothing and gives no credit; resumed, it gets all of it', async (t) => {
  const { accepted, peer } = await rawPair(t);
  peer.send(syn(1));
  await until(() => accepted.length === 1);
  const { stream, told } = accepted[0]!;
  stream.pause();
  const bytes = Buffer.alloc(INITIAL_WINDOW - 4, '0123456789');
  peer.send(data(1, bytes, 1), syn(3));
  await until(() => accepted.length === 2);
  assert.equal(told.chunks.length + told.ends, 0);
  assert.equal(peer.frames.length, 0);
  stream.resume();
  assert.equal(told.chunks.length, 0, 'never told from within resume()');
  await until(() => told.ends === 1);
  assert.deepEqual(told.bytes, bytes);
});

test('an owner may pause from within data() and loses nothing', async (t) => {
  const { accepted, peer } = await rawPair(t);
  peer.send(syn(1));
  await until(() => accepted.length === 1);
  const { stream, told } = accepted[0]!;
  const keep = told.data.bind(told);
  told.data = (chunk) => {
    keep(chunk);
    stream.pause();
    setImmediate(() => stream.resume());
  };
  peer.send(data(1, Buffer.from('a')), data(1, Buffer.from('b')), data(1, Buffer.from('c'), 1));
  await until(() => told.ends === 1);
  assert.equal(told.bytes.toString(), 'abc');
});

/** Opens streams with more to send than the socket takes at once. */
async function saturated(t: TestContext) {
  const { peer, session } = await rawPair(t);
  const [quiet, ...bulk] = Array.from({ length: 13 }, () => session.open(StreamType.proxy, new Recorder())!);
  assert.ok(quiet !== undefined);
  await until(() => peer.frames.length === 13);
  for (const stream of bulk) stream.write(Buffer.alloc(INITIAL_WINDOW - 4));
  const bytesOf = (id: number) => peer.received(id).length - 4;
  return { peer, quiet, bulk, bytesOf };
}

test('a small frame does not wait for a large one of each stream that was there before', async (t) => {
  const { peer, quiet, bytesOf } = await saturated(t);
  assert.equal(quiet.write(Buffer.from('small')), false);
  await until(() => bytesOf(quiet.id) === 5);
  const at = peer.frames.findLastIndex(({ id }) => id === quiet.id);
  const before = peer.frames.slice(13, at).reduce((sum, { body }) => sum + body.length, 0);
  assert.ok(before < 200_000, `${before} bytes went before it`);
});

test('a stream that writes a little all the time goes first once, and then in its turn', async (t) => {
  const { peer, quiet, bulk, bytesOf } = await saturated(t);
  for (let count = 0; count < 100; count++) quiet.write(Buffer.from('small'));
  await until(() => bytesOf(quiet.id) === 500 && bulk.every(({ id }) => bytesOf(id) === INITIAL_WINDOW - 4));
  const own = peer.frames.flatMap(({ id }, at) => (id === quiet.id ? [at] : [])).slice(1);
  const between = new Set(peer.frames.slice(own[0], own[1]).map(({ id }) => id));
  assert.equal(between.size, 13, 'all others had their turn before its second frame');
});

interface Plan {
  readonly writes: readonly number[];
  readonly pauses: readonly number[];
  readonly obeys: boolean;
}

const plan = fc.record<Plan>({
  writes: fc.array(fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 300_000 })), {
    maxLength: 8,
  }),
  pauses: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 5 }),
  obeys: fc.boolean(),
});

/**
 * Writes the planned bytes, each of which shows its place in the stream, and waits for drain if a write returns false.
 */
async function write(stream: MuxStream, told: Recorder, planned: Plan): Promise<Buffer> {
  const sent: Buffer[] = [];
  let at = stream.id;
  for (const size of planned.writes) {
    const chunk = Buffer.allocUnsafe(size);
    for (let i = 0; i < size; i++) chunk[i] = (at++ * 31) >>> 3;
    sent.push(chunk);
    const drains = told.drains;
    const room = stream.write(chunk);
    assert.equal(room, !stream.writableNeedDrain);
    if (!room && planned.obeys) await until(() => told.drains > drains, 'drain');
    else if (size % 2 === 0) await turn();
  }
  stream.end();
  return Buffer.concat(sent);
}

test('whatever is written on many streams arrives, in order and whole, also with readers that pause', async (t) => {
  await fc.assert(
    fc.asyncProperty(fc.array(plan, { minLength: 1, maxLength: 12 }), async (plans) => {
      const { client, server } = await sessionPair(t, {
        accept: (type, stream) => {
          const pauses = [...plans[type]!.pauses];
          const told = new Recorder();
          const keep = told.data.bind(told);
          told.data = (chunk) => {
            keep(chunk);
            const turns = pauses.shift();
            if (turns === undefined) return;
            stream.pause();
            const wait = (left: number): void => {
              if (left === 0) stream.resume();
              else setImmediate(wait, left - 1);
            };
            wait(turns);
          };
          told.end = () => {
            told.ends++;
            stream.end();
          };
          stream.handler = told;
          arrived.set(stream.id, told);
        },
      });
      const arrived = new Map<number, Recorder>();
      const sent = plans.map((planned, index) => {
        const told = new Recorder();
        const stream = client.session.open(index as StreamType, told)!;
        return { id: stream.id, told, bytes: write(stream, told, planned) };
      });
      const written = await Promise.all(sent.map(({ bytes }) => bytes));
      for (const [index, { id, told }] of sent.entries()) {
        const expected = written[index]!;
        await until(() => told.closes.length === 1, 'closed by both sides');
        assert.deepEqual(told.closes, [0]);
        assert.ok(arrived.get(id)!.bytes.equals(expected), `stream ${id}`);
        assert.deepEqual(arrived.get(id)!.closes, [0]);
      }
      assert.equal(client.session.streamCount + server.session.streamCount, 0);
      client.session.goAway(ErrorCode.none);
    }),
    { numRuns: 60, endOnFailure: true },
  );
});

test('small frames of many turns do not pile up in a socket that nobody reads from', async () => {
  const socket = new Duplex({ writableHighWaterMark: 262_144, read() {}, write() {} });
  const { session } = watch(socket, 'server');
  const stream = session.open(StreamType.proxy, new Recorder())!;
  for (let i = 0; i < 1000; i++) {
    stream.write(Buffer.alloc(1));
    await turn();
  }
  // Each of these streams also keeps memory in which frames of other sessions are built.
  assert.ok(socket.writableLength < 1000, `${socket.writableLength} bytes`);
  session.goAway(ErrorCode.none);
});

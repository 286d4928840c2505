/** Sessions under attack (lines V4 and V5): one stalled visitor, and peers that send arbitrary bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../test/harness/property-runs.ts';
import { ByteBudget } from './byte-budget.ts';
import { ErrorCode, StreamType } from './codes.ts';
import { INITIAL_WINDOW } from './frame.ts';
import { echoHeartbeat } from './heartbeat.ts';
import { type MuxStream, noopHandler } from './mux-stream.ts';
import { readProxyHeader } from './proxy-header.ts';
import { answer } from './rpc.ts';
import {
  data,
  fin,
  frame,
  goAway,
  Recorder,
  rawPair,
  rst,
  sessionPair,
  socketPair,
  syn,
  until,
  watch,
  wndinc,
} from './test-peers.fixture.ts';

test('one stalled visitor does not hold up the others', async (t) => {
  const { client, server } = await sessionPair(t);
  const stalled = client.session.open(StreamType.proxy, new Recorder())!;
  await until(() => server.accepted.length === 1);
  server.accepted[0]!.stream.pause();
  for (let i = 0; i < 100; i++) stalled.write(Buffer.alloc(100_000));
  for (let i = 0; i < 200; i++) {
    const told = new Recorder();
    client.session.open(StreamType.proxy, told, Buffer.from('question'))!.end();
    await until(() => server.accepted[i + 1]?.told.ends === 1);
    server.accepted[i + 1]!.stream.write(Buffer.alloc(5000));
    server.accepted[i + 1]!.stream.end();
    await until(() => told.closes.length === 1);
    assert.equal(told.bytes.length, 5000);
  }
  assert.ok(server.accepted[0]!.told.bytes.length < INITIAL_WINDOW);
});

test('a bulk stream lets a small one pass after a bounded number of its own bytes', async (t) => {
  let bulk = 0;
  const begun: { readonly stream: MuxStream; readonly bulk: number }[] = [];
  const { client } = await sessionPair(t, { accept: (_type, stream) => begun.push({ stream, bulk }) });
  const told = new Recorder();
  const pump = (): void => {
    while (stream.write(Buffer.alloc(200_000)));
  };
  told.drain = pump;
  const stream = client.session.open(StreamType.proxy, told)!;
  await until(() => begun.length === 1);
  begun[0]!.stream.handler = {
    ...noopHandler,
    data: (chunk: Buffer) => {
      bulk += chunk.length;
    },
  };
  pump();
  await until(() => bulk > 3_000_000);
  const bulkWhenAsked = bulk;
  client.session.open(StreamType.proxy, new Recorder(), Buffer.from('small'));
  await until(() => begun.length === 2);
  const passed = begun[1]!.bulk - bulkWhenAsked;
  assert.ok(passed < 16 * INITIAL_WINDOW, `${passed} bytes of bulk went first`);
  client.session.goAway(ErrorCode.none);
});

test('streams that wait for the socket are served in turn', async (t) => {
  const { client, server } = await sessionPair(t);
  const streams = Array.from({ length: 8 }, () => {
    const told = new Recorder();
    const stream = client.session.open(StreamType.proxy, told)!;
    let written = 0;
    told.drain = () => {
      while (written < 4_000_000) {
        written += 100_000;
        if (!stream.write(Buffer.alloc(100_000))) return;
      }
    };
    return told;
  });
  await until(() => server.accepted.length === 8);
  const got = server.accepted.map(() => 0);
  let spread = 0;
  server.accepted.forEach(({ told }, index) => {
    told.data = (chunk) => {
      got[index]! += chunk.length;
      spread = Math.max(spread, Math.max(...got) - Math.min(...got));
    };
  });
  for (const told of streams) told.drain();
  await until(() => got.every((bytes) => bytes === 4_000_000));
  assert.ok(spread < 4 * INITIAL_WINDOW, `one stream was ${spread} bytes ahead`);
});

test('a flood of one-byte frames into a paused stream costs no more than its window', async (t) => {
  const { accepted, near, peer } = await rawPair(t);
  peer.send(syn(1));
  await until(() => accepted.length === 1);
  accepted[0]!.stream.pause();
  const flood = Buffer.concat(Array.from({ length: 1000 }, () => data(1, Buffer.of(7))));
  globalThis.gc?.();
  const before = process.memoryUsage();
  for (let i = 0; i < 262; i++) peer.send(flood);
  peer.send(syn(3));
  await until(() => accepted.length === 2);
  const after = process.memoryUsage();
  assert.ok(after.arrayBuffers - before.arrayBuffers < 64e6);
  accepted[0]!.stream.resume();
  await until(() => accepted[0]!.told.bytes.length === 262_000);
  assert.equal(near.destroyed, false);
});

test('floods of every small frame leave the session as it was', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(syn(1), syn(3), rst(3, 0));
  const one = Buffer.concat([data(1, Buffer.alloc(0)), wndinc(1, 0), wndinc(3, 1), rst(3, 0), fin(3)]);
  for (let i = 0; i < 100; i++) peer.send(Buffer.concat(Array.from({ length: 1000 }, () => one)));
  peer.send(syn(5));
  await until(() => accepted.length === 3);
  assert.equal(session.isClosed, false);
  assert.equal(session.streamCount, 2);
  assert.equal(peer.frames.length, 0);
});

test('streams that are opened and reset at once, a hundred thousand times, leave nothing behind', async (t) => {
  const { peer, session } = await rawPair(t, { accept: (_type, stream) => stream.write(Buffer.alloc(10)) });
  let id = 1;
  for (let i = 0; i < 100; i++) {
    const parts: Buffer[] = [];
    for (let j = 0; j < 1000; j++, id += 2) parts.push(syn(id), rst(id, 6));
    peer.send(...parts);
  }
  peer.send(syn(id));
  await until(() => session.streamCount === 1);
  assert.equal(session.isClosed, false);
});

test('a heartbeat flood of a peer that does not read is not answered without end', async (t) => {
  const [near, far] = await socketPair(t);
  const { session } = watch(near, 'server', { accept: (_type, stream) => echoHeartbeat(stream) });
  far.pause();
  far.write(Buffer.concat([syn(1, 0xffffffff)]));
  // The peer's window for us never opens again. So echoes stay within it, and so do the bytes that we read.
  for (let i = 0; i < 2 * INITIAL_WINDOW; i += 4000) far.write(data(1, Buffer.alloc(4000)));
  await until(() => session.streamCount === 0 || session.isClosed);
  assert.ok(near.writableLength < 2 * INITIAL_WINDOW);
});

test('a peer that asks for refusals and does not read them is given up', async (t) => {
  const [near, far] = await socketPair(t);
  const { reasons } = watch(near, 'server', { maxStreams: 0 });
  far.pause();
  let id = 1;
  const send = (): void => {
    while (!far.destroyed && reasons.length === 0) {
      const parts: Buffer[] = [];
      for (let i = 0; i < 2000; i++, id += 2) parts.push(syn(id));
      if (!far.write(Buffer.concat(parts))) break;
    }
  };
  far.on('drain', send);
  send();
  await until(() => reasons.length === 1);
  assert.equal(reasons[0]!.code, ErrorCode.writeTimeout);
});

test('what peers do not read counts for all of them together, and later elsewhere', async (t) => {
  const all = new ByteBudget(100_000);
  const reasons: string[] = [];
  const peers = await Promise.all(
    [0, 1, 2].map(async (n) => {
      const [near, far] = await socketPair(t);
      const watched = watch(near, 'server', { maxStreams: 0, queued: new ByteBudget(80_000, all) });
      far.pause();
      near.on('close', () => reasons.push(`${n} ${watched.reasons[0]?.debug}`));
      let id = 1;
      /** Sends requests that are refused, until the condition holds. */
      const ask = async (isEnough: () => boolean): Promise<void> => {
        while (!isEnough() && !watched.session.isClosed) {
          far.write(Buffer.concat(Array.from({ length: 500 }, (_, at) => syn(id + 2 * at))));
          id += 1000;
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      return { ask, session: watched.session };
    }),
  );
  const [first, second, third] = peers;
  await first?.ask(() => all.total > 30_000);
  await second?.ask(() => all.total > 60_000);
  assert.deepEqual(reasons, []);
  await third?.ask(() => reasons.length > 0);
  assert.deepEqual(reasons, ['0 the peer does not read the data that it requests'], 'the oldest');
  const later = new ByteBudget(1_000_000);
  second?.session.allow({ maxStreams: 0, queued: later });
  third?.session.allow({ maxStreams: 0, queued: later });
  assert.equal(all.total, 0);
  assert.ok(later.total > 50_000);
});

test('a peer that stops reading for a minute is given up', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const [near, far] = await socketPair(t);
  const { session, reasons } = watch(near, 'server');
  far.pause();
  for (let i = 0; i < 100; i++) session.open(StreamType.proxy, new Recorder(), Buffer.alloc(INITIAL_WINDOW));
  await until(() => near.writableNeedDrain);
  t.mock.timers.tick(59_000);
  assert.equal(reasons.length, 0);
  t.mock.timers.tick(1_000);
  assert.equal(reasons[0]?.code, ErrorCode.writeTimeout);
  // The peer does not read the end either.
  t.mock.timers.tick(5_000);
  assert.equal(near.destroyed, true);
});

const id = fc.oneof(fc.integer({ min: 0, max: 9 }), fc.constantFrom(0x7fffffff, 0x40000001, 513));
const word = fc.oneof(
  fc.integer({ min: 0, max: 20 }),
  fc.constantFrom(0x7fffffff, 0xffffffff, INITIAL_WINDOW),
);
const type = fc.constantFrom(0, 1, 3, 7, 0xffffffff);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 30 }),
  fc.constantFrom('{"Version":["3"]}\n', '{', '"', '[[[[', '\u0000').map((text) => Buffer.from(text)),
  fc.integer({ min: 0, max: 300_000 }).map((size) => Buffer.alloc(size, 0x20)),
);
const anyFrame = fc.oneof(
  fc.tuple(id, type, bytes, fc.nat(1)).map((a) => syn(...a)),
  fc.tuple(id, bytes, fc.nat(3)).map((a) => data(...a)),
  id.map((a) => fin(a)),
  fc.tuple(id, word).map((a) => rst(...a)),
  fc.tuple(id, word).map((a) => wndinc(...a)),
  fc.tuple(fc.nat(15), fc.nat(15), id, fc.uint8Array({ maxLength: 9 })).map((a) => frame(...a)),
  fc.tuple(id, word).map((a) => goAway(...a)),
  fc.uint8Array({ maxLength: 20 }).map((noise) => Buffer.from(noise)),
);
const mutation = fc.record({ at: fc.nat(), to: fc.nat(255) });

test('whatever frames come, nothing throws, and the session ends or goes on within its bounds', async (t) => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyFrame, { maxLength: 25 }),
      fc.array(mutation, { maxLength: 3 }),
      fc.array(fc.nat(), { maxLength: 5 }),
      async (frames, mutations, cuts) => {
        const input = Buffer.concat(frames);
        if (input.length > 0) for (const { at, to } of mutations) input[at % input.length] = to;
        const owners = [
          (stream: Parameters<typeof answer>[0]) => answer(stream, (request) => request),
          echoHeartbeat,
          (stream: Parameters<typeof answer>[0]) => readProxyHeader(stream, () => {}),
          () => {},
        ];
        let next = 0;
        const closes: number[] = [];
        const { near, peer, reasons, session } = await rawPair(t, {
          accept: (_type, stream) => owners[next++ % owners.length]!(stream),
          maxStreams: 4,
        });
        const told = new Recorder();
        told.close = (code) => closes.push(code);
        session.open(StreamType.proxy, told, Buffer.alloc(100));
        let from = 0;
        for (const place of cuts.map((cut) => cut % (input.length + 1)).sort((a, b) => a - b)) {
          peer.socket.write(input.subarray(from, place));
          from = place;
        }
        peer.socket.end(input.subarray(from));
        await until(() => session.isClosed, 'the session ends with its connection');
        assert.equal(reasons.length, 1);
        assert.deepEqual(closes.length, 1);
        assert.equal(session.streamCount, 0);
        assert.ok(near.writableLength < 8 * INITIAL_WINDOW);
        near.destroy();
      },
    ),
    { numRuns: propertyRuns(600), endOnFailure: true },
  );
});

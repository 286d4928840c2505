/** Narrow streams: small windows on both sides, which become full ones if there is room. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget } from './byte-budget.ts';
import { ErrorCode, StreamType } from './codes.ts';
import { INITIAL_WINDOW, NARROW_WINDOW } from './frame.ts';
import type { MuxStream } from './mux-stream.ts';
import { MOST_WIDE } from './session.ts';
import { data, RawPeer, Recorder, sessionPair, socketPair, syn, until, watch } from './test-peers.fixture.ts';

test('a narrow stream sends a narrow window at first, and a full one once its reader has credit for it', async (t) => {
  const { client, server } = await sessionPair(t);
  const told = new Recorder();
  const stream = client.session.open(StreamType.proxyNarrow, told)!;
  client.session.narrow(stream);
  await until(() => server.accepted.length === 1, 'the stream');
  const { stream: far, told: heard } = server.accepted[0]!;
  server.session.narrow(far);
  far.pause();
  const body = Buffer.alloc(INITIAL_WINDOW, 'x');
  assert.equal(stream.write(body), false);
  assert.equal(far.write(body), false);
  await until(() => told.bytes.length === INITIAL_WINDOW, 'what the opener reads');
  far.resume();
  await until(() => heard.bytes.length === INITIAL_WINDOW, 'what the other side reads');
  assert.deepEqual([client.session.wideCount, server.session.wideCount], [1, 1]);
  stream.reset(ErrorCode.streamCancelled);
  await until(() => server.session.streamCount === 0, 'the end');
  assert.deepEqual([client.session.wideCount, server.session.wideCount], [0, 0]);
});

test('a peer that sends more than a narrow window loses the stream', async (t) => {
  const [near, far] = await socketPair(t);
  let accepted: MuxStream | null = null;
  const { session } = watch(near, 'server', {
    accept: (_type, stream) => {
      accepted ??= stream;
      session.narrow(stream);
      stream.pause();
      stream.handler = new Recorder();
    },
  });
  const peer = new RawPeer(far);
  peer.send(syn(1, StreamType.proxyNarrow), data(1, Buffer.alloc(NARROW_WINDOW - 4)), syn(3));
  await until(() => session.streamCount === 2, 'both streams');
  assert.deepEqual(peer.resets(1), []);
  peer.send(data(1, Buffer.alloc(1)));
  await until(() => peer.resets(1).length === 1, 'the reset');
  assert.deepEqual(peer.resets(1), [ErrorCode.flowControl]);
  assert.equal(accepted!.closed, true);
});

test('a narrow stream stays narrow while as many are wide as may be', async (t) => {
  const { client, server } = await sessionPair(t, { maxStreams: 2 * MOST_WIDE });
  client.session.allow({ maxStreams: 1, queued: new ByteBudget(1e6), openLimit: 2 * MOST_WIDE });
  const wide = Array.from(
    { length: MOST_WIDE },
    () => client.session.open(StreamType.proxy, new Recorder())!,
  );
  const told = new Recorder();
  const stream = client.session.open(StreamType.proxyNarrow, told)!;
  client.session.narrow(stream);
  await until(() => server.accepted.length === MOST_WIDE + 1, 'all streams');
  const far = server.accepted.at(-1)!.stream;
  server.session.narrow(far);
  far.write(Buffer.alloc(4 * NARROW_WINDOW));
  await until(() => told.bytes.length === 4 * NARROW_WINDOW, 'what the opener reads');
  assert.equal(client.session.wideCount, MOST_WIDE);
  wide[0]!.reset(ErrorCode.streamCancelled);
  far.write(Buffer.alloc(NARROW_WINDOW));
  await until(() => client.session.wideCount === MOST_WIDE, 'a full window');
  await until(() => told.bytes.length === 5 * NARROW_WINDOW, 'the rest');
});

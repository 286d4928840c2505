import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { duplexPair } from 'node:stream';
import { test } from 'node:test';
import { warningsOf } from '../../../test/harness/warnings.ts';
import { ErrorCode, StreamType } from './codes.ts';
import { INITIAL_WINDOW } from './frame.ts';
import { MuxSession, OPEN_LIMIT } from './session.ts';
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
  wndinc,
  words,
} from './test-peers.fixture.ts';

const text = (value: string): Buffer => Buffer.from(value);

test('a stream is opened with one SYN frame: its type, then the first bytes', async (t) => {
  const { session, peer } = await rawPair(t);
  const first = session.open(StreamType.proxy, new Recorder(), text('hello'));
  session.open(StreamType.heartbeat, new Recorder());
  assert.equal(first?.id, 2);
  await until(() => peer.frames.length === 2);
  assert.deepEqual(peer.frames, [
    { type: 1, flags: 2, id: 2, body: Buffer.concat([words(3), text('hello')]) },
    { type: 1, flags: 2, id: 4, body: words(0xffffffff) },
  ]);
});

test('a client opens odd ids', async (t) => {
  const { client, server } = await sessionPair(t);
  assert.equal(client.session.open(StreamType.auth, new Recorder())?.id, 1);
  assert.equal(client.session.open(StreamType.bind, new Recorder())?.id, 3);
  await until(() => server.accepted.length === 2);
  assert.deepEqual(
    server.accepted.map((a) => [a.type, a.stream.id]),
    [
      [0, 1],
      [1, 3],
    ],
  );
});

test('first bytes of any length arrive', async (t) => {
  const { client, server } = await sessionPair(t);
  const big = Buffer.alloc(1_000_000, 'abc');
  client.session.open(StreamType.proxy, new Recorder(), big)?.end();
  await until(() => server.accepted[0]?.told.ends === 1);
  assert.deepEqual(server.accepted[0]!.told.bytes, big);
});

test('a type split over one-byte frames is read, and the byte after it is data', async (t) => {
  const { accepted, peer } = await rawPair(t);
  peer.send(frame(1, 2, 1), ...[0xff, 0xff, 0xff, 0xff, 0x41].map((byte) => data(1, Buffer.of(byte))));
  await until(() => accepted[0]?.told.bytes.length === 1);
  assert.equal(accepted[0]!.type, 0xffffffff);
  assert.equal(accepted[0]!.told.bytes.toString(), 'A');
});

test('SYN may carry data and FIN', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(syn(1, 9, text('all'), 1));
  await until(() => accepted[0]?.told.ends === 1);
  assert.equal(accepted[0]!.told.bytes.toString(), 'all');
  accepted[0]!.stream.write(text('ok'));
  accepted[0]!.stream.end();
  assert.deepEqual(accepted[0]!.told.closes, [0]);
  assert.equal(session.streamCount, 0);
  await until(() => peer.frames.some((f) => f.flags === 1));
  assert.equal(peer.received(1).toString(), 'ok');
});

test('a stream that ends before its type is whole is reset, and not reported', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(frame(1, 3, 1, Buffer.of(0, 0)));
  await until(() => peer.resets(1).length === 1);
  assert.deepEqual(peer.resets(1), [ErrorCode.protocol]);
  assert.equal(accepted.length, 0);
  assert.equal(session.isClosed, false);
  assert.equal(session.streamCount, 0);
});

test('data that came before the handler is set is kept for it', async (t) => {
  let late: ((told: Recorder) => void) | undefined;
  const { peer } = await rawPair(t, {
    accept: (_type, stream) => {
      late = (told) => {
        stream.handler = told;
      };
    },
  });
  peer.send(syn(1, 3, text('one')), data(1, text('two'), 1));
  await until(() => late !== undefined);
  peer.send(wndinc(1, 5));
  const told = new Recorder();
  late!(told);
  assert.equal(told.chunks.length, 0, 'never told from within the assignment');
  await until(() => told.ends === 1);
  assert.equal(told.bytes.toString(), 'onetwo');
});

test('a stream that was lost before its handler is set tells the handler so', async (t) => {
  let assign: ((told: Recorder) => void) | undefined;
  const { peer, session } = await rawPair(t, {
    accept: (_type, stream) => {
      assign = (told) => {
        stream.handler = told;
      };
    },
  });
  peer.send(syn(1), rst(1, 6));
  await until(() => assign !== undefined && session.streamCount === 0);
  const told = new Recorder();
  assign!(told);
  await until(() => told.closes.length === 1);
  assert.deepEqual(told.closes, [ErrorCode.streamCancelled]);
});

test('half-close of the opener leaves the other direction open', async (t) => {
  const { client, server } = await sessionPair(t);
  const told = new Recorder();
  const stream = client.session.open(StreamType.proxy, told, text('question'))!;
  stream.end();
  await until(() => server.accepted[0]?.told.ends === 1);
  assert.equal(server.accepted[0]!.stream.closed, false);
  server.accepted[0]!.stream.write(text('answer'));
  server.accepted[0]!.stream.end();
  await until(() => told.closes.length === 1);
  assert.equal(told.bytes.toString(), 'answer');
  assert.deepEqual([told.ends, told.closes], [1, [0]]);
  assert.deepEqual(server.accepted[0]!.told.closes, [0]);
});

test('half-close of the answerer leaves the other direction open', async (t) => {
  const { client, server } = await sessionPair(t);
  const told = new Recorder();
  const stream = client.session.open(StreamType.proxy, told)!;
  await until(() => server.accepted.length === 1);
  server.accepted[0]!.stream.end();
  await until(() => told.ends === 1);
  stream.write(text('more'));
  stream.end();
  await until(() => server.accepted[0]!.told.closes.length === 1);
  assert.equal(server.accepted[0]!.told.bytes.toString(), 'more');
  assert.deepEqual(told.closes, [0]);
});

test('a reset ends both directions on both sides, once, with its code', async (t) => {
  const { client, server } = await sessionPair(t);
  const told = new Recorder();
  const stream = client.session.open(StreamType.proxy, told, text('x'))!;
  await until(() => server.accepted.length === 1);
  stream.reset(ErrorCode.streamCancelled);
  stream.reset(ErrorCode.internal);
  assert.deepEqual(told.closes, [ErrorCode.streamCancelled]);
  await until(() => server.accepted[0]!.told.closes.length === 1);
  assert.deepEqual(server.accepted[0]!.told.closes, [ErrorCode.streamCancelled]);
  assert.equal(server.accepted[0]!.told.ends, 0);
  assert.equal(client.session.streamCount + server.session.streamCount, 0);
  assert.equal(server.session.isClosed, false);
});

test('a peer that resets with code 0 or one of its own is still told apart from a clean end', async (t) => {
  const { accepted, peer } = await rawPair(t);
  peer.send(syn(1), syn(3), rst(1, 0), rst(3, 99));
  await until(() => accepted[1]?.told.closes.length === 1);
  assert.deepEqual(accepted[0]!.told.closes, [ErrorCode.streamReset]);
  assert.deepEqual(accepted[1]!.told.closes, [ErrorCode.internal]);
});

test('who loses a stream to the end of its session has heard of that end', async (t) => {
  const [near, far] = await socketPair(t);
  const told: string[] = [];
  const closed = () => void told.push('the session');
  const session = new MuxSession(near, { role: 'server', accept: () => {}, closed });
  const handler = Object.assign(new Recorder(), { close: () => void told.push('the stream') });
  session.open(StreamType.proxy, handler);
  far.destroy();
  await until(() => told.length === 2);
  assert.deepEqual(told, ['the session', 'the stream']);
});

test('late frames for a closed stream mean nothing', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(syn(1, 3, text('x'), 1));
  await until(() => accepted.length === 1);
  accepted[0]!.stream.end();
  peer.send(data(1, text('late')), fin(1), wndinc(1, 10), rst(1, 0), syn(3));
  await until(() => accepted.length === 2);
  assert.equal(session.isClosed, false);
  assert.equal(accepted[0]!.told.bytes.toString(), 'x');
});

test('late frames for a stream that was opened here and is gone mean nothing', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  session.open(StreamType.proxy, new Recorder())!.reset(ErrorCode.streamCancelled);
  peer.send(data(2, text('late')), wndinc(2, 10), rst(2, 0), syn(1));
  await until(() => accepted.length === 1);
  assert.equal(session.isClosed, false);
});

test('data after the end of the data resets the stream', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(syn(1, 3, text('x'), 1), data(1, text('more')));
  await until(() => peer.resets(1).length === 1);
  assert.deepEqual(peer.resets(1), [ErrorCode.streamClosed]);
  assert.deepEqual(accepted[0]!.told.closes, [ErrorCode.streamClosed]);
  assert.equal(session.isClosed, false);
});

test('streams may begin in another order than their ids were taken', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(syn(5), syn(1), syn(3), syn(7));
  await until(() => accepted.length === 4);
  assert.deepEqual(
    accepted.map((a) => a.stream.id),
    [5, 1, 3, 7],
  );
  assert.equal(session.isClosed, false);
});

test('an agent that gives up a stream which it never began affects no other', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(fin(1), syn(3));
  await until(() => accepted.length === 1);
  assert.equal(session.isClosed, false);
});

const fatal: readonly [string, Buffer[], number][] = [
  ['DATA on a stream that nobody opened', [data(1, text('x'))], ErrorCode.protocol],
  ['DATA on a stream that the service has not opened', [data(2, text('x'))], ErrorCode.protocol],
  ['RST on a stream that nobody opened', [rst(9, 0)], ErrorCode.protocol],
  ['WNDINC on a stream that nobody opened', [wndinc(9, 1)], ErrorCode.protocol],
  ['SYN on a stream that is open', [syn(1), syn(1)], ErrorCode.protocol],
  ['SYN on a stream that was reset', [syn(1), rst(1, 0), syn(1)], ErrorCode.protocol],
  ['SYN with an id of the other side', [syn(2)], ErrorCode.protocol],
  ['an unknown frame type', [frame(7, 0, 1)], ErrorCode.protocol],
  ['SYN on stream 0', [frame(1, 2, 0, words(3))], ErrorCode.protocol],
  ['a WNDINC of the wrong size', [syn(1), frame(2, 0, 1, Buffer.alloc(5))], ErrorCode.frameSize],
  ['an HTTP request', [text('GET / HTTP/1.1\r\nHost: example.com\r\n\r\n')], ErrorCode.frameSize],
  [
    'a TLS hello inside the TLS',
    [Buffer.from('16030100c8010000c40303aabbccddeeff', 'hex')],
    ErrorCode.frameSize,
  ],
];
for (const [what, frames, code] of fatal) {
  test(`${what} ends the session with GOAWAY`, async (t) => {
    const { accepted, peer, reasons, session } = await rawPair(t);
    peer.send(...frames);
    await until(() => peer.ended && peer.goneAway !== undefined);
    assert.equal(peer.goneAway, code);
    assert.equal(reasons.length, 1);
    assert.equal(reasons[0]!.code, code);
    assert.notEqual(reasons[0]!.debug, '');
    assert.equal(session.isClosed, true);
    for (const { told } of accepted) assert.equal(told.closes.length, 1);
  });
}

test('a peer over its limit of streams is refused the new one and keeps the others', async (t) => {
  const { accepted, peer, session } = await rawPair(t, { maxStreams: 2 });
  peer.send(syn(1), syn(3), syn(5, 3, text('no')), data(5, text('never')), data(3, text('yes')));
  await until(() => accepted[1]?.told.bytes.length === 3 && peer.resets(5).length === 1);
  assert.deepEqual(peer.resets(5), [ErrorCode.streamRefused]);
  assert.equal(accepted.length, 2);
  peer.send(rst(1, 0), syn(7));
  await until(() => accepted.length === 3);
  assert.equal(session.streamCount, 2);
});

test('streams of ours do not count against the limit of the peer', async (t) => {
  const { accepted, peer, session } = await rawPair(t, { maxStreams: 1 });
  for (let i = 0; i < 5; i++) assert.ok(session.open(StreamType.proxy, new Recorder()));
  peer.send(syn(1));
  await until(() => accepted.length === 1);
});

test('open says no before an agent has to: 32 streams before the 512 that known agents take', async (t) => {
  const { session } = await rawPair(t);
  assert.equal(OPEN_LIMIT, 512 - 32);
  for (let i = 0; i < OPEN_LIMIT; i++) assert.ok(session.open(StreamType.proxy, new Recorder()));
  assert.equal(session.open(StreamType.proxy, new Recorder()), null);
  assert.equal(session.isClosed, false);
});

test('goAway delivers what was written, then closes every stream on both sides', async (t) => {
  const { client, server } = await sessionPair(t);
  const told = new Recorder();
  client.session.open(StreamType.auth, told, text('{}'));
  await until(() => server.accepted.length === 1);
  server.accepted[0]!.stream.write(text('no'));
  server.session.goAway(ErrorCode.enhanceYourCalm, 'wrong token');
  assert.equal(server.session.isClosed, true);
  assert.equal(server.session.open(StreamType.proxy, new Recorder()), null);
  assert.deepEqual(server.accepted[0]!.told.closes, [ErrorCode.sessionClosed]);
  assert.deepEqual(server.reasons, [{ code: ErrorCode.enhanceYourCalm, debug: 'wrong token' }]);
  await until(() => client.session.isClosed);
  assert.equal(told.bytes.toString(), 'no');
  assert.deepEqual(told.closes, [ErrorCode.remoteGoneAway]);
  assert.deepEqual(client.reasons, [{ code: ErrorCode.enhanceYourCalm, debug: 'wrong token' }]);
});

test('GOAWAY names the last stream that the peer opened', async (t) => {
  const { accepted, peer, session } = await rawPair(t);
  peer.send(syn(1), syn(3));
  await until(() => accepted.length === 2);
  session.goAway(ErrorCode.none, 'bye');
  session.goAway(ErrorCode.internal, 'twice');
  await until(() => peer.ended);
  assert.deepEqual(peer.frames, [
    { type: 3, flags: 0, id: 0, body: Buffer.concat([words(3, 0), text('bye')]) },
  ]);
});

test('GOAWAY of the peer ends the session and the connection', async (t) => {
  const { accepted, peer, reasons } = await rawPair(t);
  peer.send(syn(1), goAway(0, 99, 'odd'), syn(3));
  await until(() => peer.ended);
  assert.deepEqual(reasons, [{ code: ErrorCode.internal, debug: 'odd' }]);
  assert.equal(accepted.length, 1);
  assert.deepEqual(accepted[0]!.told.closes, [ErrorCode.remoteGoneAway]);
  assert.equal(peer.frames.length, 0);
});

test('a connection that ends, fails or is destroyed closes every stream once', async (t) => {
  const ends: [(far: Socket, near: Socket) => void, number][] = [
    [(far) => far.end(), ErrorCode.peerEof],
    [(far) => far.resetAndDestroy(), ErrorCode.remoteGoneAway],
    [(_far, near) => near.destroy(), ErrorCode.sessionClosed],
  ];
  for (const [end, code] of ends) {
    const { accepted, near, peer, reasons, session } = await rawPair(t);
    peer.send(syn(1), syn(3));
    await until(() => accepted.length === 2);
    end(peer.socket, near);
    await until(() => session.isClosed);
    assert.equal(reasons.length, 1);
    assert.equal(reasons[0]!.code, code);
    assert.deepEqual(
      accepted.map((a) => a.told.closes),
      [[code], [code]],
    );
  }
});

test('a session over a socket that is dead already says so', async (t) => {
  const [near] = await socketPair(t);
  near.destroy();
  await once(near, 'close');
  const reasons: unknown[] = [];
  new MuxSession(near, { role: 'client', accept: () => {}, closed: (reason) => reasons.push(reason) });
  assert.equal(reasons.length, 0);
  await until(() => reasons.length === 1);
});

test('owners that throw lose their stream and nothing else', async (t) => {
  const warnings = warningsOf(t, /broken (owner|accept)/);
  const broken = new Recorder();
  broken.data = () => {
    throw new Error('broken owner');
  };
  const { peer, session } = await rawPair(t, {
    accept: (type, stream) => {
      if (type === 1) throw new Error('broken accept');
      stream.handler = broken;
    },
  });
  peer.send(syn(1, 3, text('x')), syn(3, 1));
  await until(() => peer.resets(1).length === 1 && peer.resets(3).length === 1 && warnings.length === 2);
  assert.deepEqual([...peer.resets(1), ...peer.resets(3)], [ErrorCode.internal, ErrorCode.internal]);
  assert.equal(session.isClosed, false);
  assert.deepEqual(broken.closes, [ErrorCode.internal]);
});

test('two sessions over a pair of streams in one process work too', async () => {
  const [a, b] = duplexPair();
  const told = new Recorder();
  const client = new MuxSession(a, { role: 'client', accept: () => {}, closed: () => {} });
  new MuxSession(b, {
    role: 'server',
    accept: (_type, stream) => {
      stream.handler = {
        data: (chunk) => stream.write(chunk),
        end: () => stream.end(),
        drain: () => {},
        close: () => {},
      };
    },
    closed: () => {},
  });
  client.open(StreamType.proxy, told, Buffer.alloc(INITIAL_WINDOW * 3, 'xyz'))!.end();
  await until(() => told.closes.length === 1);
  assert.deepEqual(told.bytes, Buffer.alloc(INITIAL_WINDOW * 3, 'xyz'));
  client.goAway(ErrorCode.none);
});

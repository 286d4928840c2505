import assert from 'node:assert/strict';
import { nextTick } from 'node:process';
import { test } from 'node:test';
import { CLIENT_PREFACE, Flag, FrameType, frame, Http2Error, readFrameHead } from '@underpass/wire/http2';
import { type ConnectionUser, Http2Connection } from './connection.ts';
import { encodeHeaders } from './header-encoder.ts';
import { HTTP2_LIMITS } from './limits.ts';
import { settingsFrame } from './settings.ts';
import type { StreamUser } from './stream.ts';

const nobody: StreamUser = { headers() {}, data() {}, ended() {}, drained() {}, lost() {} };

function connectionTo(
  role: 'client' | 'server',
  write: (bytes: Buffer) => boolean,
  user: Partial<ConnectionUser>,
) {
  return new Http2Connection({
    role,
    transport: { write, end() {} },
    limits: HTTP2_LIMITS,
    now: () => 0,
    user: { opened: () => nobody, settled() {}, goingAway() {}, over() {}, ...user },
  });
}

async function turn(): Promise<void> {
  await new Promise<void>((done) => nextTick(done));
}

/** A client whose transport is full until `drain`, the server that it talks to, and the streams that came there. */
function connected() {
  const opened: number[] = [];
  const server = connectionTo('server', () => true, {
    opened: ({ id }) => {
      opened.push(id);
      return nobody;
    },
  });
  let isFull = true;
  const write = (bytes: Buffer): boolean => {
    server.receive(bytes);
    return !isFull;
  };
  const client = connectionTo('client', write, {});
  const ask = (user = nobody) => {
    const stream = client.openStream(user);
    stream.sendHeaders([{ name: ':method', value: 'GET' }], false);
    return stream;
  };
  const drain = (): void => {
    isFull = false;
    client.drained();
  };
  return { server, opened, ask, drain };
}

test('who asks when its stream is drained comes behind those whose heads waited', async () => {
  const { server, opened, ask, drain } = connected();
  await turn();
  const drained = () => void (opened.length < 2 && asked.push(ask().id));
  const asked = [ask({ ...nobody, drained }).id, ask().id];
  drain();
  await turn();
  assert.equal(asked.length, 3);
  assert.deepEqual(opened, asked);
  assert.ok(!server.isOver);
});

test('a request that is taken back before its head could go out leaves the other requests of its connection alone', async () => {
  const { server, opened, ask, drain } = connected();
  await turn();
  const other = ask();
  const takenBack = ask();
  takenBack.reset(Http2Error.cancel);
  await turn();
  drain();
  const later = ask();
  later.reset(Http2Error.cancel);
  await turn();
  assert.deepEqual(opened, [other.id, later.id]);
  assert.ok(!server.isOver, 'it was told of a stream that it never saw');
  assert.equal(server.size, 1, 'it was not told of a reset');
});

test('a peer that reads nothing gets no more credit of its connection, until it reads', async () => {
  let isFull = false;
  let credits = 0;
  const write = (bytes: Buffer): boolean => {
    for (let at = 0; at < bytes.length; at += 9 + readFrameHead(bytes, at).length) {
      const { type, stream } = readFrameHead(bytes, at);
      if (type === FrameType.windowUpdate && stream === 0) credits += 1;
    }
    return !isFull;
  };
  const server = connectionTo('server', write, {});
  const block = encodeHeaders([{ name: ':method', value: 'POST' }]);
  const data = (id: number) => frame(FrameType.data, 0, id, Buffer.alloc(16_384));
  server.receive(Buffer.concat([CLIENT_PREFACE, settingsFrame(new Map())]));
  for (const id of [1, 3, 5]) server.receive(frame(FrameType.headers, Flag.endHeaders, id, block));
  await turn();
  assert.equal(credits, 1, 'the first one enlarges the window');
  for (let at = 0; at < 4; at += 1) server.receive(data(1));
  await turn();
  assert.equal(credits, 2);
  isFull = true;
  server.receive(frame(FrameType.ping, 0, 0, Buffer.alloc(8)));
  await turn();
  for (const id of [3, 5]) for (let at = 0; at < 6; at += 1) server.receive(data(id));
  await turn();
  assert.equal(credits, 2);
  isFull = false;
  server.drained();
  await turn();
  assert.equal(credits, 3);
});

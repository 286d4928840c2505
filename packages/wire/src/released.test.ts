import assert from 'node:assert/strict';
import { test } from 'node:test';
import { queryObjects } from 'node:v8';
import { ErrorCode, StreamType } from './codes.ts';
import { answer, call } from './rpc.ts';
import { Stream } from './stream.ts';
import { data, fin, rawPair, rst, sessionPair, syn, until } from './test-peers.fixture.ts';

const COUNT = 1_000;

/** A handler that keeps nothing of its streams. */
const careless = {
  data() {},
  end() {},
  drain() {},
  close() {},
};

/** Collects garbage, then counts the streams that are still referenced. */
function heldStreams(): number {
  return Number(queryObjects(Stream));
}

test('a thousand streams that end in any way leave none behind while their session goes on', async (t) => {
  const { session, peer } = await rawPair(t, {
    accept: (_type, stream) => {
      stream.handler = { ...careless, end: () => stream.end() };
    },
  });
  const before = heldStreams();
  for (let n = 0; n < COUNT; n++) {
    const id = 2 * n + 1;
    const ways = [
      // The stream's type has not arrived whole.
      [data(id, Buffer.of(0, 0), 2), rst(id, 1)],
      [syn(id), rst(id, 1)],
      [syn(id), data(id, Buffer.alloc(100)), fin(id)],
    ];
    peer.send(...ways[n % ways.length]!);
  }
  await until(() => peer.frames.filter(({ flags }) => (flags & 1) === 1).length === Math.floor(COUNT / 3));
  for (let n = 0; n < COUNT; n++) session.open(3, careless)?.reset(ErrorCode.streamCancelled);
  await until(() => session.streamCount === 0);
  const left = heldStreams() - before;
  assert.ok(left < COUNT / 10, `${left} streams`);
});

test('a stream that is closed holds nothing of what waited to be sent or read', async (t) => {
  const { client, server } = await sessionPair(t);
  const bytes = 16 * 1024 * 1024;
  const [sent, read] = [client.session.open(3, careless)!, client.session.open(3, careless)!];
  await until(() => server.accepted.length === 2);
  const held = () => {
    heldStreams();
    return process.memoryUsage().arrayBuffers;
  };
  const before = held();
  sent.write(Buffer.alloc(bytes));
  read.pause();
  server.accepted[1]!.stream.write(Buffer.alloc(bytes));
  assert.ok(held() - before > bytes, 'it waits');
  for (const { stream } of server.accepted) stream.reset(ErrorCode.streamCancelled);
  await until(() => sent.closed && read.closed);
  assert.ok(held() - before < bytes / 4, `${held() - before} bytes`);
});

test('a thousand calls, answered and refused, hold nothing of their streams', async (t) => {
  const { client, server } = await sessionPair(t, {
    accept: (type, stream) => {
      if (type === StreamType.auth) answer(stream, (request) => request);
      // The response is no JSON.
      else if (type === StreamType.bind) stream.write(Buffer.from('}'));
      else stream.reset(ErrorCode.streamRefused);
    },
  });
  const before = heldStreams();
  const types = [StreamType.auth, StreamType.bind, StreamType.unbind];
  for (let n = 0; n < COUNT; n++) {
    const type = types[n % types.length]!;
    const result = await call(client.session, type, { n }).catch((error: Error) => error.name);
    assert.deepEqual(result, type === StreamType.auth ? { n } : 'WireError');
  }
  await until(() => client.session.streamCount + server.session.streamCount === 0);
  const left = heldStreams() - before;
  assert.ok(left < COUNT / 10, `${left} streams`);
});

import assert from 'node:assert/strict';
import { nextTick } from 'node:process';
import { test } from 'node:test';
import { type ConnectionUser, Http2Connection } from './connection.ts';
import { Http2Error } from './frames.ts';
import { HTTP2_LIMITS } from './limits.ts';
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

test('a request that is taken back before its head could go out leaves the other requests of its connection alone', async () => {
  const opened: number[] = [];
  const server = connectionTo('server', () => true, {
    opened: ({ id }) => {
      opened.push(id);
      return nobody;
    },
  });
  let isFull = true;
  const client = connectionTo(
    'client',
    (bytes) => {
      server.receive(bytes);
      return !isFull;
    },
    {},
  );
  await turn();
  const ask = () => {
    const stream = client.openStream(nobody);
    stream.sendHeaders([{ name: ':method', value: 'GET' }], false);
    return stream;
  };
  const other = ask();
  const takenBack = ask();
  takenBack.reset(Http2Error.cancel);
  await turn();
  isFull = false;
  client.drained();
  const later = ask();
  later.reset(Http2Error.cancel);
  await turn();
  assert.deepEqual(opened, [other.id, later.id]);
  assert.ok(!server.isOver, 'it was told of a stream that it never saw');
  assert.equal(server.size, 1, 'it was not told of a reset');
});

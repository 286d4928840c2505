import assert from 'node:assert/strict';
import { nextTick } from 'node:process';
import { test } from 'node:test';
import { Http2Error } from '@underpass/wire/http2';
import { Head } from '../http-syntax/head.ts';
import { Http2Connection } from '../http2/connection.ts';
import { HTTP2_LIMITS } from '../http2/limits.ts';
import type { StreamUser } from '../http2/stream.ts';
import { StreamSocket } from './stream-socket.ts';

const silent: StreamUser = { headers() {}, data() {}, ended() {}, drained() {}, lost() {} };
const ignored = { settled() {}, goingAway() {}, over() {} };
const common = { limits: { ...HTTP2_LIMITS, listBytes: 1000 }, now: () => 0 };
const tooLarge = Array.from({ length: 30 }, () => ({ name: 'x', value: 'y' }));

/** Waits until everything sent so far has arrived. */
async function turn(): Promise<void> {
  for (let turns = 0; turns < 10; turns += 1) await new Promise<void>((done) => nextTick(done));
}

/** A server whose client reads nothing until `drain`. */
function unread() {
  let isFull = true;
  const unsent: Buffer[] = [];
  const server = new Http2Connection({
    ...common,
    role: 'server',
    transport: {
      write: (bytes) => {
        unsent.push(bytes);
        return !isFull;
      },
      end() {},
    },
    user: {
      ...ignored,
      opened: (stream) => new StreamSocket(stream, null, new Head(1000, 10, []), assert.fail),
    },
  });
  const client = new Http2Connection({
    ...common,
    role: 'client',
    transport: {
      write: (bytes) => {
        server.receive(bytes);
        return true;
      },
      end() {},
    },
    user: { ...ignored, opened: () => assert.fail() },
  });
  const drain = async (): Promise<void> => {
    isFull = false;
    server.drained();
    await turn();
    client.receive(Buffer.concat(unsent));
    await turn();
  };
  return { server, client, drain };
}

for (const ends of [true, false])
  test(`who sends too large a head ${ends ? 'alone' : 'before a body'} is told so, once it reads what waits for it`, async () => {
    const { server, client, drain } = unread();
    await turn();
    const heard: (string | number)[] = [];
    const stream = client.openStream({
      ...silent,
      headers: ({ fields }) => void heard.push(fields[0]?.value ?? ''),
      lost: (code) => void heard.push(code),
    });
    stream.sendHeaders([{ name: ':method', value: 'POST' }, ...tooLarge], ends);
    stream.write(Buffer.from('a body'));
    stream.end();
    await turn();
    await drain();
    assert.deepEqual(heard, ['431']);
    assert.equal(server.size, 0);
    assert.ok(!server.isOver && !client.isOver);
  });

test('who sends too large a head before a body that does not end is told so, and then that nobody waits for it', async () => {
  const { server, client, drain } = unread();
  await turn();
  const heard: (string | number)[] = [];
  const stream = client.openStream({
    ...silent,
    headers: ({ fields }) => void heard.push(fields[0]?.value ?? ''),
    lost: (code) => void heard.push(code),
  });
  stream.sendHeaders([{ name: ':method', value: 'POST' }, ...tooLarge], false);
  await turn();
  await drain();
  assert.deepEqual(heard, ['431', Http2Error.none]);
  assert.equal(server.size, 0);
});

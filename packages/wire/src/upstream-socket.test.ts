import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { resettingServer } from '../../../test/harness/resetting-server.ts';
import { mayBeCut, UpstreamSocket } from './upstream-socket.ts';

/** What comes from a server that has reset the connection before its answer is read, when something is written once more. */
async function ask(t: TestContext, socket: Socket): Promise<string[]> {
  const server = await resettingServer(t);
  const heard: string[] = [];
  socket.on('data', (bytes: Buffer) => heard.push(bytes.toString()));
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.connect(server.port, '127.0.0.1');
  await once(socket, 'connect');
  socket.write('x');
  server.standStill();
  socket.write('y');
  socket.end();
  await closed;
  return heard;
}

test('what a server said before it reset the connection is read, although a write failed since', async (t) => {
  const socket = new UpstreamSocket({ allowHalfOpen: true });
  assert.deepEqual(await ask(t, socket), ['answer']);
  assert.equal(mayBeCut(socket), true);
});

test('any other socket loses it', async (t) => {
  const socket = new Socket({ allowHalfOpen: true });
  assert.deepEqual(await ask(t, socket), []);
  assert.equal(mayBeCut(socket), false);
});

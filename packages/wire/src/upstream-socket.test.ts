import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { connect as connectTls } from 'node:tls';
import { type ResettingServer, resettingServer } from '../../../test/harness/resetting-server.ts';
import { keptChain } from '../../server/src/pki/kept-chain.fixture.ts';
import { asUpstream, mayBeCut } from './upstream-socket.ts';

interface Made {
  readonly server: ResettingServer;
  readonly socket: Socket;
}

async function plain(t: TestContext): Promise<Made> {
  const server = await resettingServer(t);
  const socket = new Socket({ allowHalfOpen: true }).connect(server.port, '127.0.0.1');
  return { server, socket };
}

async function secured(t: TestContext): Promise<Made> {
  const { key, leaf, intermediate } = keptChain('a.example.com');
  const server = await resettingServer(t, { key, cert: leaf + intermediate });
  const options = { port: server.port, host: '127.0.0.1', allowHalfOpen: true, rejectUnauthorized: false };
  return { server, socket: connectTls(options) };
}

/** Reads a response from a server that reset the connection, after one more write. */
async function ask({ server, socket }: Made, made: string): Promise<string[]> {
  const heard: string[] = [];
  socket.on('data', (bytes: Buffer) => heard.push(bytes.toString()));
  socket.on('error', () => {});
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, made);
  await new Promise((written) => socket.write('x', written));
  server.standStill();
  socket.write('y');
  socket.end();
  await closed;
  return heard;
}

for (const [how, make, made] of [
  ['', plain, 'connect'],
  [' with TLS', secured, 'secureConnect'],
] as const) {
  test(`what a server said before it reset a connection${how} is read, although a write failed since`, async (t) => {
    const { server, socket } = await make(t);
    assert.deepEqual(await ask({ server, socket: asUpstream(socket) }, made), ['answer']);
    assert.equal(mayBeCut(socket), true);
  });

  test(`any other connection${how} loses it`, async (t) => {
    const { server, socket } = await make(t);
    assert.deepEqual(await ask({ server, socket }, made), []);
    assert.equal(mayBeCut(socket), false);
  });
}

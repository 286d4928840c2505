/** The two ends of a pair belong to one connection, also with foreign connections to its port. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { acceptedFrom, socketPair } from './socket-pair.ts';

test('a connection that another process made first is not taken', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  const stranger = connect({ port, host: '127.0.0.1' });
  const strangerEnd = once(stranger, 'close');
  stranger.resume();
  const client = connect({ port, host: '127.0.0.1' });
  const accepted = await acceptedFrom(server, client);
  assert.equal(accepted.remotePort, client.localPort);
  await strangerEnd;
  client.destroy();
  accepted.destroy();
});

test('the two ends of a pair are connected with each other', async (t) => {
  const [near, far] = await socketPair(t);
  near.write('hello');
  assert.equal(String((await once(far, 'data'))[0]), 'hello');
  far.write('back');
  assert.equal(String((await once(near, 'data'))[0]), 'back');
});

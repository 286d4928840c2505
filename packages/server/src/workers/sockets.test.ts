import assert from 'node:assert/strict';
import { once } from 'node:events';
import { BoundSocket, connect, createServer } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { ListenAddress } from '../core/settings.ts';
import { ListenError } from '../system/listen.ts';
import { inheritedAs, Sockets } from './sockets.ts';

/** A port that is free; nothing listens at it. */
function freePort(host = '127.0.0.1'): number {
  const socket = new BoundSocket({ host });
  const { port } = socket.address();
  socket.close();
  return port;
}

async function opened(
  t: TestContext,
  count: number,
  listen: ListenAddress,
  http: ListenAddress | null = null,
) {
  const settings = { listen, httpListen: http, sshListen: null };
  const sockets = await Sockets.open({ settings }, count);
  t.after(() => sockets.close());
  return sockets;
}

const here = (port = freePort()): ListenAddress => ({ host: '127.0.0.1', port });

test('each worker has sockets of its own, which stay until they are given up', async (t) => {
  const sockets = await opened(t, 2, here(), here());
  const [one, two] = [sockets.of(1), sockets.of(2)];
  assert.deepEqual([...one.keys()], ['listen', 'http-listen']);
  assert.equal(new Set([...one.values(), ...two.values()]).size, 4);
  assert.deepEqual(sockets.of(1), one);
  sockets.giveUp(1);
  assert.deepEqual([...sockets.of(1).keys()], [...one.keys()]);
  assert.deepEqual(sockets.of(2), two);
});

test('the sockets of a seat with two workers stay, whatever happens to one of them', async (t) => {
  const sockets = await opened(t, 2, here());
  sockets.double(1, true);
  const before = sockets.of(1);
  sockets.giveUp(1);
  assert.deepEqual(sockets.of(1), before);
  sockets.double(1, false);
  const held = createServer().listen({ fd: sockets.of(1).get('listen')! });
  await once(held, 'listening');
  t.after(() => held.close());
});

test('the only worker keeps its socket: no other one could serve', async (t) => {
  const sockets = await opened(t, 1, here());
  const before = sockets.of(1);
  sockets.giveUp(1);
  assert.deepEqual(sockets.of(1), before);
});

test('connections wait in a socket while no process accepts them', async (t) => {
  const address = here();
  const sockets = await opened(t, 1, address);
  const first = createServer().listen({ fd: sockets.of(1).get('listen')! });
  await once(first, 'listening');
  const socket = connect(address.port, address.host);
  t.after(() => socket.destroy());
  await once(socket, 'connect');
  first.close();
});

test('an address where another process listens is refused, also if it shares it', async (t) => {
  const address = here();
  const reusePort = true;
  const other = createServer().listen(new BoundSocket({ ...address, reusePort }));
  await once(other, 'listening');
  t.after(() => other.close());
  for (const count of [1, 2])
    await assert.rejects(
      opened(t, count, address),
      (error) => error instanceof ListenError && error.code === 'EADDRINUSE',
    );
});

test('a socket of a service manager is shared by all workers, and never closed', async (t) => {
  const held = new BoundSocket({ host: '127.0.0.1' });
  t.after(() => held.close());
  const sockets = await opened(t, 2, { ...here(), descriptor: held.fd() }, here());
  assert.equal(sockets.areInherited, true);
  assert.deepEqual([sockets.of(1).get('listen'), sockets.of(2).get('listen')], [held.fd(), held.fd()]);
  sockets.close();
  assert.ok(held.fd() > 0);
});

test('a name is looked up, and every address is one socket for both families', async (t) => {
  const local = await opened(t, 1, { host: 'localhost', port: freePort() });
  assert.equal(local.of(1).size, 1);
  const port = freePort('::');
  const every = await opened(t, 1, { host: '::', port });
  const server = createServer((socket) => socket.end()).listen({ fd: every.of(1).get('listen')! });
  await once(server, 'listening');
  t.after(() => server.close());
  for (const host of ['127.0.0.1', '::1']) {
    const socket = connect(port, host);
    await once(socket.resume(), 'close');
  }
});

test('descriptors of a worker follow one another, in the order of their names', () => {
  const descriptors = new Map([['listen', 20] as const, ['ssh-listen', 9] as const]);
  assert.deepEqual(inheritedAs(descriptors, 4), { listen: 4, 'ssh-listen': 5 });
});

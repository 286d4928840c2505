import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { type ConnectionLimits, Connections } from './connections.ts';
import { Shared } from './shared.ts';

const timeouts = { head: 1000, request: 1000, keepAlive: 1000, silence: 1000 };

/** Connections of a server without requests. */
function connectionsOf(limits: ConnectionLimits): Connections {
  const none = (): void => {};
  const options = { timeouts, headLimit: 1024, onRequest: none, onFault: none, crashed: none };
  return new Connections(limits, new Shared(options));
}

/** A socket as the listener hands it on, from an address of the test's choice. */
function from(address: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
}

/** A request has come on it that is not answered. */
function busy(socket: Socket): Socket {
  socket.emit('data', Buffer.from('GET / HTTP/1.0\r\n\r\n'));
  return socket;
}

test('a new connection of a source that has enough of them takes the place of the oldest that rests', () => {
  const connections = connectionsOf({ perSource: 3, total: 100 });
  const sockets = ['192.0.2.1', '192.0.2.1', '192.0.2.1', '192.0.2.2'].map(from);
  for (const socket of sockets) connections.add(socket);
  busy(sockets[0]!);
  const next = connections.add(from('::ffff:192.0.2.1'));
  assert.equal(next?.surplus, false);
  assert.deepEqual(
    sockets.map((socket) => socket.destroyed),
    [false, true, false, false],
  );
  assert.equal(connections.size, 4);
});

test('where none of a source rests, some more are told so, and the rest is cut; other sources do not notice', () => {
  const connections = connectionsOf({ perSource: 2, total: 1000 });
  const network = (host: number): Socket => from(`2001:db8:1:2::${host}`);
  const first = [network(1), network(2)];
  for (const socket of first) connections.add(socket);
  first.forEach(busy);
  const surplus = Array.from({ length: 32 }, (_, i) => connections.add(network(i + 3)));
  assert.ok(surplus.every((connection) => connection?.surplus));
  const cut = network(99);
  assert.equal(connections.add(cut), null);
  assert.equal(cut.destroyed, true);
  assert.equal(connections.add(from('2001:db8:1:3::1'))?.surplus, false);
});

test('over all sources there is a limit too: who rests gives way to it, and then the oldest to who has none', () => {
  const connections = connectionsOf({ perSource: 10, total: 3 });
  const all = [1, 2, 3, 4, 5].map((host) => from(`192.0.2.${host}`));
  for (const socket of all.slice(0, 3)) connections.add(socket);
  busy(all[0]!);
  busy(all[1]!);
  connections.add(all[3]!);
  busy(all[3]!);
  assert.equal(all[2]!.destroyed, true);
  assert.equal(connections.add(from('192.0.2.2')), null, 'it has as many as all others');
  assert.notEqual(connections.add(all[4]!), null);
  assert.deepEqual(
    all.map(({ destroyed }) => destroyed),
    [true, false, true, false, false],
  );
  assert.equal(connections.size, 3);
});

test('few sources that keep all of their connections busy shut nobody else out', () => {
  const connections = connectionsOf({ perSource: 4, total: 8 });
  const flood = (): Socket[] =>
    [1, 2, 3].flatMap((host) => Array.from({ length: 8 }, () => busy(from(`198.51.100.${host}`))));
  const take = (sockets: readonly Socket[]): void => {
    for (const socket of sockets) if (connections.add(socket) !== null) busy(socket);
  };
  take(flood());
  assert.equal(connections.size, 8);
  const clients = ['192.0.2.1', '192.0.2.2'].map(from);
  for (const socket of clients) assert.equal(connections.add(socket)?.surplus, false);
  // None of the clients has sent a request yet.
  take(flood());
  assert.ok(clients.every(({ destroyed }) => !destroyed));
  assert.equal(connections.size, 8);
});

test('a source that is refused for having too many takes nobody’s place', () => {
  const connections = connectionsOf({ perSource: 2, total: 4 });
  const resting = ['192.0.2.1', '192.0.2.2'].map(from);
  for (const socket of resting) connections.add(socket);
  const own = Array.from({ length: 100 }, () => from('198.51.100.1'));
  for (const socket of own) if (connections.add(socket) !== null) busy(socket);
  assert.ok(resting.every(({ destroyed }) => !destroyed));
  assert.equal(own.filter(({ destroyed }) => !destroyed).length, 2);
});

import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { Connections, type ServerConnection } from './connections.ts';

/** A socket as the listener hands it on, from an address of the test's choice. */
function from(address: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: address });
}

function busy(connection: ServerConnection | null): ServerConnection {
  assert.ok(connection !== null);
  connection.active = true;
  return connection;
}

test('a new connection of a source that has enough of them takes the place of the oldest that rests', () => {
  const connections = new Connections({ perSource: 3, total: 100 });
  const [first, second, third] = [1, 2, 3].map(() => connections.add(from('192.0.2.1')));
  busy(first!);
  const other = connections.add(from('192.0.2.2'));
  const next = connections.add(from('::ffff:192.0.2.1'));
  assert.equal(next?.surplus, false);
  assert.deepEqual(
    [first, second, third, other].map((connection) => connection?.stream.destroyed),
    [false, true, false, false],
  );
  assert.equal(connections.size, 4);
});

test('where none of a source rests, some more are told so, and the rest is cut; other sources do not notice', () => {
  const connections = new Connections({ perSource: 2, total: 1000 });
  const network = (host: number): ServerConnection | null => connections.add(from(`2001:db8:1:2::${host}`));
  for (const host of [1, 2]) busy(network(host));
  const surplus = Array.from({ length: 32 }, (_, i) => network(i + 3));
  assert.ok(surplus.every((connection) => connection?.surplus));
  const cut = from('2001:db8:1:2::99');
  assert.equal(connections.add(cut), null);
  assert.equal(cut.destroyed, true);
  assert.equal(connections.add(from('2001:db8:1:3::1'))?.surplus, false);
});

test('over all sources there is a limit too, and those that rest give way to it', () => {
  const connections = new Connections({ perSource: 10, total: 3 });
  const all = [1, 2, 3].map((host) => connections.add(from(`192.0.2.${host}`)));
  busy(all[0]!);
  busy(all[1]!);
  busy(connections.add(from('192.0.2.4')));
  assert.equal(all[2]?.stream.destroyed, true);
  assert.equal(connections.add(from('192.0.2.5')), null);
  assert.equal(connections.size, 3);
});

import assert from 'node:assert/strict';
import { Socket } from 'node:net';
import { test } from 'node:test';
import { sourceKey } from '../../core/ip/client-address.ts';
import { type ConnectionBounds, defaultBounds, OpenConnections } from './open-connections.ts';

function track(bounds: Partial<ConnectionBounds>) {
  const failed: string[] = [];
  const warned: object[] = [];
  const log = { warn: (what: object) => void warned.push(what) } as never;
  const connections = new OpenConnections({ ...defaultBounds, ...bounds }, log, {
    handshakeFailed: (reason) => void failed.push(reason),
    acceptFailed: (code) => void failed.push(code),
    listenFailed() {},
  });
  /** Null when it was closed. */
  const open = (source: string): Socket | null => {
    const socket = new Socket();
    socket.on('error', () => {});
    socket.once('close', () => connections.remove(socket));
    if (!connections.add(socket) || !connections.identified(socket, source)) return null;
    connections.finished(socket);
    return socket;
  };
  const openMany = (count: number, source: string): number =>
    Array.from({ length: count }, () => open(source)).filter((socket) => socket !== null).length;
  return { connections, open, openMany, failed, warned };
}

test('a source has as many connections as are still free, and the next one finds some', () => {
  const { openMany, failed } = track({ connections: 100 });
  assert.equal(openMany(100, 'first'), 50);
  assert.equal(openMany(100, 'second'), 25);
  assert.equal(openMany(1, 'third'), 1);
  assert.deepEqual(new Set(failed), new Set(['source_limit']));
});

test('the operator may say how many, and then a source may have them all', () => {
  const { openMany } = track({ connections: 100, perSource: 80 });
  assert.equal(openMany(90, 'first'), 80);
  assert.equal(openMany(90, 'second'), 20);
});

test('without a bound for all there is none for one, unless the operator says so', () => {
  assert.equal(track({}).openMany(1000, 'first'), 1000);
  assert.equal(track({ perSource: 3 }).openMany(1000, 'first'), 3);
});

test('a refused source is logged once, until it has room again', () => {
  const { connections, open, openMany, warned } = track({ perSource: 10 });
  const sockets = Array.from({ length: 10 }, () => open('first')!);
  assert.equal(openMany(100, 'first'), 0);
  assert.deepEqual(warned, [{ source: 'first', connections: 10 }]);
  for (const socket of sockets.slice(0, 2)) connections.remove(socket);
  connections.remove(sockets[0]!);
  assert.equal(openMany(100, 'first'), 2, 'each connection counts once, however often it is removed');
});

test('those of a source that are not done with their handshake give way to its next one, and to nobody else’s', () => {
  const { connections, openMany, failed } = track({ perSource: 5 });
  const silent = Array.from({ length: 10 }, () => new Socket());
  for (const socket of silent) assert.ok(connections.add(socket) && connections.identified(socket, 'first'));
  assert.equal(openMany(100, 'second'), 5);
  assert.equal(silent.filter(({ destroyed }) => destroyed).length, 5);
  assert.equal(openMany(100, 'first'), 5);
  assert.equal(failed.filter((reason) => reason === 'crowded_out').length, 10);
  assert.equal(connections.size, 10);
});

test('a source that floods the service with silent connections crowds out its own', () => {
  const { connections } = track({ unfinished: 10 });
  const begin = (source: string): Socket => {
    const socket = new Socket();
    assert.ok(connections.add(socket) && connections.identified(socket, source));
    return socket;
  };
  const waiting = begin('waits for an agent');
  const flood = Array.from({ length: 100 }, () => begin('flood'));
  assert.equal(waiting.destroyed, false);
  assert.deepEqual(
    flood.filter(({ destroyed }) => !destroyed),
    flood.slice(-9),
  );
});

test('a flood of one network of IPv6, from other addresses each time, crowds out its own', () => {
  const { connections } = track({ unfinished: 10 });
  const begin = (ip: string): Socket => {
    const socket = new Socket();
    assert.ok(connections.add(socket) && connections.identified(socket, sourceKey(ip)));
    return socket;
  };
  const visitor = [begin('192.0.2.1'), begin('192.0.2.1')];
  for (let at = 0; at < 100; at += 1) begin(`2001:db8:1:${at.toString(16)}::1`);
  assert.deepEqual(
    visitor.map(({ destroyed }) => destroyed),
    [false, false],
  );
});

test('a flood of which each address has one connection crowds out its oldest, not a visitor who has two', () => {
  const { connections } = track({ unfinished: 1024 });
  const begin = (ip: string): Socket => {
    const socket = new Socket();
    assert.ok(connections.add(socket) && connections.identified(socket, sourceKey(ip)));
    return socket;
  };
  const flood = (network: number, count: number): Socket[] =>
    Array.from({ length: count }, (_, at) => begin(`198.${network}.${at >> 8}.${at & 255}`));
  const first = flood(18, 1024);
  const visitor = [begin('192.0.2.1'), begin('192.0.2.1')];
  flood(19, 1000);
  assert.ok(visitor.every(({ destroyed }) => !destroyed));
  assert.equal(first.filter(({ destroyed }) => destroyed).length, 1002);
});

test('a flood of connections that have not said whose they are crowds out none that has', () => {
  const { connections } = track({ unfinished: 10 });
  const known = new Socket();
  assert.ok(connections.add(known) && connections.identified(known, 'known'));
  const flood = Array.from({ length: 100 }, () => new Socket());
  for (const socket of flood) assert.ok(connections.add(socket));
  assert.equal(known.destroyed, false);
  assert.deepEqual(
    flood.filter(({ destroyed }) => !destroyed),
    flood.slice(-9),
  );
});

test('an idle connection gives way to another one of its source, a busy one does not', () => {
  const { connections, open, failed } = track({ perSource: 3 });
  const sockets = [1, 2, 3].map(() => open('first')!);
  const busy = new Set(sockets.slice(0, 2));
  for (const socket of sockets) {
    connections.mayYield(socket, {
      destroyIfIdle() {
        if (!busy.has(socket)) socket.destroy();
        return !busy.has(socket);
      },
    });
  }
  assert.notEqual(open('first'), null);
  assert.deepEqual(
    sockets.map(({ destroyed }) => destroyed),
    [false, false, true],
  );
  assert.equal(open('first'), null, 'all are busy');
  busy.delete(sockets[0]!);
  assert.notEqual(open('first'), null);
  assert.ok(sockets[0]?.destroyed);
  assert.deepEqual(failed, ['source_limit']);
  assert.equal(connections.size, 3);
});

test('what was crowded out before it was known whose it is does not count', () => {
  const { connections } = track({ unfinished: 1 });
  const silent = new Socket();
  connections.add(silent);
  connections.add(new Socket());
  assert.equal(connections.identified(silent, 'first'), false);
});

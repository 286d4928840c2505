import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { test } from 'node:test';
import { until } from '../../../../test/harness/until.ts';
import { probePeer, SilentVisitors } from './silent-visitors.ts';

test('an address may have eight, and nothing is kept of those that have left', () => {
  const visitors = new SilentVisitors();
  for (let i = 0; i < 8; i += 1) assert.equal(visitors.enter('a'), true);
  assert.equal(visitors.enter('a'), false);
  assert.equal(visitors.enter('b'), true);
  visitors.leave('a');
  assert.equal(visitors.enter('a'), true);
  for (let i = 0; i < 8; i += 1) visitors.leave('a');
  visitors.leave('b');
  assert.equal(visitors.size, 0);
});

test('a half-closed socket is lost when the kernel has lost its peer, and not before', async (t) => {
  const server = createServer({ allowHalfOpen: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const visitor = connect({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    allowHalfOpen: true,
  });
  const [socket] = await once(server, 'connection');
  t.after(() => {
    socket.destroy();
    visitor.destroy();
    server.close();
  });
  let error = '';
  socket.on('error', ({ code }: NodeJS.ErrnoException) => {
    error = String(code);
  });
  visitor.on('error', () => {});
  visitor.end();
  socket.resume();
  await once(socket, 'end');
  probePeer(socket);
  socket.write('still there');
  assert.equal(String(await once(visitor, 'data')), 'still there');
  visitor.resetAndDestroy();
  await once(visitor, 'close');
  await until(() => {
    probePeer(socket);
    return socket.destroyed;
  });
  assert.equal(error, 'EPIPE');
});

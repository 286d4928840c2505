import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { test } from 'node:test';
import { EVERY_ADDRESS, ListenError, listen } from './listen.ts';

test('without a host every address of the machine is listened on', async (t) => {
  const server = createServer((socket) => socket.end());
  t.after(() => server.close());
  const port = await listen(server, { host: EVERY_ADDRESS, port: 0 });
  const socket = connect(port, '127.0.0.1').resume();
  await once(socket, 'close');
});

test('an address that cannot be listened on is named as it is written', async () => {
  const foreign = listen(createServer(), { host: '2001:db8::1', port: 4711 });
  await assert.rejects(foreign, (error) => {
    assert.ok(error instanceof ListenError);
    assert.match(error.message, /^cannot listen on \[2001:db8::1\]:4711: /);
    return true;
  });
});

test('a port of an address is open when the call returns, and one that is taken is refused with its reason', async (t) => {
  const server = createServer();
  const other = createServer();
  t.after(() => server.close());
  const listening = listen(server, { host: '127.0.0.1', port: 0 });
  assert.equal(server.listening, true);
  const port = await listening;
  await assert.rejects(listen(other, { host: '127.0.0.1', port }), (error) => {
    assert.ok(error instanceof ListenError);
    assert.equal(error.code, 'EADDRINUSE');
    return true;
  });
  assert.equal(other.listening, false);
});

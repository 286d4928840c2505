import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { test } from 'node:test';
import { connect, TLSSocket } from 'node:tls';
import { selfSigned } from '../../../../../test/harness/make-certificate.ts';
import { connectionFacts } from './connection-facts.ts';

const addresses = { clientAddr: '192.0.2.1:1', serverAddr: '192.0.2.2:443' };

test('facts of a connection stay readable after the connection below it was closed', async () => {
  const { pem: cert, key } = selfSigned('localhost');
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const visitor = connect({ port: (server.address() as AddressInfo).port, rejectUnauthorized: false });
  visitor.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [Socket];
  const secured = new TLSSocket(socket, { isServer: true, cert, key });
  secured.on('error', () => {});
  await once(secured, 'secure');
  const { tls } = connectionFacts(secured, addresses, null);
  socket.destroy();
  await once(secured, 'close');
  assert.deepEqual(
    [tls?.version, tls?.cipher, tls?.clientCertificate],
    ['TLSv1.3', 'TLS_AES_256_GCM_SHA384', null],
  );
  visitor.destroy();
  server.close();
});

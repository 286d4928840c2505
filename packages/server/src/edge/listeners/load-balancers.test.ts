import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { type Cidr, parseCidr } from '../../core/ip/cidr.ts';
import type { ConnectionAddresses } from '../../core/ip/client-address.ts';
import { LoadBalancers } from './load-balancers.ts';

const HEADER = 'PROXY TCP4 192.0.2.1 198.51.100.7 8080 443\r\n';

/** A listener whose load balancers are 127.0.0.9 alone, and what it learnt. */
async function listenFor(t: TestContext, headerMs = 30_000) {
  const known: ConnectionAddresses[] = [];
  const failed: string[] = [];
  const warned: string[] = [];
  let text = '';
  const loadBalancers = new LoadBalancers({
    ranges: [parseCidr('127.0.0.9/32') as Cidr],
    headerMs,
    connections: { failed: (_, reason) => void failed.push(reason), identified: () => true },
    log: { warn: (_: unknown, words: string) => void warned.push(words) } as never,
  });
  const server = createServer((socket) => {
    socket.on('error', () => {});
    loadBalancers.identify(socket, (addresses) => {
      known.push(addresses);
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.resume();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  t.after(() => void server.close());
  const open = async (from: string): Promise<Socket> => {
    const socket = connect({ host: '127.0.0.1', port, localAddress: from, noDelay: true });
    socket.on('error', () => {});
    t.after(() => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  return { open, known, failed, warned, read: () => text, port };
}

test('a load balancer says whose connection it is, and what the visitor sent behind that is not lost', async (t) => {
  const { open, known, read } = await listenFor(t);
  const socket = await open('127.0.0.9');
  socket.write(HEADER.slice(0, 10));
  socket.write(`${HEADER.slice(10)}and`);
  await until(() => read() === 'and');
  socket.write(' more');
  await until(() => read() === 'and more');
  assert.deepEqual(known, [{ clientAddr: '192.0.2.1:8080', serverAddr: '198.51.100.7:443' }]);
});

test('if the header has no address, the connection is that of the load balancer itself', async (t) => {
  const { open, known, port } = await listenFor(t);
  const socket = await open('127.0.0.9');
  socket.write('PROXY UNKNOWN\r\n');
  await until(() => known.length > 0);
  const clientAddr = `127.0.0.9:${socket.localPort}`;
  assert.deepEqual(known, [{ clientAddr, serverAddr: `127.0.0.1:${port}` }]);
});

test('what anybody else sends is the beginning of its own bytes', async (t) => {
  const { open, known, read } = await listenFor(t);
  const socket = await open('127.0.0.8');
  socket.write(HEADER);
  await until(() => read() === HEADER);
  assert.equal(known[0]?.clientAddr, `127.0.0.8:${socket.localPort}`);
});

test('a load balancer without a header, with a broken one or with a slow one is cut, and the operator is told why', async (t) => {
  const { open, known, failed, warned } = await listenFor(t, 50);
  for (const words of ['GET / HTTP/1.1\r\n', 'PROXY TCP4 x\r\n', 'PROXY TCP4']) {
    const socket = await open('127.0.0.9');
    socket.resume();
    socket.write(words);
    await until(() => socket.destroyed);
  }
  assert.deepEqual(known, []);
  assert.deepEqual(failed, ['proxy_header', 'proxy_header', 'proxy_header']);
  assert.match(warned.join(), /--proxy-protocol-from/);
});

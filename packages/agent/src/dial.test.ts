/** Dials a name with several addresses: one serves, the others refuse or stay silent. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createServer as createTlsServer } from 'node:tls';
import { timeoutMs } from '../../../test/harness/timeouts.ts';
import { dial } from './dial.ts';
import { ServerAddresses } from './server-addresses.ts';
import { makeCertificate } from './testing/certificates.fixture.ts';
import { TlsMemory } from './tls-memory.ts';

const HOST = 'connect.example.test';
const SERVING = '127.0.0.1';
const SILENT = '127.0.0.2';
const REFUSING = '127.0.0.3';
const certificate = makeCertificate(HOST);

/** Starts a service at `SERVING` and a program without answers at `SILENT`. Returns their port. */
async function start(t: TestContext): Promise<number> {
  const sockets = new Set<Socket>();
  const service = createTlsServer(certificate).listen(0, SERVING);
  const silent = createServer();
  for (const server of [service, silent])
    server.on('connection', (socket) => sockets.add(socket.on('error', () => {})));
  await once(service, 'listening');
  const { port } = service.address() as AddressInfo;
  silent.listen(port, SILENT);
  await once(silent, 'listening');
  t.after(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([service, silent].map((server) => once(server.close(), 'close')));
  });
  return port;
}

/** Returns what dials the addresses, in this order at first. */
function dialling(port: number, ...found: readonly string[]) {
  const addresses = new ServerAddresses({
    lookup: (_host, _options, callback) =>
      callback(
        null,
        found.map((address) => ({ address, family: 4 })),
      ),
    random: () => 0,
  });
  const tls = new TlsMemory({ ca: certificate.ca });
  const { signal } = new AbortController();
  return async (withinMs: number): Promise<string | undefined> => {
    const { socket } = await dial({ host: HOST, port }, { tls, addresses, signal, timeoutMs: withinMs });
    const { remoteAddress } = socket;
    socket.destroy();
    return remoteAddress;
  };
}

test('tries the next address at once if one refuses', async (t) => {
  const attempt = dialling(await start(t), REFUSING, SERVING);
  for (let time = 0; time < 3; time++) assert.equal(await attempt(timeoutMs(10_000)), SERVING);
});

test('begins with another address after one that accepts and never answers', async (t) => {
  const attempt = dialling(await start(t), SILENT, SERVING);
  await assert.rejects(attempt(200), /no answer within 0.2 s/);
  assert.equal(await attempt(timeoutMs(10_000)), SERVING);
});

test('uses the addresses of several services in turn', async (t) => {
  const port = await start(t);
  const other = createTlsServer(certificate).listen(port, REFUSING);
  await once(other, 'listening');
  t.after(() => once(other.close(), 'close'));
  const attempt = dialling(port, SERVING, REFUSING);
  const reached = [];
  for (let time = 0; time < 4; time++) reached.push(await attempt(timeoutMs(10_000)));
  assert.deepEqual(reached, [SERVING, REFUSING, SERVING, REFUSING]);
});

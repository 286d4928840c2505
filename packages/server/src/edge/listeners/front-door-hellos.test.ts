import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { before, test } from 'node:test';
import tls from 'node:tls';
import { until } from '../../../../../test/harness/until.ts';
import type { LocalAuthority } from '../../pki/local-authority.ts';
import { asRecords, buildHello, extension, serverNameExtension } from './client-hello.fixture.ts';
import { Alert } from './client-hello.ts';
import {
  everything,
  firstLine,
  openAuthority,
  openDoor,
  rawClient,
  response,
  terminated,
} from './front-door.fixture.ts';

let authority: LocalAuthority;
before(async () => {
  authority = await openAuthority();
});

/** The description of the alert that a flight of one alert record carries. */
function alertIn(bytes: Buffer): number | undefined {
  assert.deepEqual([...bytes.subarray(0, 6)], [21, 3, 3, 0, 2, 2], bytes.toString('latin1').slice(0, 100));
  return bytes[6];
}

/** Sends a client's first flight in other records and segments than it made. */
async function splitting(port: number, sizes: readonly number[], segment: number): Promise<net.Server> {
  const relay = net.createServer({ noDelay: true }, (client) => {
    const server = net.connect({ port, host: '127.0.0.1', noDelay: true });
    client.on('error', () => {});
    server.on('error', () => {});
    server.pipe(client);
    client.once('data', async (flight: Buffer) => {
      client.pause();
      const end = 5 + flight.readUInt16BE(3);
      const bytes = Buffer.concat([asRecords(flight.subarray(5, end), sizes), flight.subarray(end)]);
      for (let at = 0; at < bytes.length; at += segment) {
        server.write(bytes.subarray(at, at + segment));
        await new Promise(setImmediate);
      }
      client.pipe(server);
    });
  });
  relay.listen(0, '127.0.0.1');
  await once(relay, 'listening');
  return relay;
}

test('a hello in many records and in 1-byte segments still handshakes with its own edge', async (t) => {
  const documents = [
    response,
    terminated('edgtls_1', ['a.example.com']),
    terminated('edgtls_2', ['*.example.com']),
  ];
  const { port } = await openDoor(t, { authority, documents });
  for (const [records, segment] of [
    [1, 1],
    [2, 4096],
    [3, 7],
    [20, 4096],
    [20, 1],
  ] as const) {
    const relay = await splitting(
      port,
      Array.from({ length: records }, () => Math.ceil(1800 / records)),
      segment,
    );
    const socket = tls.connect({
      host: '127.0.0.1',
      port: (relay.address() as net.AddressInfo).port,
      servername: 'a.example.com',
      ca: authority.certificatePem,
    });
    assert.equal(await firstLine(socket), 'a.example.com edgtls_1/TLSv1.2', `${records} records`);
    socket.destroy();
    relay.close();
  }
});

test('nobody is served by a default: unknown, missing and impossible names get an alert and a closed connection', async (t) => {
  const { port, handed } = await openDoor(t, {
    authority,
    documents: [response, terminated('edgtls_1', ['a.example.com'])],
  });
  const {
    unrecognizedName,
    missingExtension,
    decodeError,
    illegalParameter,
    unexpectedMessage,
    protocolVersion,
  } = Alert;
  const named = (text: string): Buffer => buildHello({ extensions: [serverNameExtension(text)] });
  const padding = extension(21, Buffer.alloc(64_000));
  for (const [bytes, alert] of [
    [named('b.example.com'), unrecognizedName],
    [named('example.com'), unrecognizedName],
    [named('xa.example.com'), unrecognizedName],
    [named('a.example.com.attacker.net'), unrecognizedName],
    [named('127.0.0.1'), unrecognizedName],
    [named('::1'), unrecognizedName],
    [named('*.example.com'), unrecognizedName],
    [named('a.example.com:443'), unrecognizedName],
    [named('__proto__'), unrecognizedName],
    [named('constructor'), unrecognizedName],
    [named('x'.repeat(10_000)), unrecognizedName],
    [named('a.example.com..'), unrecognizedName],
    [named('caf\xe9.example.com'), illegalParameter],
    [named('a.example.com\0'), illegalParameter],
    [named(''), decodeError],
    [buildHello({ extensions: [] }), missingExtension],
    [
      buildHello({
        extensions: [serverNameExtension('a.example.com'), serverNameExtension('b.example.com')],
      }),
      illegalParameter,
    ],
    [buildHello({ extensions: [padding, serverNameExtension('a.example.com')] }), decodeError],
    [Buffer.from('get / HTTP/1.1\r\nHost: a.example.com\r\n\r\n'), unexpectedMessage],
    [Buffer.from('SSH-2.0-OpenSSH_10.0\r\n'), unexpectedMessage],
    [Buffer.from('GET  /'), unexpectedMessage],
    [Buffer.from('\x80\x2e\x01\x03\x01\x00\x15', 'latin1'), unexpectedMessage],
    [Buffer.from([22, 2, 0]), protocolVersion],
    [Buffer.from([21, 3, 1, 0, 2, 2, 40]), unexpectedMessage],
  ] as const) {
    const socket = rawClient(t, port);
    socket.write(bytes);
    const answer = await everything(socket);
    assert.equal(alertIn(answer), alert, bytes.subarray(0, 80).toString('latin1'));
    assert.equal(answer.length, 7);
  }
  assert.equal(handed.length, 0);
});

test('plain HTTP is answered in its own words, however much of it comes', async (t) => {
  const { port, handed } = await openDoor(t, {
    authority,
    documents: [response, terminated('edgtls_1', ['a.example.com'])],
  });
  for (const [bytes, answer] of [
    ['GET / HTTP/1.1\r\nHost: a.example.com\r\n\r\n', 'plainHttpOnTlsPort: no GET here\n'],
    ['HEAD http://a.example.com/ HTTP/1.0\r\n\r\n', 'plainHttpOnTlsPort: no HEAD here\n'],
    ['OPTIONS *', 'plainHttpOnTlsPort: no OPTIONS here\n'],
    [
      `POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`,
      'plainHttpOnTlsPort: no POST here\n',
    ],
  ] as const) {
    const socket = rawClient(t, port);
    socket.write(bytes);
    assert.equal((await everything(socket)).toString(), answer);
  }
  assert.equal(handed.length, 0);
});

test('real clients get the reason', async (t) => {
  const { greeting } = await openDoor(t, {
    authority,
    documents: [response, terminated('edgtls_1', ['a.example.com'])],
  });
  await assert.rejects(greeting('b.example.com'), { code: 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME' });
  await assert.rejects(greeting(''), { code: /MISSING_EXTENSION/ });
});

test('a connection that never sends a whole hello, or never ends its handshake, is closed in time', async (t) => {
  const documents = [response, terminated('edgtls_1', ['a.example.com'])];
  const { port, connections } = await openDoor(t, {
    authority,
    documents,
    limits: { helloMs: 60, handshakeMs: 60 },
  });
  const hello = buildHello({ extensions: [serverNameExtension('a.example.com')] });
  const silent = rawClient(t, port);
  const slow = rawClient(t, port);
  slow.write(hello.subarray(0, 20));
  const half = await splitting(port, [], 4096);
  const stalled = net.connect({ port: (half.address() as net.AddressInfo).port, host: '127.0.0.1' });
  // A real first flight, and then nothing.
  const real = tls.connect({
    host: '127.0.0.1',
    port: (half.address() as net.AddressInfo).port,
    servername: 'a.example.com',
  });
  real.on('error', () => {});
  real.once('connect', () => real.pause());
  await Promise.all([everything(silent), everything(slow)]);
  stalled.destroy();
  real.destroy();
  half.close();
  await until(() => connections.size === 0);
});

test('under a flood of silent connections it is the oldest that go', async (t) => {
  const documents = [response, terminated('edgtls_1', ['a.example.com'])];
  const { port, greeting } = await openDoor(t, { authority, documents, limits: { unfinished: 3 } });
  const silent = [];
  for (let index = 0; index < 3; index += 1) {
    const socket = rawClient(t, port);
    await once(socket, 'connect');
    silent.push(socket);
  }
  assert.equal(await greeting('a.example.com'), 'a.example.com edgtls_1/TLSv1.2');
  await everything(silent[0]!);
});

test('clients that reset at any moment do no harm', async (t) => {
  const { port, greeting, connections } = await openDoor(t, {
    authority,
    documents: [response, terminated('edgtls_1', ['a.example.com'])],
  });
  const hello = buildHello({ extensions: [serverNameExtension('a.example.com')] });
  for (const bytes of [
    Buffer.alloc(0),
    hello.subarray(0, 10),
    hello,
    buildHello({ extensions: [] }),
    Buffer.from('x'),
  ]) {
    const socket = rawClient(t, port);
    await once(socket, 'connect');
    if (bytes.length > 0) await new Promise<void>((resolve) => void socket.write(bytes, () => resolve()));
    socket.resetAndDestroy();
  }
  assert.equal(await greeting('a.example.com'), 'a.example.com edgtls_1/TLSv1.2');
  assert.ok(connections.size >= 1);
});

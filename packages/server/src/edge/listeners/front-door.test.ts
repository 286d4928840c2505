import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { before, test } from 'node:test';
import tls from 'node:tls';
import { pino } from 'pino';
import { until } from '../../../../../test/harness/until.ts';
import type { DocumentOfKind, TlsTerminationModule } from '../../documents/index.ts';
import type { LocalAuthority } from '../../pki/local-authority.ts';
import { ownTicketKeys } from '../../pki/ticket-keys.fixture.ts';
import { ListenError } from '../../system/listen.ts';
import { SourceShares } from '../backends/source-shares.ts';
import { Streams } from '../backends/streams.ts';
import { Pipes } from '../bytes/pipes.ts';
import { SiteTable } from '../compile/site-table.ts';
import { atEdge, backedBy, edgeDocument, put, responseDocument } from '../documents.fixture.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import { AwaitedTunnels } from './awaited-tunnels.ts';
import { asRecords, buildHello, extension, serverNameExtension } from './client-hello.fixture.ts';
import { Alert } from './client-hello.ts';
import {
  certificatesOf,
  everything,
  firstLine,
  openAuthority,
  openDoor,
  rawClient,
} from './front-door.fixture.ts';
import { FrontDoor } from './front-door.ts';
import { noLoadBalancers } from './load-balancers.fixture.ts';
import { defaultBounds, OpenConnections } from './open-connections.ts';

let authority: LocalAuthority;
before(async () => {
  authority = await openAuthority();
});

const response = responseDocument('bkdhr_1', 'hello');

const DAY_MS = 86_400_000;

function terminated(
  id: string,
  hostnames: readonly string[],
  min_version: TlsTerminationModule['min_version'] = '',
): DocumentOfKind<'tls_edge'> {
  return edgeDocument(id, hostnames, {
    backend: backedBy('bkdhr_1'),
    tls_termination: { ...atEdge, min_version },
  });
}

/** The description of the alert that a flight of one alert record carries. */
function alertIn(bytes: Buffer): number | undefined {
  assert.deepEqual([...bytes.subarray(0, 6)], [21, 3, 3, 0, 2, 2], bytes.toString('latin1').slice(0, 100));
  return bytes[6];
}

test('each name reaches its own edge, the longest wildcard where no exact one is', async (t) => {
  const documents = [
    response,
    terminated('edgtls_1', ['a.example.com']),
    terminated('edgtls_2', ['*.example.com']),
  ];
  const { greeting, handed } = await openDoor(t, { authority, documents });
  assert.equal(await greeting('a.example.com'), 'a.example.com edgtls_1/TLSv1.2');
  assert.equal(await greeting('b.example.com'), 'b.example.com edgtls_2/TLSv1.2');
  assert.equal(await greeting('x.b.example.com'), 'x.b.example.com edgtls_2/TLSv1.2');
  assert.match(handed[0]!.facts.clientAddr, /^127\.0\.0\.1:\d+$/);
});

test('the daemon answers for its own names before any wildcard', async (t) => {
  const services = new Map([
    [
      'api.example.com',
      {
        serve: (socket: tls.TLSSocket, from: string) => void socket.end(`api ${from}\n`),
        alpn: ['http/1.1'],
      },
    ],
    [
      'connect.example.com',
      { serve: (socket: tls.TLSSocket) => void socket.end(`agents ${socket.alpnProtocol}\n`) },
    ],
  ]);
  const { greeting } = await openDoor(t, {
    authority,
    services,
    documents: [response, terminated('edgtls_1', ['*.example.com'])],
  });
  assert.match(await greeting('api.example.com'), /^api 127\.0\.0\.1:\d+$/);
  assert.equal(await greeting('connect.example.com'), 'agents false');
  assert.equal(await greeting('connect.example.com', { ALPNProtocols: ['anything'] }), 'agents false');
  assert.equal(await greeting('other.example.com'), 'other.example.com edgtls_1/TLSv1.2');
});

test('any spelling of a name reaches the same edge, among more than a hundred', async (t) => {
  const edges = Array.from({ length: 150 }, (_, index) =>
    terminated(`edgtls_${index}`, [`n${index}.example.com`]),
  );
  const { port, handed } = await openDoor(t, { authority, documents: [response, ...edges] });
  for (const servername of ['n120.example.com', 'N120.EXAMPLE.com', 'n120.Example.Com.']) {
    // Not every client library sends such names.
    const client = spawn(
      'openssl',
      ['s_client', '-connect', `127.0.0.1:${port}`, '-servername', servername, '-quiet'],
      { stdio: ['pipe', 'pipe', 'ignore'] },
    );
    const [line] = (await once(client.stdout, 'data')) as [Buffer];
    assert.equal(line.toString(), 'n120.example.com edgtls_120/TLSv1.2\n');
    client.kill('SIGKILL');
    await once(client, 'close');
  }
  assert.deepEqual(
    new Set(handed.map(({ facts, negotiated }) => `${facts.serverName} ${negotiated?.key}`)).size,
    1,
  );
});

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
    ['GET / HTTP/1.1\r\nHost: a.example.com\r\n\r\n', 'no GET here\n'],
    ['HEAD http://a.example.com/ HTTP/1.0\r\n\r\n', 'no HEAD here\n'],
    ['OPTIONS *', 'no OPTIONS here\n'],
    [`POST / HTTP/1.1\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`, 'no POST here\n'],
  ] as const) {
    const socket = rawClient(t, port);
    socket.write(bytes);
    assert.equal((await everything(socket)).toString(), answer);
  }
  assert.equal(handed.length, 0);
});

test('real clients are told why', async (t) => {
  const { greeting } = await openDoor(t, {
    authority,
    documents: [response, terminated('edgtls_1', ['a.example.com'])],
  });
  await assert.rejects(greeting('b.example.com'), { code: 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME' });
  await assert.rejects(greeting(''), { code: /MISSING_EXTENSION/ });
});

test('an edge takes only clients of its minimum version', async (t) => {
  const documents = [
    response,
    terminated('edgtls_1', ['new.example.com'], '1.3'),
    terminated('edgtls_2', ['old.example.com'], '1.0'),
    terminated('edgtls_3', ['a.example.com']),
  ];
  const { greeting, connect } = await openDoor(t, { authority, documents });
  await assert.rejects(greeting('new.example.com', { maxVersion: 'TLSv1.2' }), {
    code: /ALERT_PROTOCOL_VERSION/,
  });
  assert.equal(await greeting('new.example.com'), 'new.example.com edgtls_1/TLSv1.3');
  const ancient = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' } as const;
  const socket = connect('old.example.com', ancient);
  assert.equal(await firstLine(socket), 'old.example.com edgtls_2/TLSv1');
  assert.equal(socket.getProtocol(), 'TLSv1.1');
  assert.equal(
    await greeting('old.example.com', { ...ancient, maxVersion: 'TLSv1' }),
    'old.example.com edgtls_2/TLSv1',
  );
  await assert.rejects(greeting('a.example.com', ancient), { code: /ALERT_PROTOCOL_VERSION/ });
  const modern = connect('old.example.com');
  await firstLine(modern);
  assert.equal(modern.getProtocol(), 'TLSv1.3');
});

/** A session ticket of one connection to a name. */
async function ticketFrom(socket: tls.TLSSocket): Promise<Buffer> {
  const ticket = once(socket, 'session');
  await firstLine(socket);
  const [session] = (await ticket) as [Buffer];
  return session;
}

test('a session ticket of one edge resumes there and nowhere else', async (t) => {
  const second = terminated('edgtls_2', ['b.example.com']);
  const { connect, table } = await openDoor(t, {
    authority,
    documents: [response, terminated('edgtls_1', ['a.example.com', '*.a.example.com']), second],
  });
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const session = await ticketFrom(connect('a.example.com', { maxVersion }));
    const reused = async (servername: string, ticket = session): Promise<boolean> => {
      const socket = connect(servername, { maxVersion, session: ticket });
      await firstLine(socket);
      const resumed = socket.isSessionReused();
      if (!resumed) assert.equal(socket.getPeerCertificate().subjectaltname, `DNS:${servername}`);
      return resumed;
    };
    assert.equal(await reused('a.example.com'), true);
    assert.equal(await reused('b.example.com'), false);
    assert.equal(await reused('x.a.example.com'), false);
    const other = await ticketFrom(connect('b.example.com', { maxVersion }));
    assert.equal(await reused('b.example.com', other), true);
    table.apply([put(terminated('edgtls_2', ['b.example.com'], '1.1'))]);
    assert.equal(await reused('b.example.com', other), false);
    table.apply([put(second)]);
  }
});

test('a session ticket is good for the day after its own, and is replaced by one that is not good for longer', async (t) => {
  let today = Date.UTC(2026, 10, 22, 23);
  const documents = [response, terminated('edgtls_1', ['a.example.com'])];
  const { connect } = await openDoor(t, { authority, documents, today: () => today });
  for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
    const reused = async (session: Buffer): Promise<boolean> => {
      const socket = connect('a.example.com', { maxVersion, session });
      await firstLine(socket);
      return socket.isSessionReused();
    };
    const session = await ticketFrom(connect('a.example.com', { maxVersion }));
    today += DAY_MS;
    assert.equal(await reused(session), true);
    const next = await ticketFrom(connect('a.example.com', { maxVersion }));
    assert.equal(await reused(next), true);
    today += DAY_MS;
    assert.equal(await reused(session), false);
    assert.equal(await reused(next), true);
  }
});

test('h2 is negotiated, else http/1.1, and a client that wants only something else is told so', async (t) => {
  const { greeting, connect, handed } = await openDoor(t, {
    authority,
    documents: [response, terminated('edgtls_1', ['a.example.com'])],
  });
  for (const [offered, negotiated] of [
    [['http/1.1', 'h2'], 'h2'],
    [['http/1.1'], 'http/1.1'],
  ] as const) {
    const socket = connect('a.example.com', { ALPNProtocols: [...offered] });
    await firstLine(socket);
    assert.equal(socket.alpnProtocol, negotiated);
    assert.equal(handed.at(-1)?.isHttp2, negotiated === 'h2');
  }
  await assert.rejects(greeting('a.example.com', { ALPNProtocols: ['h3'] }), {
    code: /NO_APPLICATION_PROTOCOL/,
  });
});

test('bytes pass both ways unchanged after the handshake', async (t) => {
  const { connect } = await openDoor(t, {
    authority,
    documents: [response, terminated('edgtls_1', ['a.example.com'])],
  });
  const socket = connect('a.example.com');
  await firstLine(socket);
  const sent = Buffer.alloc(3_000_000, 'abcdefg');
  socket.end(sent);
  assert.ok((await everything(socket)).equals(sent));
});

test('a TLS edge whose backend is missing ends the connection after its handshake', async (t) => {
  const edge = edgeDocument('edgtls_1', ['a.example.com'], { tls_termination: atEdge });
  const { connect, handed, observed } = await openDoor(t, { authority, documents: [edge] });
  const socket = connect('a.example.com');
  await once(socket, 'secureConnect');
  assert.equal((await everything(socket)).length, 0);
  assert.equal(handed.length, 0);
  assert.deepEqual(
    observed.map(({ site, error }) => [site, error]),
    [['edgtls_1', 'edgeWithoutBackend']],
  );
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

test('a name without a certificate gets an alert, and the next name is served', async (t) => {
  const documents = [response, terminated('edgtls_1', ['a.example.com'])];
  let fail = true;
  const issue: LocalAuthority['issue'] = (name) =>
    fail ? Promise.reject(new Error('no entropy')) : authority.issue(name);
  const certificates = certificatesOf({ issue });
  const { greeting } = await openDoor(t, { authority, documents, certificates });
  await assert.rejects(greeting('a.example.com'), { code: /ALERT_INTERNAL_ERROR/ });
  fail = false;
  assert.equal(await greeting('a.example.com'), 'a.example.com edgtls_1/TLSv1.2');
});

test('a service that throws costs its own connection only', async (t) => {
  const services = new Map([
    [
      'api.example.com',
      {
        serve: () => {
          throw new Error('broken');
        },
      },
    ],
  ]);
  const { connect, greeting } = await openDoor(t, {
    authority,
    services,
    documents: [response, terminated('edgtls_1', ['a.example.com'])],
  });
  await everything(connect('api.example.com'));
  assert.equal(await greeting('a.example.com'), 'a.example.com edgtls_1/TLSv1.2');
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

test('a port in use, a foreign address and an unknown host are errors with a code', async (t) => {
  const { port } = await openDoor(t, { authority });
  const online = { byName: () => undefined, heldFor: () => undefined, matching: () => [] };
  const streams = new Streams(new SourceShares(), DEFAULT_LIMITS);
  const log = pino({ level: 'silent' });
  const start = (host: string, at: number): Promise<unknown> =>
    new FrontDoor({
      listen: { host, port: at },
      sites: new SiteTable({ online }),
      services: new Map(),
      certificates: { certificateFor: () => Promise.reject(new Error('unused')) },
      ticketKeys: ownTicketKeys(),
      http: { serve: () => null, plainHttpRefusal: () => Buffer.alloc(0) },
      pipes: new Pipes({ streams, stallMs: 1_000, observe: null, now: () => 0 }),
      log,
      loadBalancers: noLoadBalancers,
      awaited: new AwaitedTunnels(() => performance.now()),
      connections: new OpenConnections(defaultBounds, log, undefined),
    }).start();
  await assert.rejects(
    start('127.0.0.1', port),
    (error: unknown) => error instanceof ListenError && error.code === 'EADDRINUSE' && error.port === port,
  );
  await assert.rejects(start('192.0.2.1', 0), { code: 'EADDRNOTAVAIL', address: '192.0.2.1' });
});

test('closing lets a connection end by itself, and ends it after the deadline', async (t) => {
  const documents = [response, terminated('edgtls_1', ['a.example.com'])];
  const first = await openDoor(t, { authority, documents });
  const silent = rawClient(t, first.port);
  await once(silent, 'connect');
  const socket = first.connect('a.example.com');
  await firstLine(socket);
  const closed = first.door.close(60_000);
  await everything(silent);
  socket.end('last words');
  assert.equal((await everything(socket)).toString(), 'last words');
  await closed;
  await assert.rejects(first.greeting('a.example.com'), { code: 'ECONNREFUSED' });

  const second = await openDoor(t, { authority, documents });
  const stays = second.connect('a.example.com');
  await firstLine(stays);
  await Promise.all([second.door.close(20), everything(stays)]);
});

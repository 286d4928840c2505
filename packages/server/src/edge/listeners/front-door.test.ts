import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { before, test } from 'node:test';
import type tls from 'node:tls';
import { pino } from 'pino';
import { missingPrograms } from '../../../../../test/harness/missing.ts';
import type { ConnectionAddresses } from '../../core/ip/client-address.ts';
import type { LocalAuthority } from '../../pki/local-authority.ts';
import { ownTicketKeys } from '../../pki/ticket-keys.fixture.ts';
import { ListenError } from '../../system/listen.ts';
import { SourceShares } from '../backends/source-shares.ts';
import { Streams } from '../backends/streams.ts';
import { Pipes } from '../bytes/pipes.ts';
import { SiteTable } from '../compile/site-table.ts';
import { atEdge, edgeDocument } from '../documents.fixture.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import { AwaitedTunnels } from './awaited-tunnels.ts';
import {
  everything,
  firstLine,
  openAuthority,
  openDoor,
  rawClient,
  response,
  terminated,
} from './front-door.fixture.ts';
import { FrontDoor } from './front-door.ts';
import { noLoadBalancers } from './load-balancers.fixture.ts';
import { defaultBounds, OpenConnections } from './open-connections.ts';

let authority: LocalAuthority;
before(async () => {
  authority = await openAuthority();
});

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
        serve: (socket: tls.TLSSocket, { clientAddr }: ConnectionAddresses) =>
          void socket.end(`api ${clientAddr}\n`),
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

test('any spelling of a name reaches the same edge, among more than a hundred', {
  skip: missingPrograms('openssl'),
}, async (t) => {
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

test('a port in use, a foreign address and an unknown host are errors with a code', async (t) => {
  const { port } = await openDoor(t, { authority });
  const online = { byName: () => undefined, onNamed: () => {}, heldFor: () => undefined, matching: () => [] };
  const streams = new Streams(new SourceShares(), DEFAULT_LIMITS);
  const log = pino({ level: 'silent' });
  const start = (host: string, at: number): Promise<unknown> =>
    new FrontDoor({
      listen: { host, port: at },
      sites: new SiteTable({ online }),
      services: new Map(),
      certificates: { certificateFor: () => Promise.reject(new Error('unused')) },
      ticketKeys: ownTicketKeys(),
      challenges: null,
      http: { serve: () => null, own: { error: () => Buffer.alloc(0) } },
      pipes: new Pipes({ streams, stallMs: 1_000, halfClosedMs: 1_000, observe: null, now: () => 0 }),
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

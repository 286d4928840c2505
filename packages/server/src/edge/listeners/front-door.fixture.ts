/** A front door on a free port, with everything around it that the tests of this folder and of bytes/ need. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import tls from 'node:tls';
import { ErrorCode, MuxSession, type MuxStream, type ProxyHeader, readProxyHeader } from '@underpass/wire';
import { pino } from 'pino';
import { socketPair } from '../../../../../test/harness/socket-pair.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import type { DocumentOfKind, TlsTerminationModule } from '../../documents/index.ts';
import { documentsIn } from '../../documents/store.ts';
import type { TunnelHandle } from '../../online/online.ts';
import { labelledFacts } from '../../online/tunnels.fixture.ts';
import type { CertificateSource } from '../../pki/certificate-source.ts';
import { LocalAuthority } from '../../pki/local-authority.ts';
import { LocalCertificates } from '../../pki/local-certificates.ts';
import { Sealer } from '../../pki/seal.ts';
import { ownTicketKeys } from '../../pki/ticket-keys.fixture.ts';
import { openSqliteStore } from '../../store/sqlite/store.ts';
import { MuxCarrier } from '../../tunnels/mux-carrier.ts';
import { Tunnel } from '../../tunnels/tunnel.ts';
import { SourceShares } from '../backends/source-shares.ts';
import { Streams } from '../backends/streams.ts';
import { WaitingRoom } from '../backends/waiting-room.ts';
import { Pipes } from '../bytes/pipes.ts';
import { SiteTable } from '../compile/site-table.ts';
import { atEdge, backedBy, edgeDocument, responseDocument } from '../documents.fixture.ts';
import type { HttpConnection } from '../http/http-connection.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import type { ExchangeRecord } from '../sites/exchange-record.ts';
import type { AcmeChallenges } from './acme-challenges.ts';
import { AwaitedTunnels } from './awaited-tunnels.ts';
import { FrontDoor, type FrontDoorLimits, type Service } from './front-door.ts';
import { noLoadBalancers } from './load-balancers.fixture.ts';
import type { LoadBalancers } from './load-balancers.ts';
import { type ConnectionBounds, defaultBounds, OpenConnections } from './open-connections.ts';

/** The tests' local CA; its store is not needed once it is open. */
export async function openAuthority(): Promise<LocalAuthority> {
  const directory = await mkdtemp(join(tmpdir(), 'front-door-'));
  const store = documentsIn(await openSqliteStore({ path: join(directory, 'test.db') }));
  const sealer = new Sealer(randomBytes(32));
  const authority = await LocalAuthority.load({ store, sealer, now: Date.now, name: 'Test CA' });
  await store.close();
  await rm(directory, { recursive: true });
  return authority;
}

/** Response of the edges of `terminated`. */
export const response = responseDocument('bkdhr_1', 'hello');

/** A TLS edge that ends TLS at these names. */
export function terminated(
  id: string,
  hostnames: readonly string[],
  min_version: TlsTerminationModule['min_version'] = '',
): DocumentOfKind<'tls_edge'> {
  return edgeDocument(id, hostnames, {
    backend: backedBy(response.id),
    tls_termination: { ...atEdge, min_version },
  });
}

/** Documents that a route table follows. */
export type TestDocument = Parameters<SiteTable['reset']>[0][number];

/** Issues a certificate for each name. */
export function certificatesOf(authority: Pick<LocalAuthority, 'issue'>): CertificateSource {
  const local = new LocalCertificates({ authority, now: Date.now });
  return {
    certificateFor: (name, owner) => local.certificateOf({ name, owner, charged: null }),
  };
}

export interface TestDoor {
  readonly port: number;
  readonly door: FrontDoor;
  readonly connections: OpenConnections;
  readonly table: SiteTable;
  readonly streams: Streams;
  readonly pipes: Pipes;
  /** Tunnels that every tunnel group matches. */
  readonly tunnels: TunnelHandle[];
  /** Connections that the HTTP engine was handed. */
  readonly handed: HttpConnection[];
  /** Records of connections that carried bytes and have ended. */
  readonly observed: ExchangeRecord[];
  connect(servername: string, options?: tls.ConnectionOptions): tls.TLSSocket;
  /** Returns the first line of the other side after the handshake. Rejects with the client's error. */
  greeting(servername: string, options?: tls.ConnectionOptions): Promise<string>;
}

export interface TestDoorOptions {
  readonly authority: LocalAuthority;
  readonly documents?: readonly TestDocument[];
  readonly services?: ReadonlyMap<string, Service>;
  readonly limits?: Partial<
    FrontDoorLimits & ConnectionBounds & { readonly stallMs: number; readonly halfClosedMs: number }
  >;
  readonly certificates?: CertificateSource;
  readonly challenges?: AcmeChallenges;
  readonly loadBalancers?: LoadBalancers;
  /** Milliseconds since 1970, for what changes each day. */
  readonly today?: () => number;
  /** Streams that the visitors of all addresses have together. */
  readonly streamsOfAgent?: number;
  /** Milliseconds for which a connection waits for a stream; default 0. */
  readonly waitMs?: number;
}

/** Opens a door whose engine sends the name and the termination of each connection, then echoes. */
export async function openDoor(t: TestContext, options: TestDoorOptions): Promise<TestDoor> {
  const { authority } = options;
  const tunnels: TunnelHandle[] = [];
  const table = new SiteTable({
    online: { byName: () => undefined, onNamed: () => {}, heldFor: () => undefined, matching: () => tunnels },
  });
  table.reset(options.documents ?? []);
  const handed: HttpConnection[] = [];
  const observed: ExchangeRecord[] = [];
  const waiting = new WaitingRoom({ waitMs: options.waitMs ?? 0 });
  const streams = new Streams(new SourceShares(options.streamsOfAgent), DEFAULT_LIMITS, waiting);
  const pipes = new Pipes({
    streams,
    stallMs: options.limits?.stallMs ?? 300_000,
    halfClosedMs: options.limits?.halfClosedMs ?? 30_000,
    observe: (record) => observed.push(record),
    now: () => performance.now(),
  });
  table.onChange(() => pipes.recheck(null));
  const log = pino({ level: 'silent' });
  const connections = new OpenConnections({ ...defaultBounds, ...options.limits }, log, undefined);
  const door = new FrontDoor({
    listen: { host: '127.0.0.1', port: 0 },
    sites: table,
    services: (options.services ?? new Map()) as ReadonlyMap<Hostname, Service>,
    certificates: options.certificates ?? certificatesOf(authority),
    ticketKeys: ownTicketKeys(options.today),
    challenges: options.challenges ?? null,
    http: {
      serve(socket, connection) {
        handed.push(connection);
        socket.write(`${connection.facts.serverName} ${connection.negotiated?.key}\n`);
        socket.pipe(socket);
        return null;
      },
      own: { error: (name, _values, { method }) => Buffer.from(`${name}: no ${method} here\n`) },
    },
    pipes,
    loadBalancers: options.loadBalancers ?? noLoadBalancers,
    awaited: new AwaitedTunnels(() => performance.now()),
    connections,
    log,
    ...(options.limits === undefined ? {} : { limits: options.limits }),
  });
  const { port } = await door.start();
  t.after(() => door.close(0));
  const connect = (servername: string, more: tls.ConnectionOptions = {}): tls.TLSSocket => {
    const socket = tls.connect({
      host: '127.0.0.1',
      port,
      servername,
      ca: authority.certificatePem,
      ...more,
    });
    t.after(() => void socket.destroy());
    return socket;
  };
  return {
    port,
    door,
    connections,
    table,
    streams,
    pipes,
    tunnels,
    handed,
    observed,
    connect,
    greeting: (servername, more) => firstLine(connect(servername, more)),
  };
}

export async function firstLine(socket: net.Socket): Promise<string> {
  let text = '';
  while (!text.includes('\n')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    text += chunk.toString('latin1');
  }
  return text.slice(0, text.indexOf('\n'));
}

/** A plain TCP client of the door. */
export function rawClient(t: TestContext, port: number, from = '127.0.0.1'): net.Socket {
  const to = { host: '127.0.0.1', port, localAddress: from };
  const socket = net.connect({ ...to, allowHalfOpen: true, noDelay: true });
  t.after(() => void socket.destroy());
  return socket;
}

/** Everything that the other side sends until it ends; a reset ends it too. */
export async function everything(socket: net.Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = Promise.withResolvers<void>();
  if (socket.readableEnded || socket.destroyed) ended.resolve();
  socket.once('error', () => ended.resolve());
  socket.once('close', () => ended.resolve());
  socket.once('end', () => ended.resolve());
  await ended.promise;
  return Buffer.concat(chunks);
}

export interface TestAgent {
  readonly tunnel: Tunnel;
  readonly headers: ProxyHeader[];
  /** The service's side. */
  readonly session: MuxSession;
  /** Ends its session. */
  readonly lose: () => void;
}

/** An agent over a real connection; `accept` gets each proxied stream, behind its header. */
export async function openAgent(
  t: TestContext,
  accept: (stream: MuxStream, header: ProxyHeader) => void,
): Promise<TestAgent> {
  const [dialled, accepted] = await socketPair(t);
  const headers: ProxyHeader[] = [];
  new MuxSession(dialled, {
    role: 'client',
    closed: () => {},
    accept: (_type, stream) =>
      readProxyHeader(stream, (header) => {
        headers.push(header);
        stream.acknowledge();
        accept(stream, header);
      }),
  });
  const session = new MuxSession(accepted, {
    role: 'server',
    closed: () => tunnel.goOffline(),
    accept: () => assert.fail(),
  });
  const silence = { isSuspect: false, expect() {} };
  const uptime = () => 0;
  const carrier = new MuxCarrier({
    mux: session,
    silence,
    errorPrefix: '',
    registerMs: 0,
    hidesDials: false,
    capacity: null,
    uptime,
    reports: null,
  });
  const facts = labelledFacts({ id: `tn_${headers.length}` });
  const tunnel = new Tunnel(carrier, uptime, {
    facts,
    modules: {},
    termination: null,
    boundAt: 0,
    grant: null,
  });
  return { tunnel, headers, session, lose: () => session.goAway(ErrorCode.none) };
}

/**
 * A real ingress behind real TLS sockets on a real store, and agents that speak the protocol from the other side, for
 * tests.
 */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import {
  answer,
  call,
  ErrorCode,
  echoHeartbeat,
  field,
  MuxSession,
  type MuxStream,
  noopHandler,
  type ProxyHeader,
  readProxyHeader,
  StreamType,
} from '@underpass/wire';
import { type Logger, pino } from 'pino';
import { timeoutMs } from '../../../../test/harness/timeouts.ts';
import { until } from '../../../../test/harness/until.ts';
import { IpRestrictions } from '../access/ip-restrictions.ts';
import { hashToken, mintSecret, tokenOf } from '../access/tokens.ts';
import { addressesOf } from '../core/ip/client-address.ts';
import { type Hostname, type HostPattern, isFault, parseHostname } from '../core/names/hostname.ts';
import type { Region } from '../core/names/region.ts';
import type { PortRange } from '../core/settings.ts';
import type {
  CredentialDocument,
  DocumentStore,
  EdgeHostport,
  HttpsEdgeDocument,
  TlsEdgeDocument,
} from '../documents/index.ts';
import { documentsIn } from '../documents/store.ts';
import { LocalAuthority } from '../pki/local-authority.ts';
import { Sealer } from '../pki/seal.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import type { JsonObject } from '../store/store.ts';
import { Ingress } from './ingress.ts';
import type { DirectoryOptions } from './ingress-options.ts';
import type { IngressLimits } from './limits.ts';
import type { SessionObserver } from './live-session.ts';

export { until };

export const domain = hostname('underpass.localhost');
export const publicPort = 8443;

export interface TestCredential {
  readonly id: string;
  readonly account: string;
  readonly token: string;
}

export interface WorldOptions {
  readonly limits?: Partial<IngressLimits>;
  readonly uptime?: () => number;
  readonly plainPort?: number;
  readonly tcpPorts?: PortRange;
  readonly isPortFree?: (port: number) => boolean;
  readonly region?: Region;
  /** Default `domain`. */
  readonly sharedDomain?: Hostname;
  /** Absent: it is the only daemon. */
  readonly directory?: DirectoryOptions;
  readonly observer?: SessionObserver;
}

export function hostname(text: string): Hostname {
  const name = parseHostname(text);
  assert.ok(!isFault(name));
  return name;
}

export function pattern(text: string): HostPattern {
  return text as HostPattern;
}

/** Data of a visitor's connection, as the edge sends it. */
export const visitor = {
  clientAddr: '203.0.113.7:4711',
  serverAddr: '198.51.100.1:443',
  proto: 'https',
  edgeType: '0',
  passthroughTls: false,
} as const;

/** The digits of the code on the last line of an error text, '' for no error. */
export function codeOf(answer: unknown): string {
  const text = field(answer, 'Error');
  assert.equal(typeof text, 'string');
  return numberIn(text as string);
}

export function numberIn(text: string): string {
  return text === '' ? '' : (/\nERR_TEST_(\d+)$/.exec(text)?.[1] ?? `no code: ${text}`);
}

export class World {
  readonly store: DocumentStore;
  ingress: Ingress;
  /** Lines of the log, from warnings up. */
  readonly warnings: string[];
  /** PEM of the authority that signed the certificate of the ingress. */
  authorityPem = '';
  readonly #deps: IngressDeps;
  readonly #options: WorldOptions;
  readonly #dir: string;
  readonly #server: ReturnType<typeof createServer>;
  readonly #agents: TestAgent[] = [];
  readonly #served = new Set<number | undefined>();

  static async create(options: WorldOptions = {}): Promise<World> {
    const dir = await mkdtemp(join(tmpdir(), 'ingress-'));
    const store = documentsIn(await openSqliteStore({ path: join(dir, 'test.db') }));
    const sealer = new Sealer(Buffer.alloc(32, 7));
    const authority = await LocalAuthority.load({ store, sealer, now: Date.now, name: 'Test' });
    const { certificatePem, privateKeyPem } = await authority.issue(hostname(`connect.${domain}`));
    const server = createServer({ cert: certificatePem, key: privateKeyPem });
    const warnings: string[] = [];
    const log = pino({ level: 'warn' }, { write: (line) => void warnings.push(line) });
    const bindTokenKey = sealer.derive('bind-token');
    const deps = { store, bindTokenKey, log, restrictions: await IpRestrictions.start({ store, log }) };
    const ingress = await startIngress(deps, options);
    const world = new World(options, dir, deps, warnings, server, ingress);
    world.authorityPem = authority.certificatePem;
    server.on('secureConnection', (socket: TLSSocket) => {
      world.#served.add(socket.remotePort);
      world.ingress.serve(socket, addressesOf(socket)!);
    });
    server.on('tlsClientError', () => {});
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return world;
  }

  private constructor(
    options: WorldOptions,
    dir: string,
    deps: IngressDeps,
    warnings: string[],
    server: ReturnType<typeof createServer>,
    ingress: Ingress,
  ) {
    this.#options = options;
    this.#dir = dir;
    this.#deps = deps;
    this.store = deps.store;
    this.warnings = warnings;
    this.#server = server;
    this.ingress = ingress;
  }

  /**
   * Works like a restart of the daemon, with optional other options: online state is lost, the store and the master
   * key stay.
   */
  async restart(changed: WorldOptions = {}): Promise<void> {
    await this.ingress.close(1_000);
    this.ingress = await startIngress(this.#deps, { ...this.#options, ...changed });
  }

  async stop(): Promise<void> {
    for (const agent of this.#agents) agent.socket.destroy();
    await this.ingress.close(1_000);
    this.#server.close();
    await this.#deps.restrictions.stop();
    await this.store.close();
    await rm(this.#dir, { recursive: true });
  }

  async connect(): Promise<TestAgent> {
    const { port } = this.#server.address() as AddressInfo;
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: `connect.${domain}`,
      rejectUnauthorized: false,
    });
    socket.on('error', () => {});
    await once(socket, 'secureConnect');
    // The handshake ends later on the other side.
    const { localPort } = socket;
    await until(() => this.#served.has(localPort), 'the ingress has the connection');
    const agent = new TestAgent(socket);
    this.#agents.push(agent);
    return agent;
  }

  /** An agent whose Auth succeeded. */
  async login(credential: TestCredential, extra: Record<string, unknown> = {}): Promise<TestAgent> {
    const agent = await this.connect();
    const response = await agent.auth(credential.token, extra);
    assert.equal(field(response, 'Error'), '');
    return agent;
  }

  async account(name = 'acme'): Promise<string> {
    return this.insert('account', 'ac', 'system', { name });
  }

  async credential(
    account: string,
    acl: readonly string[] = [],
    owner: string | null = null,
  ): Promise<TestCredential> {
    const user = { name: 'u', email: 'u@example.com', role: 'admin', active: true };
    const owner_id = owner ?? (await this.insert('user', 'usr', account, user));
    const secret = mintSecret();
    const body = (id: string): JsonObject => ({
      description: '',
      metadata: '',
      token_hash: hashToken(tokenOf(id, secret)),
      owner_id,
      acl,
    });
    const id = await this.insert('credential', 'cr', account, body);
    return { id, account, token: tokenOf(id, secret) };
  }

  async setRules(credential: TestCredential, acl: CredentialDocument['acl']): Promise<void> {
    await this.replace(credential.id, (body) => ({ ...body, acl }));
  }

  reserve(account: string, name: string): Promise<string> {
    const body = { description: '', metadata: '', domain: name, region: 'us', cname_target: '' };
    return this.insert('reserved_domain', 'rd', account, body);
  }

  edge(account: string, names: readonly string[]): Promise<string> {
    const body: TlsEdgeDocument = {
      description: '',
      metadata: '',
      hostports: names.map(hostportOf),
      backend: null,
      ip_restriction: null,
      mutual_tls: null,
      tls_termination: null,
    };
    return this.insert('tls_edge', 'edgtls', account, body);
  }

  httpsEdge(account: string, names: readonly string[]): Promise<string> {
    const body: HttpsEdgeDocument = {
      description: '',
      metadata: '',
      hostports: names.map(hostportOf),
      mutual_tls: null,
      tls_termination: null,
    };
    return this.insert('https_edge', 'edghts', account, body);
  }

  async insert(
    kind: string,
    prefix: string,
    account: string,
    body: JsonObject | ((id: string) => JsonObject),
  ): Promise<string> {
    let id = '';
    await this.store.write((newId) => {
      id = newId(prefix);
      const content = typeof body === 'function' ? body(id) : body;
      return [{ op: 'insert', id, account, kind, parent: null, body: content, links: [], names: [] }];
    });
    return id;
  }

  async replace(id: string, change: (body: JsonObject) => JsonObject): Promise<void> {
    const document = await this.store.get(id);
    assert.ok(document !== null);
    const { revision, body } = document;
    await this.store.write(() => [{ op: 'replace', id, revision, body: change(body), links: [], names: [] }]);
  }

  async remove(id: string): Promise<void> {
    const document = await this.store.get(id);
    assert.ok(document !== null);
    await this.store.write(() => [{ op: 'delete', id, revision: document.revision }]);
  }
}

interface IngressDeps {
  readonly store: DocumentStore;
  readonly bindTokenKey: Buffer;
  readonly log: Logger;
  readonly restrictions: IpRestrictions;
}

function startIngress(deps: IngressDeps, options: WorldOptions): Promise<Ingress> {
  const shared = options.sharedDomain ?? domain;
  const baseUrl = `https://api.${shared}:${publicPort}`;
  return Ingress.start({
    ...deps,
    settings: {
      plainPort: options.plainPort ?? null,
      tcpPorts: options.tcpPorts ?? { first: 20_000, last: 20_099 },
      domain: shared,
      publicPort,
      region: options.region ?? 'us',
      nodeName: '',
      errorPrefix: 'ERR_TEST_',
      errorCodeHeader: 'error-code',
      oauthClients: new Map(),
      baseUrl,
      consoleHost: null,
    },
    version: '9.9.9',
    ...(options.limits === undefined ? {} : { limits: options.limits }),
    ...(options.isPortFree === undefined ? {} : { isPortFree: options.isPortFree }),
    ...(options.uptime === undefined ? {} : { uptime: options.uptime }),
    ...(options.directory === undefined ? {} : { directory: options.directory }),
    ...(options.observer === undefined ? {} : { observer: options.observer }),
  });
}

/** The agent's side of a session, spoken by hand. */
export class TestAgent {
  readonly socket: TLSSocket;
  readonly mux: MuxSession;
  readonly stopped: { Id: string; Message: string; ErrorCode: string }[] = [];
  readonly proxied: ProxyHeader[] = [];
  /** Requests of the service to the agent itself. A response of undefined leaves the request open. */
  readonly asked: [StreamType, unknown][] = [];
  reply: unknown = { Error: '' };
  /** If true, such streams are reset. */
  refuses = false;
  /** If false, the agent does not respond to stopped tunnels. */
  answersStops = true;
  beats = 0;
  /** Number of proxied streams that it ends without a byte, as agents do before they know a tunnel. */
  turnsAway = 0;
  /** If false, heartbeats of the service are not echoed. */
  echoes = true;
  readonly closed: Promise<{ readonly code: ErrorCode; readonly debug: string }>;

  constructor(socket: TLSSocket) {
    this.socket = socket;
    const { promise, resolve } = Promise.withResolvers<{ code: ErrorCode; debug: string }>();
    this.closed = promise;
    this.mux = new MuxSession(socket, {
      role: 'client',
      accept: (type, stream) => this.#accept(type, stream),
      closed: resolve,
    });
  }

  #accept(type: number, stream: MuxStream): void {
    if (type === StreamType.heartbeat) {
      this.beats += 1;
      echoHeartbeat(stream);
      const echoing = stream.handler;
      const data = (chunk: Buffer): void => {
        if (this.echoes) echoing.data(chunk);
      };
      stream.handler = { ...echoing, data };
    } else if (type === StreamType.stopTunnel) {
      answer(stream, (request) => {
        this.stopped.push(request as (typeof this.stopped)[number]);
        return this.answersStops ? {} : new Promise(() => {});
      });
    } else if (type === StreamType.restart || type === StreamType.stop || type === StreamType.update) {
      if (this.refuses) stream.reset(ErrorCode.streamRefused);
      else answer(stream, (request) => this.#asked(type, request));
    } else if (type === StreamType.proxy) {
      readProxyHeader(stream, (header) => {
        this.proxied.push(header);
        if (this.turnsAway > 0) {
          this.turnsAway -= 1;
          stream.handler = noopHandler;
          stream.end();
          return;
        }
        stream.handler = {
          data: (chunk) => stream.write(Buffer.from(chunk)),
          end: () => stream.end(),
          drain() {},
          close() {},
        };
      });
    }
  }

  #asked(type: StreamType, request: unknown): unknown {
    this.asked.push([type, request]);
    return this.reply === undefined ? new Promise(() => {}) : this.reply;
  }

  request(type: StreamType, body: unknown): Promise<Record<string, unknown>> {
    return call(this.mux, type, body, timeoutMs(5_000));
  }

  auth(
    token: string,
    extra: Record<string, unknown> = {},
    top: Record<string, unknown> = {},
  ): Promise<Record<string, unknown>> {
    return this.request(StreamType.auth, {
      Version: ['3', '2'],
      ClientId: '',
      Extra: { OS: 'linux', Arch: 'amd64', Authtoken: token, Version: '1.2.3', ...extra },
      ...top,
    });
  }

  bind(
    opts: Record<string, unknown> = {},
    extra: Record<string, unknown> = {},
    top: Record<string, unknown> = {},
  ): Promise<Record<string, unknown>> {
    return this.request(StreamType.bind, {
      Id: '',
      Proto: 'https',
      ForwardsTo: 'http://localhost:3000',
      ForwardsProto: '',
      Opts: opts,
      Extra: extra,
      ...top,
    });
  }

  label(labels: Record<string, unknown>): Promise<Record<string, unknown>> {
    return this.request(StreamType.startTunnelWithLabel, {
      Labels: labels,
      ForwardsTo: 'http://localhost:3000',
      ForwardsProto: '',
      Metadata: 'm',
    });
  }
}

function hostportOf(name: string): EdgeHostport {
  return {
    hostname: pattern(name),
    port: 443,
    endpoint_id: 'ep_x',
    created_at: '2026-01-01T00:00:00Z',
    domain_id: 'rd_x',
  };
}

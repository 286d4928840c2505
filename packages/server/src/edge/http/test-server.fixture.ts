/**
 * A server for the tests of this folder: the engine behind a real TLS listener, with a real agent session and the
 * test's upstream.
 */

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import net, { type AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import tls from 'node:tls';
import {
  ErrorCode,
  encodeProxyHeader,
  MuxSession,
  type MuxStream,
  noopHandler,
  OPEN_LIMIT,
  readProxyHeader,
  StreamType,
  toDuplex,
} from '@underpass/wire';
import { selfSigned } from '../../../../../test/harness/make-certificate.ts';
import { socketPair } from '../../../../../test/harness/socket-pair.ts';
import { ConditionVariable } from '../../../../../test/harness/until.ts';
import { addressesOf, ipOf, sourceKey } from '../../core/ip/client-address.ts';
import { defaultUserHeaders } from '../../core/modules/user-headers.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import type { ProxyConnection, TunnelHandle } from '../../online/online.ts';
import { labelledFacts, tunnelOf } from '../../online/tunnels.fixture.ts';
import { carriedBy } from '../../system/silent-visitors.ts';
import { httpResponseBackend } from '../backends/http-response-backend.ts';
import { SourceShares } from '../backends/source-shares.ts';
import { Streams } from '../backends/streams.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import { tunnelGroupBackend } from '../backends/tunnel-group-backend.ts';
import { WaitingRoom } from '../backends/waiting-room.ts';
import { groupDocument, responseDocument } from '../documents.fixture.ts';
import { alpnList } from '../listeners/alpn-list.ts';
import { connectionFacts } from '../listeners/connection-facts.ts';
import type { BodyRecordings } from '../sites/body-recording.ts';
import type { ExchangeRecord, Recorded } from '../sites/exchange-record.ts';
import type { Backend, ExplainedBackend, Route, Site, TlsPolicy } from '../sites/site.ts';
import { HttpEdge } from './edge.ts';
import { DEFAULT_LIMITS, type HttpLimits } from './limits.ts';
import type { ExpectedAgents } from './shared.ts';

export const NAME = 'app.example.com' as Hostname;

const { pem: cert, key } = selfSigned(NAME);

function listen(server: net.Server): Promise<number> {
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port)),
  );
}

/** One agent: a mux session over a real socket, whose proxy streams go to `serve`. */
export interface Agent {
  readonly tunnel: TunnelHandle;
  /** Streams that the edge opened, with their descriptions. */
  readonly opened: ProxyConnection[];
  readonly agentSession: MuxSession;
  goOffline(): void;
  /** The tunnel is no more, and its session goes on; requests under way may finish for so long. */
  unbind(finishMs?: number): void;
}

/** Action of the agent on a proxied stream. */
export type Serve = (stream: MuxStream) => void;

/** Forwards to a TCP port, as agents do: a refused connection resets the stream. */
export function forwardTo(port: number): Serve {
  return (stream) => {
    const upstream = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    const duplex = toDuplex(stream);
    duplex.on('error', () => upstream.destroy());
    duplex.on('close', () => upstream.destroy());
    upstream.on('error', () => stream.reset(ErrorCode.streamRefused));
    upstream.on('connect', () => duplex.pipe(upstream).pipe(duplex));
  };
}

/** Answers by hand: `onData` gets everything that came so far on one stream. */
export function byHand(onData: (stream: MuxStream, soFar: string, index: number) => void): Serve {
  let streams = 0;
  return (stream) => {
    const index = streams;
    streams += 1;
    let soFar = '';
    stream.handler = {
      ...noopHandler,
      data(chunk) {
        soFar += chunk.toString('latin1');
        onData(stream, soFar, index);
      },
    };
  };
}

/** Answers each request head with the same bytes. */
export function always(answer: string): Serve {
  return byHand((stream, soFar) => {
    if (soFar.endsWith('\r\n\r\n')) stream.write(Buffer.from(answer, 'latin1'));
  });
}

/** Node hands all of these on, and its types do not know of it. */
export interface ClientOptions extends tls.ConnectionOptions {
  readonly localAddress?: string;
  readonly allowHalfOpen?: boolean;
}

export interface TestServer {
  readonly edge: HttpEdge;
  readonly streams: Streams;
  readonly port: number;
  /** Sites by name; `NAME` leads to the first agent. */
  readonly sites: Map<string, Site>;
  readonly agents: Agent[];
  readonly observed: ExchangeRecord[];
  readonly failures: unknown[];
  readonly group: TunnelHandle[];
  agent(serve: Serve, streams?: number): Promise<Agent>;
  connect(options?: ClientOptions): Promise<Client>;
  /** Advances the clock and checks the deadlines. */
  pass(ms: number): void;
}

export async function startTestServer(
  t: TestContext,
  serve: Serve = always('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'),
  options: {
    limits?: Partial<HttpLimits>;
    backend?: Backend;
    /** The backend is a group of `group`. */
    isGroup?: boolean;
    streamsOfAgent?: number;
    /** Milliseconds for which a request waits for a stream; default 0. */
    waitMs?: number;
    /** True if the upstream of the first agent speaks HTTP/2. */
    speaksHttp2?: boolean;
    /** Default: all. */
    recorded?: (account: string) => Recorded;
    recordings?: BodyRecordings;
    expected?: ExpectedAgents;
    isIsolated?: () => boolean;
  } = {},
): Promise<TestServer> {
  let time = 0;
  const sites = new Map<string, Site>();
  const agents: Agent[] = [];
  const observed: ExchangeRecord[] = [];
  const failures: unknown[] = [];
  const group: TunnelHandle[] = [];
  const sockets = new Set<net.Socket>();
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const waiting = new WaitingRoom({ waitMs: options.waitMs ?? 0 });
  const streams = new Streams(new SourceShares(options.streamsOfAgent), limits, waiting);
  if (options.isIsolated !== undefined) streams.isIsolated = options.isIsolated;
  const edge = new HttpEdge({
    sites: { lookup: (hostname) => sites.get(hostname) },
    streams,
    errorPrefix: 'ERR_TEST_',
    errorCodeHeader: 'underpass-error-code',
    userHeaders: defaultUserHeaders,
    publicPort: 8443,
    domain: 'shared.test' as Hostname,
    now: () => time,
    observe: (record) => observed.push(record),
    recorded: options.recorded ?? (() => 'heads'),
    ...(options.recordings === undefined ? {} : { recordings: options.recordings }),
    log: { error: (fields: object) => failures.push(fields) } as never,
    ...(options.expected === undefined ? {} : { expected: options.expected }),
    limits,
  });
  const secureContext = tls.createSecureContext({ cert, key });
  // As the front door does it: TLS begins on a socket that was accepted as plain TCP.
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const ALPNProtocols = alpnList(['h2', 'http/1.1', 'http/1.0']);
    const secured = new tls.TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols });
    secured.on('error', () => {});
    carriedBy(secured, socket);
    secured.once('secure', () => {
      const facts = connectionFacts(secured, addressesOf(secured)!, NAME);
      const source = sourceKey(ipOf(facts.clientAddr));
      const isHttp2 = secured.alpnProtocol === 'h2';
      edge.serve(secured, { facts, source, negotiated: policy, isHttp2 });
    });
  });
  const port = await listen(server);

  const testServer: TestServer = {
    edge,
    streams,
    port,
    sites,
    agents,
    observed,
    failures,
    group,
    async agent(how, streams) {
      const agent = await startAgent(t, how, streams, `ts_${agents.length}`, (options.waitMs ?? 0) > 0);
      agents.push(agent);
      return agent;
    },
    connect: (given) => Client.open(t, port, given),
    pass(ms) {
      time += ms;
      edge.sweep();
    },
  };
  const agent = await testServer.agent(serve, options.streamsOfAgent);
  const { speaksHttp2 = false } = options;
  const tunnel = speaksHttp2 ? Object.assign(agent.tunnel, { speaksHttp2 }) : agent.tunnel;
  const backend = options.backend ?? (options.isGroup === true ? groupOf(group) : tunnelBackend(tunnel));
  sites.set(NAME, siteOf(backend));
  t.after(async () => {
    await edge.close(0);
    for (const socket of sockets) socket.destroy();
    server.close();
    assert.deepEqual(failures, []);
  });
  return testServer;
}

/** The policy of the clients' handshakes. */
export const policy: TlsPolicy = { key: 'k1', minVersion: 'TLSv1.2', clientAuthorities: null };

/** Creates a site with one route to the backend, changed by `parts`. */
export function siteOf(backend: Backend, parts: Partial<Route> = {}, changes: Partial<Site> = {}): Site {
  const route: Route = {
    id: 'ep_test',
    refusal: null,
    guards: [],
    bodyGuards: [],
    isGuarded: false,
    readsRequest: false,
    requestEdits: [],
    responseEdits: [],
    bodyStages: [],
    watches: [],
    converter: null,
    backend,
    ...parts,
  };
  return {
    id: 'ep_test',
    account: 'ac_1',
    edgeType: '0',
    tls: policy,
    carries: 'http',
    routesByPath: false,
    route: () => route,
    ...changes,
  };
}

export function fixedBackend(body: string, status = 200): ExplainedBackend {
  const document = responseDocument('bkdhr_1', body, { 'x-made': 'here' });
  return httpResponseBackend({ ...document, body: { ...document.body, status_code: status } });
}

/** A group that all of these tunnels belong to, as many as there are at each moment. */
export function groupOf(tunnels: readonly TunnelHandle[]): ExplainedBackend {
  const dialler = { dial: () => null, refusalOf: () => null };
  const context = {
    online: { matching: () => tunnels },
    dialler,
    random: Math.random,
    child: () => assert.fail(),
  };
  return tunnelGroupBackend(groupDocument('bkdtg_1', { app: 'web' }), context);
}

async function startAgent(
  t: TestContext,
  serve: Serve,
  streams = OPEN_LIMIT,
  name: string,
  refusesForNow: boolean,
): Promise<Agent> {
  const opened: ProxyConnection[] = [];
  const offline = new AbortController();
  const finish = { ms: 0 };
  const [far, near] = await socketPair(t);
  const agentSession = new MuxSession(far, {
    role: 'client',
    closed() {},
    accept: (_type, stream) => readProxyHeader(stream, () => serve(stream)),
  });
  const session = new MuxSession(near, {
    role: 'server',
    closed: () => offline.abort(),
    accept: (_type, stream) => stream.reset(ErrorCode.streamRefused),
  });
  t.after(() => session.goAway(ErrorCode.none));
  const tunnel: TunnelHandle = {
    // Each is of an agent of its own.
    ...tunnelOf(labelledFacts({ id: 'tn_test', session: name, clientId: randomUUID() })),
    closed: offline.signal,
    get finishMs() {
      return finish.ms;
    },
    refusesForNow,
    open(connection: ProxyConnection): MuxStream | null {
      if (session.streamCount >= streams) return null;
      const header = encodeProxyHeader({
        Id: 'bind',
        ClientAddr: connection.clientAddr,
        Proto: connection.proto,
        EdgeType: connection.edgeType,
        PassthroughTLS: connection.passthroughTls,
      });
      const stream = session.open(StreamType.proxy, noopHandler, header);
      if (stream !== null) opened.push(connection);
      return stream;
    },
  };
  return {
    tunnel,
    opened,
    agentSession,
    goOffline: () => session.goAway(ErrorCode.none),
    unbind(finishMs = 0) {
      finish.ms = finishMs;
      offline.abort();
    },
  };
}

export interface Answer {
  readonly status: number;
  /** Lower-case names. */
  readonly headers: Map<string, string>;
  /** The head as it came. */
  readonly head: string;
  readonly body: string;
  readonly trailers: string;
}

/** A visitor that sends bytes and reads HTTP. */
export class Client {
  readonly socket: tls.TLSSocket;
  /** Everything not yet taken by `answer` or `take`, as latin1. */
  pending = '';
  ended = false;
  closed = false;
  readonly #changes = new ConditionVariable();

  private constructor(socket: tls.TLSSocket) {
    this.socket = socket;
    socket.setEncoding('latin1');
    socket.on('data', (text: string) => {
      this.pending += text;
      this.#changes.notify();
    });
    socket.on('end', () => {
      this.ended = true;
      this.#changes.notify();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.closed = true;
      this.#changes.notify();
    });
  }

  static async open(t: TestContext, port: number, options: ClientOptions = {}): Promise<Client> {
    const socket = tls.connect({
      port,
      host: '127.0.0.1',
      servername: NAME,
      rejectUnauthorized: false,
      ...options,
    });
    await new Promise<void>((resolve, reject) => {
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
    });
    t.after(() => socket.destroy());
    return new Client(socket);
  }

  send(text: string | Buffer): void {
    this.socket.write(typeof text === 'string' ? Buffer.from(text, 'latin1') : text);
  }

  async until(condition: () => boolean): Promise<void> {
    await this.#changes.until(condition, () => `more than ${JSON.stringify(this.pending.slice(0, 2000))}`);
  }

  /** Takes what has come once it contains `text`, up to and with it; fails when the connection ends first. */
  async take(text: string): Promise<string> {
    await this.until(() => this.pending.includes(text) || this.ended || this.closed);
    const at = this.pending.indexOf(text);
    assert.notEqual(
      at,
      -1,
      `the connection ended before ${JSON.stringify(text)}: ${JSON.stringify(this.pending)}`,
    );
    const taken = this.pending.slice(0, at + text.length);
    this.pending = this.pending.slice(at + text.length);
    return taken;
  }

  async takeBytes(count: number): Promise<string> {
    await this.until(() => this.pending.length >= count || this.ended || this.closed);
    assert.ok(
      this.pending.length >= count,
      `the connection ended after ${this.pending.length} of ${count} bytes`,
    );
    const taken = this.pending.slice(0, count);
    this.pending = this.pending.slice(count);
    return taken;
  }

  /** Waits for the end of the connection, and gives what came before it. */
  async rest(): Promise<string> {
    await this.until(() => this.ended || this.closed);
    const rest = this.pending;
    this.pending = '';
    return rest;
  }

  /** Reads one response. `toHead`: it answers HEAD. */
  async answer(toHead = false): Promise<Answer> {
    const head = await this.take('\r\n\r\n');
    const [statusLine, ...lines] = head.slice(0, -4).split('\r\n');
    const match = /^HTTP\/1\.1 ([0-9]{3})(?: .*)?$/.exec(statusLine!);
    assert.ok(match, `not a status line: ${statusLine}`);
    const status = Number(match[1]);
    const headers = new Map<string, string>();
    for (const line of lines) {
      const colon = line.indexOf(':');
      assert.ok(colon > 0, `not a header line: ${line}`);
      const name = line.slice(0, colon).toLowerCase();
      const value = line.slice(colon + 1).trim();
      headers.set(name, headers.has(name) ? `${headers.get(name)}, ${value}` : value);
    }
    if (toHead || status < 200 || status === 204 || status === 304) {
      return { status, headers, head, body: '', trailers: '' };
    }
    if (headers.get('transfer-encoding') === 'chunked') {
      return { status, headers, head, ...(await this.#chunks()) };
    }
    const length = Number(headers.get('content-length'));
    assert.ok(Number.isInteger(length), `no framing: ${head}`);
    return { status, headers, head, body: await this.takeBytes(length), trailers: '' };
  }

  async #chunks(): Promise<{ body: string; trailers: string }> {
    let body = '';
    for (;;) {
      const size = Number.parseInt(await this.take('\r\n'), 16);
      if (size === 0) break;
      body += await this.takeBytes(size);
      assert.equal(await this.takeBytes(2), '\r\n');
    }
    let trailers = '';
    for (;;) {
      const line = await this.take('\r\n');
      if (line === '\r\n') return { body, trailers };
      trailers += line;
    }
  }
}

export function get(path = '/', headers = ''): string {
  return `GET ${path} HTTP/1.1\r\nHost: ${NAME}\r\n${headers}\r\n`;
}

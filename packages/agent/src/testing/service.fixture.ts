/** The service's side of the agent protocol in a few lines, for the tests of the agent. */
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer, type TLSSocket } from 'node:tls';
import {
  answer,
  call,
  type ErrorCode,
  echoHeartbeat,
  encodeProxyHeader,
  field,
  MuxSession,
  type MuxStream,
  type StreamHandler,
  StreamType,
} from '@underpass/wire';
import { ConditionVariable } from '../../../../test/harness/until.ts';
import { makeCertificate, type TestCertificate } from './certificates.fixture.ts';

export const HOST = 'connect.underpass.localhost';
export const AUTHTOKEN = 'good-token';

let certificate: TestCertificate | undefined;

/** One certificate a test process: making it takes longer than most tests. */
export function testCertificate(): TestCertificate {
  certificate ??= makeCertificate(HOST);
  return certificate;
}

export interface Rpc {
  readonly type: number;
  readonly request: unknown;
}

export class TestService {
  readonly rpcs: Rpc[] = [];
  readonly sessions: MuxSession[] = [];
  readonly sockets = new Set<Socket>();
  /** True for each session that resumed its TLS session. */
  readonly resumed: boolean[] = [];
  /** Returns another response to an RPC; undefined for the usual one. */
  respond: (rpc: Rpc) => unknown = () => undefined;
  echoesHeartbeats = true;
  readonly #server: Server;
  readonly #changes = new ConditionVariable();
  #bound = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async start(port = 0): Promise<TestService> {
    const { cert, key } = testCertificate();
    const server = createServer({ cert, key, noDelay: true });
    const service = new TestService(server);
    server.on('connection', (socket: Socket) => service.#keep(socket));
    server.on('secureConnection', (socket) => service.#session(socket));
    server.on('tlsClientError', () => {});
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    return service;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get address(): string {
    return `${HOST}:${this.port}`;
  }

  get session(): MuxSession {
    return this.sessions.at(-1)!;
  }

  async stop(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  /** Requests of one type of RPC, in order. */
  requests(type: StreamType): unknown[] {
    return this.rpcs.filter((rpc) => rpc.type === type).map((rpc) => rpc.request);
  }

  /** Waits until this many requests of a type have come. */
  async until(type: StreamType, count: number): Promise<unknown[]> {
    await this.#changes.until(
      () => this.requests(type).length >= count,
      () => `${count} requests of type ${type}`,
    );
    return this.requests(type);
  }

  ask(type: StreamType, request: unknown): Promise<unknown> {
    return call(this.session, type, request);
  }

  /** Opens a proxied connection. */
  proxy(id: string, handler: StreamHandler, first = '', passthroughTls = false): MuxStream {
    return this.proxyOn(this.session, id, handler, first, passthroughTls);
  }

  /** Works like `proxy`, on one of several sessions. */
  proxyOn(
    session: MuxSession,
    id: string,
    handler: StreamHandler,
    first = '',
    passthroughTls = false,
  ): MuxStream {
    const header = encodeProxyHeader({
      Id: id,
      ClientAddr: '192.0.2.1:1234',
      Proto: 'https',
      EdgeType: '0',
      PassthroughTLS: passthroughTls,
    });
    const stream = session.open(StreamType.proxy, handler, Buffer.concat([header, Buffer.from(first)]));
    if (stream === null) throw new Error('the session takes no stream');
    return stream;
  }

  #keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('close', () => this.sockets.delete(socket));
    socket.on('error', () => {});
  }

  #session(socket: TLSSocket): void {
    this.resumed.push(socket.isSessionReused());
    socket.on('error', () => {});
    const session: MuxSession = new MuxSession(socket, {
      role: 'server',
      accept: (type, stream) => this.#accept(type, stream),
      closed: () => {},
    });
    this.sessions.push(session);
  }

  #accept(type: number, stream: MuxStream): void {
    if (type === StreamType.heartbeat) {
      if (this.echoesHeartbeats) echoHeartbeat(stream);
      else stream.handler = silent;
      return;
    }
    answer(stream, (request) => {
      const rpc = { type, request };
      this.rpcs.push(rpc);
      this.#changes.notify();
      return this.respond(rpc) ?? this.#usual(rpc);
    });
  }

  #usual({ type, request }: Rpc): unknown {
    if (type === StreamType.auth) return this.#welcome(request);
    if (type === StreamType.bind) return this.#bind(request);
    if (type === StreamType.startTunnelWithLabel) return { Id: `label-${++this.#bound}`, Error: '' };
    return { Error: '' };
  }

  #welcome(request: unknown): unknown {
    if (field(field(request, 'Extra'), 'Authtoken') !== AUTHTOKEN) {
      return { Version: '3', ClientId: '', Error: 'The authtoken is not valid.\n\nERR_UNDERPASS_107' };
    }
    return {
      Version: '3',
      ClientId: field(request, 'ClientId') || 'client-1',
      Error: '',
      Extra: { Region: 'us', Cookie: 'cookie-1', AgentSessionID: 'ts_1', Version: 'test', Banner: '' },
    };
  }

  #bind(request: unknown): unknown {
    const id = field(request, 'Id') || `bind-${++this.#bound}`;
    const options = field(request, 'Opts');
    const name = field(options, 'Domain') || 'random.underpass.localhost';
    return {
      Id: id,
      URL: field(options, 'URL') || `https://${name}:8443`,
      Proto: 'https',
      Opts: options,
      Error: '',
      Extra: { Token: 'token-1', TunnelID: 'tn_1' },
    };
  }
}

const silent: StreamHandler = { data: () => {}, end: () => {}, drain: () => {}, close: () => {} };

/** Collects what comes back on a proxied connection. */
export class Collector implements StreamHandler {
  readonly #chunks: Buffer[] = [];
  readonly #changes = new ConditionVariable();
  ended = false;
  code: ErrorCode | null = null;

  get text(): string {
    return Buffer.concat(this.#chunks).toString('latin1');
  }

  get length(): number {
    return this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0);
  }

  data(chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#changes.notify();
  }

  end(): void {
    this.ended = true;
    this.#changes.notify();
  }

  drain(): void {
    this.#changes.notify();
  }

  close(code: ErrorCode): void {
    this.code = code;
    this.#changes.notify();
  }

  async until(condition: () => boolean): Promise<void> {
    await this.#changes.until(condition);
  }

  async closed(): Promise<ErrorCode> {
    await this.until(() => this.code !== null);
    return this.code!;
  }
}

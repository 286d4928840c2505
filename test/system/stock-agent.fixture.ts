/** An agent that binds with the options of stock agents, byte for byte as they write them, and serves HTTP by a handler of the test. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { TLSSocket } from 'node:tls';
import {
  call,
  ErrorCode,
  echoHeartbeat,
  field,
  MuxSession,
  type MuxStream,
  noopHandler,
  readProxyHeader,
  StreamType,
  toDuplex,
} from '@underpass/wire';
import { type Platform, timeoutMs } from '../harness/index.ts';

export interface StockBind {
  readonly id: string;
  /** The public URL. */
  readonly url: string;
  /** As they were answered: agents send them back when they reconnect. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly token: string;
}

interface BindFields {
  readonly Id: string;
  readonly Token: string;
  readonly Proto: 'https' | 'tcp' | 'tls';
  readonly PoolingEnabled: boolean;
}

export class StockAgent {
  readonly #mux: MuxSession;
  readonly #socket: TLSSocket;
  readonly #server: Server;
  /** Of tunnels that the service stopped: what it said. */
  readonly stopped: string[] = [];
  /** What is proxied is echoed, instead of answered by the handler. */
  echoes = false;

  private constructor(socket: TLSSocket, handler: RequestListener) {
    this.#socket = socket;
    this.#server = createServer({ keepAliveTimeout: 0 }, handler);
    this.#mux = new MuxSession(socket, {
      role: 'client',
      accept: (type, stream) => this.#accept(type, stream),
      closed() {},
    });
  }

  /** `clientId` and `cookie`: of an earlier session. */
  static async connect(
    platform: Platform,
    handler: RequestListener,
    { token = platform.bootstrap.authtoken, earlier = {} as object } = {},
  ): Promise<StockAgent & { readonly welcome: Record<string, unknown> }> {
    const { domain } = platform.bootstrap;
    const socket = await platform.client.tls(`connect.${domain}`);
    const agent = new StockAgent(socket, handler);
    const { ClientId = '', Cookie = '' } = earlier as Record<string, unknown>;
    const Extra = { OS: 'linux', Arch: 'amd64', Authtoken: token, Version: '3.3.0', Cookie };
    const welcome = await agent.#call(StreamType.auth, { Version: ['3', '2'], ClientId, Extra });
    assert.equal(welcome.Error, '');
    return Object.assign(agent, { welcome });
  }

  /** Raises what the service answers as an error. */
  async bind(options: Readonly<Record<string, unknown>>, bind: Partial<BindFields> = {}): Promise<StockBind> {
    const answer = await this.tryBind(options, bind);
    assert.equal(answer.Error, '');
    return {
      id: String(answer.Id),
      url: String(answer.URL),
      options: answer.Opts as Record<string, unknown>,
      token: String(field(answer.Extra, 'Token')),
    };
  }

  tryBind(
    options: Readonly<Record<string, unknown>>,
    { Id = '', Token = '', Proto = 'https', PoolingEnabled = false }: Partial<BindFields> = {},
  ): Promise<Record<string, unknown>> {
    return this.#call(StreamType.bind, {
      Id,
      Proto,
      ForwardsTo: 'http://localhost:80',
      ForwardsProto: '',
      Opts: { ...(Proto === 'https' ? unset : unsetOnBytes), ...options },
      Extra: {
        Name: '',
        Token,
        IPPolicyRef: '',
        Metadata: '',
        Description: '',
        Bindings: null,
        PoolingEnabled,
      },
    });
  }

  async unbind(id: string): Promise<void> {
    assert.equal((await this.#call(StreamType.unbind, { Id: id })).Error, '');
  }

  async stop(): Promise<void> {
    const closed = once(this.#socket, 'close');
    this.#socket.destroy();
    await closed;
    this.#server.closeAllConnections();
  }

  async #call(type: StreamType, body: object): Promise<Record<string, unknown>> {
    return await call(this.#mux, type, body, timeoutMs(10_000));
  }

  #accept(type: number, stream: MuxStream): void {
    if (type === StreamType.heartbeat) echoHeartbeat(stream);
    else if (type === StreamType.proxy) readProxyHeader(stream, () => this.#serve(stream));
    else if (type === StreamType.stopTunnel) this.#noteStop(stream);
    else stream.reset(ErrorCode.streamRefused);
  }

  #serve(stream: MuxStream): void {
    const duplex = toDuplex(stream);
    duplex.on('error', () => {});
    if (this.echoes) duplex.pipe(duplex);
    else this.#server.emit('connection', duplex);
  }

  #noteStop(stream: MuxStream): void {
    stream.handler = {
      ...noopHandler,
      data: (bytes) => {
        this.stopped.push(bytes.toString());
        stream.end();
      },
    };
  }
}

/** What stock agents send for options that nobody set. */
const unset = {
  Hostname: '',
  Subdomain: '',
  Domain: '',
  Auth: '',
  HostHeaderRewrite: false,
  LocalURLScheme: '',
  ProxyProto: 0,
  Compression: null,
  CircuitBreaker: null,
  IPRestriction: null,
  BasicAuth: null,
  OAuth: null,
  OIDC: null,
  WebhookVerification: null,
  MutualTLSCA: null,
  RequestHeaders: null,
  ResponseHeaders: null,
  WebsocketTCPConverter: null,
  UserAgentFilter: null,
  TrafficPolicy: '',
  Policy: null,
};

const unsetOnBytes = { ProxyProto: 0, IPRestriction: null, TrafficPolicy: '' };

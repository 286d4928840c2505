/**
 * An agent of the Go family with options of a test, whose local service is a handler of the test. It does not
 * reconnect by itself.
 * Invariant: breaches of the protocol by the service are errors.
 */
import assert from 'node:assert/strict';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import {
  AgentSession,
  type Credentials,
  families,
  type Json,
  join,
  object,
  type ProxyHeader,
  StreamType,
  text,
} from '../agents/index.ts';
import type { Platform } from '../harness/index.ts';

const [goFamily] = families;

export interface StockBind {
  readonly id: string;
  /** `tn_…` */
  readonly tunnelId: string;
  /** The public URL. */
  readonly url: string;
  /** Options in the response: agents send them again when they reconnect. */
  readonly options: Json;
  readonly token: string;
}

interface BindFields {
  readonly Id: string;
  readonly Token: string;
  readonly Proto: 'https' | 'tcp' | 'tls';
  readonly PoolingEnabled: boolean;
  readonly Metadata: string;
  /** The name in the URL; absent: a random one. */
  readonly Name: string;
  readonly ForwardsTo: string;
  readonly Description: string;
}

/** A daemon to connect to, and its bootstrap. */
type AgentPlace = Pick<Platform, 'port' | 'ca' | 'bootstrap'> & { readonly address?: string };

interface ConnectOptions {
  readonly token?: string;
  /** A session that this one is to follow. */
  readonly earlier?: Omit<Credentials, 'token'>;
  /** Connects to what it forwards to, in place of the handler. */
  readonly home?: (header: ProxyHeader) => Duplex;
  /** It accepts no more streams at a time, and in all, than the known agents. */
  readonly isStrict?: boolean;
  /** Fields of its description of itself, in place of those of the family. */
  readonly about?: Json;
}

export class StockAgent {
  readonly #server: Server;
  readonly #faults: string[] = [];
  #session: AgentSession | null = null;
  /** If true, proxied bytes are echoed instead of handled as requests. */
  echoes = false;

  private constructor(handler: RequestListener) {
    this.#server = createServer({ keepAliveTimeout: 0 }, handler);
  }

  static async connect(
    { port, ca, bootstrap, address }: AgentPlace,
    handler: RequestListener,
    {
      token = bootstrap.authtoken,
      earlier = { clientId: '', cookie: '' },
      home,
      isStrict = false,
      about = {},
    }: ConnectOptions = {},
  ): Promise<StockAgent> {
    const agent = new StockAgent(handler);
    const service = { port, ca, host: `connect.${bootstrap.domain}`, address };
    const session = await AgentSession.dial(familyWith(about), service, {
      proxied: (header, stream) => void join(goFamily, header, stream, () => home?.(header) ?? agent.#home()),
      stopped() {},
      isStrict,
      fault: (what) => agent.#faults.push(what),
    });
    await session.authenticate({ token, ...earlier });
    agent.#session = session;
    return agent;
  }

  get session(): AgentSession {
    assert.ok(this.#session !== null);
    return this.#session;
  }

  /** Rejects with what the service answers as an error. */
  async bind(options: Json, bind: Partial<BindFields> = {}): Promise<StockBind> {
    const answer = await this.session.call(StreamType.bind, bindRequest(options, bind));
    return {
      id: text(answer, 'Id'),
      url: text(answer, 'URL'),
      options: object(answer, 'Opts'),
      token: text(object(answer, 'Extra'), 'Token'),
      tunnelId: text(object(answer, 'Extra'), 'TunnelID'),
    };
  }

  /** The error that a bind is answered with; '' for one that is not refused. */
  async refusal(options: Json, bind: Partial<BindFields> = {}): Promise<string> {
    return await this.bind(options, bind).then(
      () => '',
      ({ message }: Error) => message,
    );
  }

  async unbind(id: string): Promise<void> {
    await this.session.call(StreamType.unbind, { Id: id });
  }

  async stop(): Promise<void> {
    this.session.cut();
    await this.session.over;
    this.#server.closeAllConnections();
    assert.deepEqual(this.#faults, []);
  }

  #home(): Duplex {
    const [near, far] = duplexPair();
    if (this.echoes) far.pipe(far);
    else this.#server.emit('connection', far);
    return near;
  }
}

function familyWith(about: Json): typeof goFamily {
  const auth = (credentials: Credentials) => {
    const request = goFamily.auth(credentials);
    return { ...request, Extra: { ...object(request, 'Extra'), ...about } };
  };
  return { ...goFamily, auth };
}

function bindRequest(
  options: Json,
  {
    Id = '',
    Token = '',
    Proto = 'https',
    PoolingEnabled = false,
    Metadata = '',
    Name,
    ForwardsTo = 'http://localhost:80',
    Description = '',
  }: Partial<BindFields>,
): Json {
  return {
    Id,
    Proto,
    ForwardsTo,
    ForwardsProto: '',
    Opts: goFamily.options(Proto, { modules: options, ...(Name === undefined ? {} : { name: Name }) }),
    Extra: {
      Name: '',
      Token,
      IPPolicyRef: '',
      Metadata,
      Description,
      Bindings: null,
      PoolingEnabled,
    },
  };
}

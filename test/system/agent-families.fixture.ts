/**
 * Agents of the two families that there are (agent protocol, sections 3, 6 and 7), written from what is known of them and not from ours:
 * what they send, what they insist on in an answer, when they know a tunnel, how they end streams, and what they bind again.
 */
import assert from 'node:assert/strict';
import { connect as connectTcp } from 'node:net';
import type { TLSSocket } from 'node:tls';
import {
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
import { inTime, type Platform } from '../harness/index.ts';

export type Protocol = 'http' | 'https' | 'tls' | 'tcp';

export interface Family {
  /** `Opts` for any name. */
  readonly options: (proto: Protocol) => Readonly<Record<string, unknown>>;
  /** What it cannot read an answer without. */
  readonly insistsOn: (proto: Protocol) => readonly string[];
  /** It parses an answer when the stream has ended, and not before. */
  readonly readsToTheEnd: boolean;
  /** It ends the stream of a request that it does not answer. */
  readonly endsUnanswered: boolean;
}

/** The newest generation: a URL, and a traffic policy that nobody set. */
const go: Family = {
  options: (proto) => ({ URL: `${proto}://`, TrafficPolicy: '' }),
  insistsOn: () => [],
  readsToTheEnd: false,
  endsUnanswered: false,
};

const rustOptions: Readonly<Record<'web' | 'tls' | 'tcp', Readonly<Record<string, unknown>>>> = {
  web: {
    ...{
      Hostname: '',
      Auth: '',
      Subdomain: '',
      HostHeaderRewrite: false,
      LocalURLScheme: 'http',
      ProxyProto: 0,
    },
    ...{
      Compression: null,
      CircuitBreaker: null,
      IPRestriction: null,
      BasicAuth: null,
      OAuth: null,
      OIDC: null,
    },
    ...{ WebhookVerification: null, MutualTLSCA: null, RequestHeaders: null, ResponseHeaders: null },
    ...{ WebsocketTCPConverter: null, UserAgentFilter: null, Policy: null, TrafficPolicy: '' },
  },
  tls: {
    ...{ Hostname: '', Subdomain: '', ProxyProto: 0, MutualTLSAtAgent: false, MutualTLSAtEdge: null },
    ...{ TLSTermination: null, IPRestriction: null, TrafficPolicy: '' },
  },
  tcp: { Addr: '', ProxyProto: 0, IPRestriction: null, TrafficPolicy: '' },
};

const rust: Family = {
  options: (proto) => rustOptions[proto === 'tls' || proto === 'tcp' ? proto : 'web'],
  insistsOn: (proto) =>
    ({
      http: ['Hostname', 'Auth', 'Subdomain', 'HostHeaderRewrite', 'ProxyProto'],
      https: ['Hostname', 'Auth', 'Subdomain', 'HostHeaderRewrite', 'ProxyProto'],
      tcp: ['Addr', 'ProxyProto'],
      tls: ['Hostname', 'Subdomain', 'ProxyProto', 'MutualTLSAtAgent'],
    })[proto],
  readsToTheEnd: true,
  endsUnanswered: true,
};

export const families: ReadonlyMap<string, Family> = new Map([
  ['Go', go],
  ['Rust', rust],
]);

/** What an agent keeps of a tunnel to bind it again. */
interface Kept {
  readonly proto: Protocol;
  readonly id: string;
  readonly url: string;
  readonly options: Readonly<Record<string, unknown>>;
  readonly token: string;
}

/** Until an agent has registered a tunnel it ends the streams of it without a byte. */
const registersInMs = 10;

export class FamilyAgent {
  readonly stopped: { readonly id: unknown; readonly code: unknown }[] = [];
  readonly #platform: Platform;
  readonly #family: Family;
  readonly #upstreamPort: number;
  readonly #tunnels = new Map<string, Kept>();
  readonly #registered = new Set<string>();
  #mux: MuxSession | null = null;
  #socket: TLSSocket | null = null;
  #clientId = '';
  #cookie = '';

  /** Every connection goes to the port of this machine. */
  constructor(platform: Platform, family: Family, upstreamPort: number) {
    this.#platform = platform;
    this.#family = family;
    this.#upstreamPort = upstreamPort;
  }

  get urls(): readonly string[] {
    return [...this.#tunnels.values()].map(({ url }) => url);
  }

  /** A session, with all tunnels that it had before. */
  async connect(): Promise<void> {
    const { domain, authtoken } = this.#platform.bootstrap;
    this.#socket = await this.#platform.client.tls(`connect.${domain}`);
    this.#socket.on('error', () => {});
    this.#registered.clear();
    this.#mux = new MuxSession(this.#socket, {
      role: 'client',
      accept: (type, stream) => this.#accept(type, stream),
      closed() {},
    });
    const Extra = {
      OS: 'linux',
      Arch: 'amd64',
      Authtoken: authtoken,
      Version: '1.0.0',
      Cookie: this.#cookie,
    };
    const welcome = await this.#call(StreamType.auth, {
      Version: ['3', '2'],
      ClientId: this.#clientId,
      Extra,
    });
    assert.equal(welcome.Error, '');
    this.#clientId = String(welcome.ClientId);
    this.#cookie = String(field(welcome.Extra, 'Cookie'));
    for (const kept of [...this.#tunnels.values()]) await this.#bind(kept);
  }

  /** Answers the URL. */
  bind(proto: Protocol, id: string): Promise<string> {
    return this.#bind({ proto, id, url: '', options: this.#family.options(proto), token: '' });
  }

  async unbind(id: string): Promise<void> {
    this.#tunnels.delete(id);
    assert.equal((await this.#call(StreamType.unbind, { Id: id })).Error, '');
  }

  close(): void {
    this.#socket?.destroy();
  }

  async #bind({ proto, id, options, token }: Kept): Promise<string> {
    const answer = await this.#call(StreamType.bind, {
      ...{ Id: id, Proto: proto, ForwardsTo: `localhost:${this.#upstreamPort}`, ForwardsProto: '' },
      Opts: options,
      Extra: { Name: '', Token: token, IPPolicyRef: '', Metadata: '', Description: '', Bindings: [] },
    });
    assert.deepEqual([answer.Error, answer.Id, answer.Proto], ['', id, proto]);
    const answered = answer.Opts as Readonly<Record<string, unknown>>;
    for (const name of this.#family.insistsOn(proto)) assert.ok(Object.hasOwn(answered, name), name);
    const url = String(answer.URL);
    const kept = { proto, id, url, options: answered, token: String(field(answer.Extra, 'Token')) };
    this.#tunnels.set(id, kept);
    setTimeout(() => this.#registered.add(id), registersInMs);
    return url;
  }

  /** One request, read as the family reads answers. */
  #call(type: StreamType, body: object): Promise<Record<string, unknown>> {
    const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
    let text = '';
    const parse = (): void => {
      try {
        resolve(JSON.parse(text) as Record<string, unknown>);
      } catch (error) {
        if (this.#family.readsToTheEnd) reject(error);
      }
    };
    const stream = this.#mux?.open(
      type,
      {
        ...noopHandler,
        data: (bytes) => {
          text += bytes.toString();
          if (!this.#family.readsToTheEnd) parse();
        },
        end: () => {
          if (this.#family.readsToTheEnd) parse();
          stream?.end();
        },
        close: () => reject(new Error(`no answer: ${text}`)),
      },
      Buffer.from(JSON.stringify(body)),
    );
    return inTime(promise, () => 'the answer of the service');
  }

  #accept(type: number, stream: MuxStream): void {
    if (type === StreamType.heartbeat) echoHeartbeat(stream);
    else if (type === StreamType.proxy) readProxyHeader(stream, ({ Id }) => this.#serve(stream, Id));
    else if (type === StreamType.stopTunnel) this.#stop(stream);
    else stream.reset(ErrorCode.streamRefused);
  }

  #serve(stream: MuxStream, id: string): void {
    if (!this.#registered.has(id)) {
      stream.handler = noopHandler;
      stream.end();
      return;
    }
    const visitor = toDuplex(stream);
    const local = connectTcp({ port: this.#upstreamPort, host: '127.0.0.1', allowHalfOpen: true });
    for (const socket of [visitor, local]) socket.on('error', () => {});
    visitor.pipe(local);
    local.pipe(visitor);
  }

  #stop(stream: MuxStream): void {
    let text = '';
    stream.handler = {
      ...noopHandler,
      data: (bytes) => {
        text += bytes.toString();
        if (!text.trimEnd().endsWith('}')) return;
        const { Id: id, ErrorCode: code } = JSON.parse(text) as Record<string, unknown>;
        this.stopped.push({ id, code });
        this.#tunnels.delete(String(id));
        this.#registered.delete(String(id));
        if (this.#family.endsUnanswered) stream.end();
      },
    };
  }
}

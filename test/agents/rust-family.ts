/**
 * Behaviour of the Rust agent and its wrappers: they read responses to their end, require the known fields, and never
 * miss a heartbeat.
 */
import {
  type Credentials,
  type Family,
  type Json,
  object,
  type Protocol,
  readToEnd,
  text,
  type Wanted,
} from './family.ts';
import { StreamType } from './raw-session.ts';
import type { RawStream } from './raw-stream.ts';

const BAD_GATEWAY =
  'HTTP/1.1 502 Bad Gateway\r\nContent-Length: 12\r\nConnection: close\r\n\r\nBad Gateway\n';

/** The answer to a bind without one of these, as this type, cannot be read. */
const WEB = {
  Hostname: 'string',
  Auth: 'string',
  Subdomain: 'string',
  HostHeaderRewrite: 'boolean',
  ProxyProto: 'number',
};
const REQUIRED: Readonly<Record<Protocol, Readonly<Record<string, string>>>> = {
  http: WEB,
  https: WEB,
  tcp: { Addr: 'string', ProxyProto: 'number' },
  tls: { Hostname: 'string', Subdomain: 'string', ProxyProto: 'number', MutualTLSAtAgent: 'boolean' },
};

export const rustFamily: Family = {
  name: 'Rust',
  retryMs: [0, 50, 2_500, 125_000, 6_250_000],
  ignoresStopsOnceBack: true,
  windowStep: 0x20000,
  heartbeat: null,
  closesBothHalves: false,
  badGateway: BAD_GATEWAY,
  readsHeadAtOnce: true,

  auth: ({ token, clientId, cookie }: Credentials) => ({
    Version: ['3', '2'],
    ClientId: clientId,
    Extra: {
      OS: 'linux',
      Arch: 'x86_64',
      AuthToken: token,
      Version: '0.18.0',
      Hostname: '',
      UserAgent: 'agent-rust/0.18.0',
      Metadata: 'of a test',
      Cookie: cookie,
      HeartbeatInterval: 10_000_000_000,
      HeartbeatTolerance: 15_000_000_000,
      UpdateUnsupportedError: null,
      StopUnsupportedError: '',
      RestartUnsupportedError: null,
      ClientType: 'library/official/rust',
    },
  }),

  options(proto: Protocol, { name = '', modules = {} }: Wanted): Json {
    if (proto === 'tcp') return { Addr: name, ProxyProto: 0, IPRestriction: null, ...modules };
    const names = { Domain: name, Hostname: '', Subdomain: '', ProxyProto: 0, TrafficPolicy: null };
    if (proto === 'tls') return { ...names, MutualTLSAtAgent: false, TLSTermination: null, ...modules };
    return { ...names, Auth: '', HostHeaderRewrite: false, LocalUrlScheme: null, ...modules };
  },

  readAnswer: async (stream) => JSON.parse(await readToEnd(stream)) as Json,

  checkAuth(answer: Json): void {
    text(answer, 'Version');
    text(answer, 'ClientId');
  },

  checkBind(proto: Protocol, answer: Json): void {
    const options = object(answer, 'Opts');
    for (const [key, type] of Object.entries(REQUIRED[proto]))
      if (typeof options[key] !== type) throw new Error(`missing field ${key}: ${JSON.stringify(options)}`);
  },

  async answerRequest(type: number, stream: RawStream): Promise<'goes on' | 'ends'> {
    if (type !== StreamType.stopTunnel) await stream.write(Buffer.from('{}'));
    stream.end();
    return type === StreamType.stop ? 'ends' : 'goes on';
  },
};

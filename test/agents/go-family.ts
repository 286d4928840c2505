/**
 * Behaviour of the Go agents: they read one value and no further, detect missing heartbeats, and send nothing
 * unrequested.
 */
import { type Credentials, type Family, type Json, type Protocol, readJson, type Wanted } from './family.ts';
import { StreamType } from './raw-session.ts';
import type { RawStream } from './raw-stream.ts';

const MODULES = {
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
};

export const goFamily: Family = {
  name: 'Go',
  retryMs: [0, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000],
  ignoresStopsOnceBack: false,
  windowStep: 1,
  heartbeat: { intervalMs: 10_000, toleranceMs: 15_000 },
  closesBothHalves: true,
  badGateway: null,
  readsHeadAtOnce: false,

  auth: ({ token, clientId, cookie, leg = 0 }: Credentials) => ({
    Version: ['3', '2'],
    ClientId: clientId,
    Extra: {
      OS: 'linux',
      Arch: 'amd64',
      Authtoken: token,
      Version: '3.39.1',
      Hostname: 'build-7',
      UserAgent: 'agent-go/2.1.1',
      Metadata: '',
      Cookie: cookie,
      HeartbeatInterval: 10_000_000_000,
      HeartbeatTolerance: 15_000_000_000,
      UpdateUnsupportedError: 'this program does not update itself',
      StopUnsupportedError: '',
      RestartUnsupportedError: '',
      ProxyType: 'none',
      MutualTLS: false,
      ServiceRun: false,
      ConfigVersion: '3',
      CustomInterface: false,
      CustomCAs: true,
      ClientType: 'library/official/go',
      LegNumber: leg,
      ADayThatIsNotYet: { of: ['a', 'newer', 'agent'] },
    },
  }),

  options(proto: Protocol, { name, modules = {} }: Wanted): Json {
    const URL = name === undefined ? `${proto}://` : `${proto}://${name}`;
    if (proto === 'tcp') return { URL, ProxyProto: 0, IPRestriction: null, TrafficPolicy: '', ...modules };
    const names = { URL, Domain: '', Hostname: '', Subdomain: '', ProxyProto: 0, TrafficPolicy: '' };
    if (proto === 'tls') {
      const ends = { MutualTLSAtAgent: false, MutualTLSAtEdge: null, TLSTermination: null };
      return { ...names, ...ends, IPRestriction: null, ...modules };
    }
    return { ...names, Auth: '', HostHeaderRewrite: false, LocalURLScheme: 'http', ...MODULES, ...modules };
  },

  readAnswer: readJson,
  checkAuth() {},
  checkBind() {},

  async answerRequest(type: number, stream: RawStream): Promise<'goes on' | 'ends'> {
    // It reads notifications about ended tunnels, and leaves the stream open.
    if (type === StreamType.stopTunnel) return 'goes on';
    await stream.write(Buffer.from('{"Error":""}'));
    return type === StreamType.update ? 'goes on' : 'ends';
  },
};

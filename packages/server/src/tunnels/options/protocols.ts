/**
 * Differences between the protocols of a bind (agent protocol, section 5).
 * Invariant: an option of one protocol is not accepted for another.
 */
import type { TunnelProtocol } from '../../online/tunnel-facts.ts';

export interface ProtocolRules {
  /** Schemes of URLs that a bind may request. */
  readonly schemes: readonly string[];
  /** The options that binds of this protocol have; lower case. */
  readonly options: ReadonlySet<string>;
  /** Fields that some agents require in a response, with their values if nothing was sent. */
  readonly answered: Readonly<Record<string, unknown>>;
}

const naming = ['url', 'domain', 'hostname', 'subdomain', 'proxyproto'];
const web: ProtocolRules = {
  schemes: ['https', 'http'],
  options: new Set([...naming, 'localurlscheme', 'auth']),
  answered: { Hostname: '', Auth: '', Subdomain: '', HostHeaderRewrite: false, ProxyProto: 0 },
};

export const protocols: Readonly<Record<TunnelProtocol, ProtocolRules>> = {
  http: web,
  https: web,
  tls: {
    schemes: ['tls'],
    options: new Set([...naming, 'tlstermination']),
    answered: { Hostname: '', Subdomain: '', ProxyProto: 0, MutualTLSAtAgent: false },
  },
  tcp: {
    schemes: ['tcp'],
    options: new Set(['url', 'addr', 'proxyproto']),
    answered: { Addr: '', ProxyProto: 0 },
  },
};

export function isProtocol(proto: string): proto is TunnelProtocol {
  return Object.hasOwn(protocols, proto);
}

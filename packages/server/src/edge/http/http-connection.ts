/** What is known of a connection before its first request, and whether it may go on under other settings of its name. */
import type { Hostname } from '../../core/hostname.ts';
import type { ConnectionFacts, Reply, Site, TlsPolicy } from '../sites/site.ts';

export interface HttpConnection {
  readonly facts: ConnectionFacts & { readonly serverName: Hostname };
  /** The policy under which TLS was negotiated; null for plain HTTP. */
  readonly negotiated: TlsPolicy | null;
  /** Of plain HTTP: what the name leads to now. Absent: what it leads to with TLS. */
  readonly plainSite?: () => Site | undefined;
  /** The visitor's address, as `sourceKey` tells it. */
  readonly source: string;
  /** Each request gets this answer: the site carries bytes, and this is what its backend had for the connection. */
  readonly fixed?: Reply;
}

const versions: readonly string[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** Whether a connection could have come about under the TLS settings in force. */
export function fits({ facts, negotiated }: HttpConnection, policy: TlsPolicy | null): boolean {
  if (policy === null || negotiated === null) return policy === negotiated;
  if (policy === negotiated || policy.key === negotiated.key) return true;
  // The compiler sees to it that no setting is forgotten here.
  const { key: _, minVersion, clientAuthorities, certificate: __, ...others } = policy;
  others satisfies Record<string, never>;
  if (!sameAuthorities(clientAuthorities, negotiated.clientAuthorities)) return false;
  return versions.indexOf(facts.tls?.version ?? '') >= versions.indexOf(minVersion);
}

function sameAuthorities(one: readonly string[] | null, other: readonly string[] | null): boolean {
  if (one === null || other === null) return one === other;
  return one.length === other.length && one.every((pem, at) => pem === other[at]);
}

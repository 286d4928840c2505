/** What is known of a connection before its first request, and whether it may go on under other settings of its name. */
import type { Hostname } from '../../core/hostname.ts';
import type { ConnectionFacts, Reply, Site, TlsPolicy } from '../sites/site.ts';
import type { Sites } from '../sites/sites.ts';

export interface HttpConnection {
  readonly facts: ConnectionFacts & { readonly serverName: Hostname };
  /** The policy under which TLS was negotiated; null for plain HTTP. */
  readonly negotiated: TlsPolicy | null;
  /** Of plain HTTP: what the name leads to now. Absent: what it leads to with TLS. */
  readonly plainSite?: () => Site | undefined;
  /** The visitor's address, as `sourceKey` tells it. */
  readonly source: string;
  /** It speaks HTTP/2, as was negotiated. */
  readonly isHttp2?: boolean;
  /** Each request gets this answer: the site carries bytes, and this is what its backend had for the connection. */
  readonly fixed?: Reply;
}

/** What its name leads to now: asked per request, so that what changed applies to connections that are already open. */
export function siteOf(
  { facts, plainSite }: HttpConnection,
  { sites }: { readonly sites: Sites },
): Site | undefined {
  return plainSite === undefined ? sites.lookup(facts.serverName) : plainSite();
}

/** Whether the site carries HTTP, and the connection could have come about under its settings. */
export function fitsSite(connection: HttpConnection, site: Site): boolean {
  return (site.carries === 'http' || connection.fixed !== undefined) && fits(connection, site.tls);
}

const versions: readonly string[] = ['TLSv1', 'TLSv1.1', 'TLSv1.2', 'TLSv1.3'];

/** Whether a connection could have come about under the TLS settings in force. */
function fits({ facts, negotiated }: HttpConnection, policy: TlsPolicy | null): boolean {
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

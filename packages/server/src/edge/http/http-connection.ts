/**
 * Facts of a connection before its first request, and the check if it may continue under other settings of its name.
 */
import { covers, type Hostname, type HostPattern } from '../../core/names/hostname.ts';
import { fitsPolicy } from '../sites/fits-policy.ts';
import type { ConnectionFacts, Reply, Route, Site, TlsPolicy } from '../sites/site.ts';
import type { Sites } from '../sites/sites.ts';

export interface HttpConnection {
  readonly facts: ConnectionFacts & { readonly serverName: Hostname };
  /** The policy under which TLS was negotiated; null for plain HTTP. */
  readonly negotiated: TlsPolicy | null;
  /** Returns the site for plain HTTP at present. Absent: the site with TLS. */
  readonly plainSite?: () => Site | undefined;
  /** The key of the visitor's address, from `sourceKey`. */
  readonly source: string;
  /** It speaks HTTP/2, as was negotiated. */
  readonly isHttp2?: boolean;
  /** The site carries bytes, and this is what its backend had for the connection: for one request, as bytes are for one place. */
  readonly fixed?: FixedAnswer;
}

export interface FixedAnswer {
  readonly reply: Reply;
  /** Route that led to it: another one could have another response, or none. */
  readonly route: Route;
}

/** Returns the present site of its name. Called for each request, so that changes apply to open connections. */
export function siteOf(
  { facts, plainSite }: HttpConnection,
  { sites }: { readonly sites: Sites },
): Site | undefined {
  return plainSite === undefined ? sites.lookup(facts.serverName) : plainSite();
}

/** Returns true if it is of a name that the pattern stands for; null stands for any. */
export function isConcerned({ facts }: HttpConnection, pattern: HostPattern | null): boolean {
  return pattern === null || covers(pattern, facts.serverName);
}

/** Returns true if the site carries HTTP, or still has the fixed response, and the handshake fits its settings. */
export function fitsSite({ facts, negotiated, fixed }: HttpConnection, site: Site): boolean {
  const isServed = fixed === undefined ? site.carries === 'http' : site.route('') === fixed.route;
  return isServed && fitsPolicy(facts, negotiated, site.tls);
}

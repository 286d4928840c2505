/** The operator's settings, parsed once. Each layer gets the parts that it needs. */
import type { Cidr } from './ip/cidr.ts';
import type { OauthProvider } from './modules/oauth-providers.ts';
import type { UserHeaders } from './modules/user-headers.ts';
import type { Hostname } from './names/hostname.ts';
import type { Region } from './names/region.ts';
import type { Profile } from './profile.ts';

/**
 * The default response header with the edge's error code; a profile may name another. Upstreams and fixed responses
 * cannot set it.
 */
export const ERROR_CODE_HEADER = 'underpass-error-code';

export interface ListenAddress {
  /** `::` for every address. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** An inherited socket of a service manager. Host and port are the expected ones. */
  readonly descriptor?: number;
  /** True if other processes of this user listen at the same address: the system divides connections among them. */
  readonly isShared?: boolean;
}

/** A range of ports, both ends included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface OauthClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Settings {
  /** The name of this daemon among those of its database; '' if it has none. */
  readonly nodeName: string;
  readonly dataDir: string;
  readonly listen: ListenAddress;
  /** The listener of plain HTTP; null for none. */
  readonly httpListen: ListenAddress | null;
  /** The listener for SSH clients; null for none. */
  readonly sshListen: ListenAddress | null;
  /** The shared domain. Ephemeral names and short reserved names are labels below it. */
  readonly domain: Hostname;
  readonly region: Region;
  /** The public URL of the API without a trailing slash, e.g. `https://api.underpass.localhost:8443`. */
  readonly baseUrl: string;
  /** The name of the console; null if it is at the names of the API. Neither `domain` nor below it. */
  readonly consoleHost: Hostname | null;
  /** The port of public URLs: that of `baseUrl`, 443 by default. */
  readonly publicPort: number;
  /** The port of public URLs for plain HTTP; null if it is off. */
  readonly plainPort: number | null;
  /** Accepted request headers that carry the API version; the first is documented. */
  readonly versionHeaders: readonly string[];
  /** Ends in an underscore. Agents and visitors get the prefix of the profile, if there is one. */
  readonly errorPrefix: string;
  /** The response header with the edge's error code, in lower case. */
  readonly errorCodeHeader: string;
  /** The request headers in which backends receive the logged-in user. */
  readonly userHeaders: UserHeaders;
  /** Other words for API clients that select them; null for none. */
  readonly profile: Profile | null;
  /** Requests per rolling 60 s and account; 0 for no limit. */
  readonly apiRateLimit: number;
  /** The ports of reserved addresses. */
  readonly tcpPorts: PortRange;
  /** Special-purpose ranges that may be dialled. */
  readonly allowPrivate: readonly Cidr[];
  /**
   * The URL for events of the monitoring service in place of its sites, without a trailing slash; null for its sites.
   */
  readonly monitoringIntake: string | null;
  /** The certificates that the service obtains by itself; null for none. */
  readonly managedCertificates: { readonly wildcards: boolean } | null;
  /** True if names outside the shared domain are served only after a proof in their DNS. */
  readonly requireDomainProof: boolean;
  /** Addresses of load balancers, whose PROXY header names the client. */
  readonly proxyProtocolFrom: readonly Cidr[];
  /** The operator's applications for logins that name none. */
  readonly oauthClients: ReadonlyMap<OauthProvider, OauthClientSettings>;
}

/** What the operator decided, parsed once. Every layer is handed the parts that it needs. */
import type { Cidr } from './cidr.ts';
import type { Hostname } from './hostname.ts';
import type { OauthProvider } from './oauth-providers.ts';
import type { Profile } from './profile.ts';
import type { Region } from './region.ts';
import type { UserHeaders } from './user-headers.ts';

/**
 * The response header by which the edge marks its own errors, unless a profile names another; an upstream and a fixed response cannot
 * set it.
 */
export const ERROR_CODE_HEADER = 'underpass-error-code';

export interface ListenAddress {
  /** `::` for every address. */
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
  /** A socket of a service manager that is listened on instead; host and port are what it is expected to have. */
  readonly descriptor?: number;
}

/** Both ends belong to it. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

export interface OauthClientSettings {
  readonly clientId: string;
  readonly clientSecret: string;
}

export interface Settings {
  readonly dataDir: string;
  readonly listen: ListenAddress;
  /** Where plain HTTP is redirected; null for nowhere. */
  readonly httpListen: ListenAddress | null;
  /** Where SSH clients start tunnels; null for nowhere. */
  readonly sshListen: ListenAddress | null;
  /** The shared domain: ephemeral names and short reserved names are labels below it. */
  readonly domain: Hostname;
  readonly region: Region;
  /** Without a trailing slash, e.g. `https://api.underpass.localhost:8443`. */
  readonly baseUrl: string;
  /** The port of public URLs: that of `baseUrl`, 443 when it names none. */
  readonly publicPort: number;
  /** The port of public URLs for plain HTTP; null where there is none. */
  readonly plainPort: number | null;
  /** Accepted request headers that carry the API version; the first is documented. */
  readonly versionHeaders: readonly string[];
  /** Ends in an underscore. Agents and visitors read that of the profile, if there is one. */
  readonly errorPrefix: string;
  /** The response header by which the edge marks its own errors, in lower case. */
  readonly errorCodeHeader: string;
  /** By which backends read who has logged in. */
  readonly userHeaders: UserHeaders;
  /** Other words for API clients that ask for them; null for none. */
  readonly profile: Profile | null;
  /** Requests per rolling 60 s and account; 0 for no limit. */
  readonly apiRateLimit: number;
  /** The ports that reserved addresses get. */
  readonly tcpPorts: PortRange;
  /** Special-purpose ranges that may be dialled all the same. */
  readonly allowPrivate: readonly Cidr[];
  /** Where events for the monitoring service go instead of its sites, without a trailing slash; null for its sites. */
  readonly monitoringIntake: string | null;
  /** What certificates the service gets by itself; null for none. */
  readonly managedCertificates: { readonly wildcards: boolean } | null;
  /** Whether names that are not below the shared domain are served only where their DNS says so. */
  readonly requireDomainProof: boolean;
  /** Load balancers: they say whose connection it is that they make. */
  readonly proxyProtocolFrom: readonly Cidr[];
  /** Applications of the operator's, with which users log in where no other is given. */
  readonly oauthClients: ReadonlyMap<OauthProvider, OauthClientSettings>;
}

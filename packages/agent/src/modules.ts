/** The modules of a tunnel that the service applies to its visitors. The agent checks their values before a bind (check-values.ts), and the service again. */

export interface HeaderEdits {
  /** `name:value`; a Host of requests is replaced. */
  readonly add?: readonly string[];
  readonly remove?: readonly string[];
}

/** Users of a provider that a login admits; all of them if both are empty or absent. */
export interface AllowedUsers {
  readonly emails?: readonly string[];
  readonly domains?: readonly string[];
}

/** Login by OpenID Connect. */
export interface OidcLogin {
  /** URL. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly allow?: AllowedUsers;
  /** True if `allow` accepts addresses that the issuer does not state to be verified. Absent: false. */
  readonly allowUnverifiedEmail?: boolean;
  /** Scopes beside the usual ones. */
  readonly scopes?: readonly string[];
}

/** The client is one that the service was given, where none is here. */
export interface OauthLogin {
  readonly provider: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly allow?: AllowedUsers;
  readonly scopes?: readonly string[];
}

/** All but the ranges and the authorities are of HTTP tunnels. */
export interface TunnelModules {
  readonly requestHeaders?: HeaderEdits;
  readonly responseHeaders?: HeaderEdits;
  readonly compression?: boolean;
  /** The share of requests, 0 to 1, that may fail before no more are let through for a while. */
  readonly circuitBreaker?: number;
  /** Users that may log in. */
  readonly basicAuth?: readonly { readonly username: string; readonly password: string }[];
  /** Ranges of visitors' addresses; what is denied is so although it is allowed. */
  readonly cidrs?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  /** Patterns of what programs call themselves; what is allowed is so although it is denied. */
  readonly userAgents?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  /** The local server gets the bytes of WebSocket messages. */
  readonly websocketTcpConverter?: boolean;
  /** PEM of authorities; visitors need a certificate of one of them. For TLS tunnels only if the service terminates TLS. */
  readonly mutualTlsCa?: string;
  readonly oauth?: OauthLogin;
  readonly oidc?: OidcLogin;
  /** Sender that signs the requests. */
  readonly webhook?: { readonly provider: string; readonly secret: string };
}

/** Returns the `Opts` of a bind that request the modules (agent protocol, section 5). */
export function moduleOptions(
  modules: TunnelModules,
  proto: 'http' | 'tls' | 'tcp',
): Record<string, unknown> {
  const { requestHeaders, responseHeaders, compression, circuitBreaker, basicAuth, cidrs } = modules;
  const { userAgents, websocketTcpConverter, mutualTlsCa, oauth, oidc, webhook } = modules;
  const authorities = proto === 'tls' ? 'MutualTLSAtEdge' : 'MutualTLSCA';
  return {
    ...(requestHeaders === undefined ? {} : { RequestHeaders: asEdits(requestHeaders) }),
    ...(responseHeaders === undefined ? {} : { ResponseHeaders: asEdits(responseHeaders) }),
    ...(compression === true ? { Compression: {} } : {}),
    ...(circuitBreaker === undefined ? {} : { CircuitBreaker: { error_threshold: circuitBreaker } }),
    ...(basicAuth === undefined ? {} : { BasicAuth: { credentials: basicAuth.map(asCredential) } }),
    ...(cidrs === undefined ? {} : { IPRestriction: asRanges(cidrs) }),
    ...(userAgents === undefined
      ? {}
      : { UserAgentFilter: { allow: userAgents.allow ?? [], deny: userAgents.deny ?? [] } }),
    ...(websocketTcpConverter === true ? { WebsocketTCPConverter: {} } : {}),
    ...(mutualTlsCa === undefined ? {} : { [authorities]: { mutual_tls_ca: inBase64(mutualTlsCa) } }),
    ...(oauth === undefined ? {} : { OAuth: { provider: oauth.provider, ...asClient(oauth) } }),
    ...(oidc === undefined ? {} : { OIDC: oidcOption(oidc) }),
    ...(webhook === undefined ? {} : { WebhookVerification: webhook }),
  };
}

function asEdits({ add = [], remove = [] }: HeaderEdits): object {
  return { add, remove };
}

function asRanges({ allow = [], deny = [] }: NonNullable<TunnelModules['cidrs']>): object {
  return { allow_cidrs: allow, deny_cidrs: deny };
}

/** Services that do not know the field refuse it, so it is sent only if it is set. */
function oidcOption(oidc: OidcLogin): object {
  const unverified = oidc.allowUnverifiedEmail === true ? { allow_unverified_email: true } : {};
  return { issuer_url: oidc.issuer, ...asClient(oidc), ...unverified };
}

export function inBase64(pem: string): string {
  return Buffer.from(pem).toString('base64');
}

function asCredential(login: { readonly username: string; readonly password: string }): object {
  return { username: login.username, cleartext_password: login.password };
}

function asClient({
  clientId = '',
  clientSecret = '',
  allow = {},
  scopes = [],
}: OauthLogin | OidcLogin): object {
  return {
    client_id: clientId,
    client_secret: clientSecret,
    allow_emails: allow.emails ?? [],
    allow_domains: allow.domains ?? [],
    scopes,
  };
}

/** What a tunnel asks the service to do with its visitors. The service checks the values, and refuses the bind of a tunnel with bad ones. */

export interface HeaderEdits {
  /** `name:value`; a Host of requests is replaced. */
  readonly add: readonly string[];
  readonly remove: readonly string[];
}

/** All but the ranges are of HTTP tunnels. */
export interface TunnelModules {
  readonly requestHeaders?: HeaderEdits;
  readonly responseHeaders?: HeaderEdits;
  readonly compression?: boolean;
  /** The share of requests, 0 to 1, that may fail before no more are let through for a while. */
  readonly circuitBreaker?: number;
  /** Who may log in. */
  readonly basicAuth?: readonly { readonly username: string; readonly password: string }[];
  /** Ranges of visitors' addresses; what is denied is so although it is allowed. */
  readonly cidrs?: { readonly allow: readonly string[]; readonly deny: readonly string[] };
}

/** The `Opts` of a bind that ask for them (agent protocol, section 5). */
export function moduleOptions(modules: TunnelModules): Record<string, unknown> {
  const { requestHeaders, responseHeaders, compression, circuitBreaker, basicAuth, cidrs } = modules;
  return {
    ...(requestHeaders === undefined ? {} : { RequestHeaders: requestHeaders }),
    ...(responseHeaders === undefined ? {} : { ResponseHeaders: responseHeaders }),
    ...(compression === true ? { Compression: {} } : {}),
    ...(circuitBreaker === undefined ? {} : { CircuitBreaker: { error_threshold: circuitBreaker } }),
    ...(basicAuth === undefined ? {} : { BasicAuth: { credentials: basicAuth.map(asCredential) } }),
    ...(cidrs === undefined ? {} : { IPRestriction: { allow_cidrs: cidrs.allow, deny_cidrs: cidrs.deny } }),
  };
}

function asCredential(login: { readonly username: string; readonly password: string }): object {
  return { username: login.username, cleartext_password: login.password };
}

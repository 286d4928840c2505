/**
 * The modules of routes, in the order of their checks, which is a contract.
 * Invariant: no module is skipped. One of a route that is missing here does not compile, and an unknown one in a
 * document refuses traffic.
 */
import type { EndpointConfigurationDocument, HttpsEdgeRouteDocument } from '../../documents/index.ts';
import type { AgentModules } from '../../online/agent-modules.ts';
import { basicAuth } from './basic-auth.ts';
import { circuitBreaker } from './circuit-breaker.ts';
import { compression } from './compression.ts';
import { requestHeaders, responseHeaders } from './headers.ts';
import { ipRestriction } from './ip-restriction.ts';
import type { EdgeModule } from './module.ts';
import { oauth } from './oauth.ts';
import { oidc } from './oidc.ts';
import { saml } from './saml.ts';
import { userAgentFilter } from './user-agent-filter.ts';
import { webhookVerification } from './webhook-verification.ts';
import { websocketTcpConverter } from './websocket-tcp-converter.ts';

/** The fields of a document that are modules, with their configurations. */
type ModulesOf<Document> = {
  [Name in keyof Document as Document[Name] extends { readonly enabled: boolean } | null
    ? Name
    : never]: NonNullable<Document[Name]>;
};

/** Modules of the site instead of its routes: see compile/compile-site.ts. */
type SiteModule = 'backend' | 'mutual_tls' | 'tls_termination';
/** The modules that endpoint configurations call otherwise than routes. */
type Renamed = 'ip_policy' | 'webhook_validation';

type OfRoutes = ModulesOf<HttpsEdgeRouteDocument>;
type OfConfigurations = ModulesOf<EndpointConfigurationDocument>;
type OfAgents = Required<AgentModules>;
type Entry<Modules, Name> = Name extends keyof Modules ? Modules[Name] : never;

export type RouteModuleName = Exclude<
  keyof OfRoutes | keyof OfConfigurations | keyof OfAgents,
  SiteModule | Renamed
>;
/** The configurations of a module, in all kinds of documents. */
type ConfigOf<Name extends RouteModuleName> =
  | Entry<OfRoutes, Name>
  | Entry<OfConfigurations, Name>
  | Entry<OfAgents, Name>;

/** Null: known, and not applied by this version, so that it refuses traffic. */
export const routeModules: {
  readonly [Name in RouteModuleName]: EdgeModule<ConfigOf<Name>> | null;
} = {
  ip_restriction: ipRestriction,
  user_agent_filter: userAgentFilter,
  basic_auth: basicAuth,
  webhook_verification: webhookVerification,
  circuit_breaker: circuitBreaker,
  saml,
  oidc,
  oauth,
  websocket_tcp_converter: websocketTcpConverter,
  request_headers: requestHeaders,
  response_headers: responseHeaders,
  compression,
};

/** Names of modules that are the site's own, or another name for one of the list. */
export const otherModules = {
  backend: null,
  mutual_tls: null,
  tls_termination: null,
  ip_policy: 'ip_restriction',
  webhook_validation: 'webhook_verification',
} as const satisfies Record<SiteModule | Renamed, RouteModuleName | null>;

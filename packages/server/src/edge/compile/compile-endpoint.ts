/**
 * Compiles the sites of agents' binds. Pure, like compile-site.ts.
 * Invariant: every requested module takes effect, or the site serves no visitor.
 */
import type { EndpointConfigurationDocument, StoredDocument } from '../../documents/index.ts';
import type { AgentModules } from '../../online/agent-modules.ts';
import { conflictOf } from '../../online/conflict.ts';
import type { TunnelHandle, TunnelTermination } from '../../online/online.ts';
import type { TunnelFacts } from '../../online/tunnel-facts.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import type { TlsPolicy } from '../sites/site.ts';
import type { AccountLook } from './account-restriction.ts';
import { type CompiledRoute, compileRoute, type ModuleFields } from './compile-route.ts';
import { type CompiledSite, type OneRoute, siteOfOne, sitePartsOf, whenPassing } from './compile-site.ts';
import { type TlsModules, tlsPolicy } from './tls-policy.ts';

/**
 * Compiles a tunnel at the front door, behind the modules of its agent and of configurations. Each module comes from
 * the reservation nearest to the requested name. If that one has none, it comes from the reservation nearest to the
 * bound name.
 */
export function compileEndpoint(
  tunnel: TunnelHandle,
  reservations: readonly (StoredDocument<'reserved_domain'> | undefined)[],
  look: AccountLook,
  before: CompiledSite | undefined,
): CompiledSite {
  const ids = reservations.flatMap((reservation) => configurationOf(reservation, tunnel.facts) ?? []);
  const served = serve(tunnel, ids, look, before);
  const one = siteOf(tunnel, served, look);
  return siteOfOne({ id: served.route.id, ...placeOf(tunnel) }, one);
}

/** Compiles a tunnel on a TCP port, behind the modules of its agent and of its address's configuration. */
export function compileTcpEndpoint(
  tunnel: TunnelHandle,
  address: StoredDocument<'reserved_addr'> | undefined,
  look: AccountLook,
  before: CompiledSite | undefined,
): CompiledSite {
  const id = address?.body.endpoint_configuration_id ?? null;
  const { route } = serve(tunnel, id === null ? [] : [id], look, before);
  const refusal = route.refusal ?? (worksOnBytes(route) ? null : 'moduleWithoutEffect');
  return siteOfOne(
    { id: route.id, ...placeOf(tunnel) },
    { edgeType: '0', tls: null, carries: 'bytes', route: { ...route, refusal } },
  );
}

function placeOf({ facts: { account, endpoint } }: TunnelHandle): { account: string; endpoint: string } {
  return { account, endpoint: endpoint?.text ?? '' };
}

function configurationOf(
  reservation: StoredDocument<'reserved_domain'> | undefined,
  { endpoint }: TunnelFacts,
): string | null | undefined {
  const body = reservation?.body;
  return endpoint?.isPlain === true
    ? body?.http_endpoint_configuration_id
    : body?.https_endpoint_configuration_id;
}

function siteOf(tunnel: TunnelHandle, served: Served, look: AccountLook): OneRoute {
  const { endpoint } = tunnel.facts;
  if (endpoint?.proto === 'tls') return bytesInTls(tunnel.termination, served, look);
  if (endpoint?.isPlain !== true) return httpInTls(served, look);
  return { edgeType: '0', tls: null, carries: 'http', route: served.route };
}

interface Served {
  /** Site of its TLS settings. */
  readonly site: string;
  readonly fields: Partial<Pick<TlsModules, 'mutual_tls'>> &
    Partial<Pick<EndpointConfigurationDocument, 'tls_termination'>>;
  readonly route: CompiledRoute;
}

/** `ids` are those of its endpoint configurations. */
function serve(
  tunnel: TunnelHandle,
  ids: readonly string[],
  look: AccountLook,
  before: CompiledSite | undefined,
): Served {
  const { account, endpoint } = tunnel.facts;
  const id = tunnel.pool?.id ?? endpoint?.id ?? tunnel.id;
  const configurations = ids.map((one) => look.get('endpoint_configuration', one)?.body);
  const configured = mergedModules(configurations);
  const { modules } = tunnel;
  const fields = { ...configured, ...modules, ...basicAuthOf(configured, modules) };
  const { mutual_tls = null, backend: other = null } = fields;
  const backend = tunnelBackend(tunnel);
  const siteParts = sitePartsOf({ account }, { mutual_tls }, look);
  // The id is that of a bind, and another one when the agent comes back.
  const carrierOf = (module: string): string =>
    ids.find((_, at) => hasModule(configurations[at], module)) ?? id;
  const place = `${account} ${endpoint?.hostname ?? id}`;
  const route = compileRoute({
    ...{ id, account, place, fields, carrierOf, look, backend, siteParts },
    before: before?.routes.get(id),
  });
  const isUnclear = configurations.includes(undefined) || other?.enabled === true;
  const isTwice = conflictOf(modules, configured) !== null;
  const refusal = isUnclear ? 'moduleWithoutEffect' : isTwice ? 'modulesOfBoth' : route.refusal;
  return { site: ids.length === 0 ? 'endpoint' : ids.join('+'), fields, route: { ...route, refusal } };
}

function httpInTls({ site, fields, route }: Served, look: AccountLook): OneRoute {
  const { tls_termination = null, mutual_tls = null } = fields;
  const passes = tls_termination?.enabled === true && tls_termination.terminate_at === 'upstream';
  return {
    edgeType: '0',
    tls: tlsPolicy(site, { tls_termination, mutual_tls }, look),
    carries: 'http',
    route: passes ? { ...route, refusal: 'moduleWithoutEffect' } : route,
  };
}

/** A configuration that has TLS ended elsewhere than the agent has it, or that is of requests, would be without effect. */
function bytesInTls(
  termination: TunnelTermination | null,
  { site, fields, route }: Served,
  look: AccountLook,
): OneRoute {
  const { tls_termination = null, mutual_tls = null } = fields;
  const ends = termination === null ? 'upstream' : 'edge';
  const endsElsewhere = tls_termination?.enabled === true && tls_termination.terminate_at !== ends;
  const misfit = endsElsewhere || !worksOnBytes(route) ? 'moduleWithoutEffect' : null;
  const refusal = misfit ?? (termination === null ? whenPassing(false, mutual_tls) : null);
  return {
    edgeType: '0',
    tls: termination && tunnelPolicy(site, termination, { tls_termination, mutual_tls }, look),
    carries: 'bytes',
    route: { ...route, refusal: route.refusal ?? refusal },
  };
}

/** Returns true if all modules of a route can be applied to bytes: what edits or counts requests would be without effect. */
function worksOnBytes({ made }: CompiledRoute): boolean {
  return [...made.values()].every(({ parts }) => {
    const { guards = [], bodyGuards, requestEdits, responseEdits, bodyStages, watches, converter } = parts;
    const ofRequests = [bodyGuards, requestEdits, responseEdits, bodyStages, watches, converter];
    return guards.every(({ reads }) => reads === 'connection') && ofRequests.every((it) => it === undefined);
  });
}

/** Returns the policy of TLS that the edge terminates for a tunnel. HTTP on the same name has another one. */
function tunnelPolicy(
  site: string,
  { certificate }: TunnelTermination,
  modules: TlsModules,
  look: AccountLook,
): TlsPolicy {
  if (certificate === null) return tlsPolicy(`${site} for bytes`, modules, look);
  return { ...tlsPolicy(`${site} with ${certificate.name}`, modules, look), certificate };
}

/**
 * Combines the configuration's settings for logins with the agent's credentials. A login is required if either has the
 * module.
 */
function basicAuthOf(
  { basic_auth: configured }: Partial<EndpointConfigurationDocument>,
  { basic_auth: own }: AgentModules,
): ModuleFields {
  return configured?.enabled === true && own !== undefined ? { basic_auth: { ...configured, ...own } } : {};
}

function hasModule(configuration: EndpointConfigurationDocument | undefined, name: string): boolean {
  return Object.entries(configuration ?? {}).some(([field, value]) => field === name && value !== null);
}

/** Returns each module of the first configuration that has it. */
function mergedModules(
  configurations: readonly (EndpointConfigurationDocument | undefined)[],
): Partial<EndpointConfigurationDocument> {
  const merged: Record<string, unknown> = {};
  for (const configuration of configurations.toReversed()) {
    for (const [name, value] of Object.entries(configuration ?? {})) if (value !== null) merged[name] = value;
  }
  return merged;
}

/** Makes sites from documents. Pure: what is read is read through `look`, and what lives on comes from the site before. */
import type { EndpointConfigurationDocument, StoredDocument, SwitchModule } from '../../documents/index.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { AgentModules } from '../../online/agent-modules.ts';
import { conflictOf } from '../../online/conflict.ts';
import type { LiveTunnel, TunnelTermination } from '../../online/online.ts';
import { tunnelBackend } from '../backends/tunnel-backend.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import type { RouteParts } from '../modules/module.ts';
import { mutualTlsParts } from '../modules/mutual-tls.ts';
import { groups } from '../sites/groups.ts';
import type { Look } from '../sites/look.ts';
import type { Guard, Site, TlsPolicy } from '../sites/site.ts';
import { type AccountLook, accountGuards } from './account-restriction.ts';
import { backendOf, type CompiledRoute, compileRoute, type ModuleFields } from './compile-route.ts';
import { RouteChoice } from './route-choice.ts';
import { type TlsModules, tlsPolicy } from './tls-policy.ts';

export interface CompiledSite extends Site {
  readonly routes: ReadonlyMap<string, CompiledRoute>;
}

export type EdgeDocumentOfSite = StoredDocument<'tls_edge' | 'https_edge' | 'tcp_edge'>;

export function compileEdge(
  edge: EdgeDocumentOfSite,
  look: AccountLook,
  before: CompiledSite | undefined,
): CompiledSite {
  switch (edge.kind) {
    case 'tls_edge':
      return compileTlsEdge(edge, look, before);
    case 'https_edge':
      return compileHttpsEdge(edge, look, before);
    case 'tcp_edge':
      return compileTcpEdge(edge, look, before);
    default:
      return edge satisfies never;
  }
}

/** Open points, A 10: without the module TLS passes through; a module that is off counts as not there. */
function compileTlsEdge(
  edge: StoredDocument<'tls_edge'>,
  look: AccountLook,
  before: CompiledSite | undefined,
): CompiledSite {
  const { id, body } = edge;
  const terminates = body.tls_termination?.enabled === true && body.tls_termination.terminate_at === 'edge';
  const backend = backendOf(body.backend, look);
  const isFixed = look.get('http_response_backend', backend.id) !== undefined;
  const siteParts = sitePartsOf(edge, body, look);
  const route = compileRoute({
    ...{ id, fields: body, look, backend, siteParts },
    before: before?.routes.get(id),
  });
  const refusal = route.refusal ?? (terminates ? null : whenPassing(isFixed, body.mutual_tls));
  return siteOfOne(edge, {
    edgeType: '2',
    tls: terminates ? tlsPolicy(id, body, look) : null,
    carries: terminates && isFixed ? 'http' : 'bytes',
    route: { ...route, refusal },
  });
}

/** What stands in front of every route: the account's restriction first. */
function sitePartsOf(
  { account }: { readonly account: string },
  { mutual_tls }: { readonly mutual_tls: SwitchModule | null },
  look: AccountLook,
): RouteParts {
  const parts = mutualTlsParts(mutual_tls);
  return { ...parts, guards: [...accountGuards(account, look), ...(parts.guards ?? [])] };
}

/** Who passes TLS through cannot answer in it, nor see certificates. */
function whenPassing(isFixed: boolean, mutualTls: SwitchModule | null = null): ErrorName | null {
  if (mutualTls?.enabled === true) return 'moduleWithoutEffect';
  return isFixed ? 'fixedResponseNotTerminated' : null;
}

function compileTcpEdge(
  edge: StoredDocument<'tcp_edge'>,
  look: AccountLook,
  before: CompiledSite | undefined,
): CompiledSite {
  const { id, body } = edge;
  const backend = backendOf(body.backend, look);
  const siteParts = { guards: accountGuards(edge.account, look) };
  const route = compileRoute({
    ...{ id, fields: body, look, backend, siteParts },
    before: before?.routes.get(id),
  });
  const isFixed = look.get('http_response_backend', backend.id) !== undefined;
  const refusal = route.refusal ?? whenPassing(isFixed);
  return siteOfOne(edge, { edgeType: '1', tls: null, carries: 'bytes', route: { ...route, refusal } });
}

function compileHttpsEdge(
  edge: StoredDocument<'https_edge'>,
  look: AccountLook,
  before: CompiledSite | undefined,
): CompiledSite {
  const routes = new Map<string, CompiledRoute>();
  const documents = look.group('https_edge_route', groups.routesOf(edge.id));
  const siteParts = sitePartsOf(edge, edge.body, look);
  for (const { id, body } of documents) {
    const backend = backendOf(body.backend, look);
    const route = compileRoute({
      ...{ id, fields: body, look, backend, siteParts },
      before: before?.routes.get(id),
    });
    routes.set(id, route);
  }
  const choice = new RouteChoice(
    documents.map(({ id, body: { match_type: matchType, match } }) => ({
      matchType,
      match,
      route: routes.get(id)!,
    })),
    {
      routeMissing: refusingRoute('routeMissing', siteParts),
      requestPathAmbiguous: refusingRoute('requestPathAmbiguous', siteParts),
    },
  );
  return {
    id: edge.id,
    account: edge.account,
    edgeType: '3',
    tls: tlsPolicy(edge.id, edge.body, look),
    carries: 'http',
    routesByPath: true,
    routes,
    route: (path) => choice.choose(path),
  };
}

/**
 * What an agent bound, behind the modules that it asked for and those of configurations: of the reservation that is nearest to the name which is asked for, and
 * where that one says nothing, of the one that is nearest to what was bound.
 */
export function compileEndpoint(
  tunnel: LiveTunnel,
  reservations: readonly (StoredDocument<'reserved_domain'> | undefined)[],
  look: AccountLook,
  before: CompiledSite | undefined,
): CompiledSite {
  const id = tunnel.endpoint ?? tunnel.id;
  const ids = reservations.flatMap((reservation) => reservation?.body.https_endpoint_configuration_id ?? []);
  const configurations = ids.map((one) => look.get('endpoint_configuration', one)?.body);
  const configured = mergedModules(configurations);
  const { modules = {} } = tunnel;
  const fields = { ...configured, ...modules, ...basicAuthOf(configured, modules) };
  const { mutual_tls = null, backend: other = null } = fields;
  const backend = tunnelBackend(tunnel);
  const siteParts = sitePartsOf(tunnel, { mutual_tls }, look);
  const route = compileRoute({ id, fields, look, backend, siteParts, before: before?.routes.get(id) });
  const isUnclear = configurations.includes(undefined) || other?.enabled === true;
  const isTwice = conflictOf(modules, configured) !== null;
  const refusal = isUnclear ? 'moduleWithoutEffect' : isTwice ? 'modulesOfBoth' : route.refusal;
  const site = ids.length === 0 ? 'endpoint' : ids.join('+');
  const served = { site, fields, route: { ...route, refusal } };
  const one = tunnel.proto === 'tls' ? bytesInTls(tunnel, served, look) : httpInTls(served, look);
  return siteOfOne({ id, account: tunnel.account }, one);
}

interface Served {
  /** What its TLS settings are of. */
  readonly site: string;
  readonly fields: Partial<Pick<TlsModules, 'mutual_tls'>> &
    Partial<Pick<EndpointConfigurationDocument, 'tls_termination'>>;
  readonly route: CompiledRoute;
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
  { termination = null }: LiveTunnel,
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

/** Whether all modules of a route can be applied to bytes: what edits or counts requests would be without effect. */
function worksOnBytes({ made }: CompiledRoute): boolean {
  return [...made.values()].every(({ parts }) => {
    const { guards = [], bodyGuards, requestEdits, responseEdits, bodyStages, watches, converter } = parts;
    const ofRequests = [bodyGuards, requestEdits, responseEdits, bodyStages, watches, converter];
    return guards.every(({ reads }) => reads === 'connection') && ofRequests.every((it) => it === undefined);
  });
}

/** Of TLS that a tunnel has ended at the edge; that of HTTP on the same name has another one. */
function tunnelPolicy(
  site: string,
  { certificate }: TunnelTermination,
  modules: TlsModules,
  look: AccountLook,
): TlsPolicy {
  if (certificate === null) return tlsPolicy(`${site} for bytes`, modules, look);
  return { ...tlsPolicy(`${site} with ${certificate.name}`, modules, look), certificate };
}

/** How visitors log in says the configuration, with what the agent; where only one of them asks for it, it is asked for all the same. */
function basicAuthOf(
  { basic_auth: configured }: Partial<EndpointConfigurationDocument>,
  { basic_auth: own }: AgentModules,
): ModuleFields {
  return configured?.enabled === true && own !== undefined ? { basic_auth: { ...configured, ...own } } : {};
}

/** Each module as the first configuration has it that has it. */
function mergedModules(
  configurations: readonly (EndpointConfigurationDocument | undefined)[],
): Partial<EndpointConfigurationDocument> {
  const merged: Record<string, unknown> = {};
  for (const configuration of configurations.toReversed()) {
    for (const [name, value] of Object.entries(configuration ?? {})) if (value !== null) merged[name] = value;
  }
  return merged;
}

const idlePolicy: TlsPolicy = { key: 'endpoint/TLSv1.2', minVersion: 'TLSv1.2', clientAuthorities: null };

/** A name that somebody has, or could have, and that nothing serves. `id` is the reservation's or the name itself; '' for names of nobody. */
export function idleSite(id: string, account: string, guards: readonly Guard[] = []): CompiledSite {
  const backend = unservedBackend(id, 'nothingOnline');
  const route = compileRoute({
    id,
    fields: {},
    look: noLook,
    backend,
    siteParts: { guards },
    before: undefined,
  });
  return siteOfOne({ id, account }, { edgeType: '0', tls: idlePolicy, carries: 'http', route });
}

/** Where no route serves, what stands in front of all of them is asked all the same. */
function refusingRoute(refusal: ErrorName, siteParts: RouteParts): CompiledRoute {
  const backend = unservedBackend('', refusal);
  const route = compileRoute({ id: '', fields: {}, look: noLook, backend, siteParts, before: undefined });
  return { ...route, refusal };
}

/** For a route without modules. */
const noLook: Look = { get: () => undefined, group: () => [], rules: nothing, backend: nothing };

function nothing(): never {
  throw new Error('there is nothing to be looked up');
}

interface OneRoute extends Pick<Site, 'edgeType' | 'tls' | 'carries'> {
  readonly route: CompiledRoute;
}

function siteOfOne(
  { id, account }: { readonly id: string; readonly account: string },
  { edgeType, tls, carries, route }: OneRoute,
): CompiledSite {
  return {
    id,
    account,
    edgeType,
    tls,
    carries,
    routesByPath: false,
    routes: new Map([[id, route]]),
    route: () => route,
  };
}

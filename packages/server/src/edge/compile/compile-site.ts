/** Makes sites from documents. Pure: what is read is read through `look`, and what lives on comes from the site before. */
import type { HttpsEdgeDocument, StoredDocument, SwitchModule } from '../../documents/index.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { loginPaths } from '../../login/paths.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import { cookieNamesOf, loginConfigOf } from '../modules/login/config.ts';
import { withoutCookies } from '../modules/login/cookies.ts';
import type { RouteParts } from '../modules/module.ts';
import { mutualTlsParts } from '../modules/mutual-tls.ts';
import type { Look } from '../sites/look.ts';
import type { ExplainedGuard, Site, TlsPolicy } from '../sites/site.ts';
import { type AccountLook, accountGuards } from './account-restriction.ts';
import { backendOf, type CompiledRoute, compileRoute, isEnabled } from './compile-route.ts';
import { RouteChoice } from './route-choice.ts';
import { tlsPolicy } from './tls-policy.ts';

export interface CompiledSite extends Site {
  readonly routes: ReadonlyMap<string, CompiledRoute>;
  route(path: string): CompiledRoute;
  /** Reason of `route` in a sentence. Absent: there is one route for every path. */
  readonly reasonOfRoute?: (path: string) => string;
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
    ...{ id, account: edge.account, place: id, fields: body, look, backend, siteParts },
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

/** Returns the modules in front of every route, the account's restriction first. */
export function sitePartsOf(
  { account }: { readonly account: string },
  { mutual_tls }: { readonly mutual_tls: SwitchModule | null },
  look: AccountLook,
): RouteParts {
  const parts = mutualTlsParts(mutual_tls);
  return { ...parts, guards: [...accountGuards(account, look), ...(parts.guards ?? [])] };
}

/** Returns the error if the edge passes TLS through: it can then neither respond in it nor see certificates. */
export function whenPassing(isFixed: boolean, mutualTls: SwitchModule | null = null): ErrorName | null {
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
    ...{ id, account: edge.account, place: id, fields: body, look, backend, siteParts },
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
  const documents = look.group('https_edge_route', 'routesOf', edge.id);
  const ownParts = sitePartsOf(edge, edge.body, look);
  const siteParts = withoutLoginCookies(ownParts, documents, look);
  const refusal = hasUnknownModule(edge.body) ? 'moduleWithoutEffect' : null;
  for (const { id, body } of documents) {
    const backend = backendOf(body.backend, look);
    const route = compileRoute({
      ...{ id, account: edge.account, place: id, fields: body, look, backend, siteParts },
      before: before?.routes.get(id),
    });
    routes.set(id, { ...route, refusal: route.refusal ?? refusal });
  }
  // The upstream of a route without a guard may be that of one with a guard.
  if ([...routes.values()].some(({ isGuarded }) => isGuarded)) {
    for (const [id, route] of routes) routes.set(id, { ...route, isGuarded: true });
  }
  const logsIn = documents.find(({ body }) => loginConfigOf(body) !== null);
  const choice = new RouteChoice(
    documents.map(({ id, body: { match_type: matchType, match } }) => ({
      matchType,
      match,
      protections: routes.get(id)!.protections,
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
    route: (path) =>
      logsIn !== undefined && loginPaths.has(path) ? routes.get(logsIn.id)! : choice.choose(path),
    reasonOfRoute: (path) =>
      logsIn !== undefined && loginPaths.has(path)
        ? 'The path belongs to the login module, so the route with that module has it.'
        : choice.reasonOf(path),
  };
}

/** Returns true if an HTTPS edge has something turned on, for all its routes, that came with a later version. */
function hasUnknownModule({ mutual_tls: _, tls_termination: __, ...others }: HttpsEdgeDocument): boolean {
  return Object.values(others).some(isEnabled);
}

/** A browser sends the cookies of one route to all of them. */
function withoutLoginCookies(
  parts: RouteParts,
  routes: readonly StoredDocument<'https_edge_route'>[],
  { login }: Look,
): RouteParts {
  const configs = routes.flatMap(({ body }) => loginConfigOf(body) ?? []);
  const edits = configs.map((config) => withoutCookies(cookieNamesOf(config, login)));
  return { ...parts, requestEdits: [...(parts.requestEdits ?? []), ...edits] };
}

const idlePolicy: TlsPolicy = { key: 'endpoint/TLSv1.2', minVersion: 'TLSv1.2', clientAuthorities: null };

/**
 * Returns the site of a name without a server. `id` is that of the reservation, or the name itself; '' for a name
 * without an account.
 */
export function idleSite(
  id: string,
  account: string,
  guards: readonly ExplainedGuard[] = [],
  reason: ErrorName = 'nothingOnline',
): CompiledSite {
  const backend = unservedBackend(id, reason);
  const route = compileRoute({
    id,
    account,
    place: id,
    fields: {},
    look: noLook,
    backend,
    siteParts: { guards },
    before: undefined,
  });
  return siteOfOne({ id, account }, { edgeType: '0', tls: idlePolicy, carries: 'http', route });
}

/** The site's own modules decide first, even if no route serves. */
function refusingRoute(refusal: ErrorName, siteParts: RouteParts): CompiledRoute {
  const backend = unservedBackend('', refusal);
  const route = compileRoute({
    ...{ id: '', account: '', place: '', fields: {}, look: noLook, backend, siteParts },
    before: undefined,
  });
  return { ...route, refusal };
}

/** A look for routes without modules. */
const noLook: Look = {
  get: () => undefined,
  group: () => [],
  rules: nothing,
  secret: nothing,
  login: null,
  backend: nothing,
};

function nothing(): never {
  throw new Error('there is nothing to be looked up');
}

export interface OneRoute extends Pick<Site, 'edgeType' | 'tls' | 'carries'> {
  readonly route: CompiledRoute;
}

export function siteOfOne(
  {
    id,
    account,
    endpoint = '',
  }: { readonly id: string; readonly account: string; readonly endpoint?: string },
  { edgeType, tls, carries, route }: OneRoute,
): CompiledSite {
  return {
    id,
    account,
    endpoint,
    edgeType,
    tls,
    carries,
    routesByPath: false,
    routes: new Map([[id, route]]),
    route: () => route,
  };
}

/**
 * Runs `GET /names`.
 * Invariant: a response has names of the caller's account only, and one request examines at most a number of them.
 */
import type { Hostname } from '../../core/names/hostname.ts';
import type { UserAgentFilterModule } from '../../documents/index.ts';
import type { CompiledRoute } from '../../edge/compile/compile-route.ts';
import type { CompiledSite } from '../../edge/compile/compile-site.ts';
import type { EdgeRules } from '../../edge/edge.ts';
import type { OnlineFacts } from '../../online/online.ts';
import type { ShowContext } from '../../resources/definition.ts';
import { Selection, selectedFields } from '../../resources/selection.ts';
import type { QueryValues, StandaloneRuns } from '../../resources/standalone/definition.ts';
import { Name } from '../../resources/standalone/names.ts';
import type { JsonObject } from '../../store/store.ts';
import { pageUri } from '../list-page.ts';
import type { Inventory } from '../overview/inventory.ts';
import { RecentResults } from '../overview/recent-results.ts';
import { indexNames, type NamedPlace, type NameIndex, onlyNamed, positionAfter } from './name-index.ts';

/** Names that one request examines. */
const MOST_EXAMINED = 2_000;

export interface NamesOptions {
  readonly inventory: Pick<Inventory, 'of'>;
  readonly online: Pick<OnlineFacts, 'tunnels' | 'matching'>;
  readonly rules: Pick<EdgeRules, 'sites'> & { readonly settings: { readonly publicPort: number } };
  readonly ref: ShowContext['ref'];
}

export function namesRuns(options: NamesOptions): StandaloneRuns {
  const recent = new RecentResults(async (account): Promise<{ result: NameIndex; workMs: number }> => {
    const facts = await options.inventory.of(account);
    const began = performance.now();
    const result = indexNames(facts, options.online.tunnels(account));
    return { result, workMs: performance.now() - began };
  });
  return {
    async names_list({ principal: { account }, query, baseUrl }) {
      const selection = new Selection(selectionOf(query), selectedFields(Name));
      const all = await recent.of(account);
      const index = query.name === undefined ? all : onlyNamed(all, String(query.name));
      const limit = Number(query.limit ?? 100);
      const first = query.after === undefined ? 0 : positionAfter(index, String(query.after));
      const names: JsonObject[] = [];
      let at = first;
      for (; at < index.places.length && at < first + MOST_EXAMINED && names.length < limit; at += 1) {
        const shown = shownName(index.places[at]!, index, account, options);
        if (selection.has(shown)) names.push(shown);
      }
      const last = index.places[at - 1];
      const hasMore = last !== undefined && at < index.places.length;
      return {
        names,
        uri: pageUri(baseUrl, '/names', query),
        next_page_uri: hasMore ? pageUri(baseUrl, '/names', { ...query, after: last.name }) : null,
      };
    },
  };
}

function selectionOf({ filter, q }: QueryValues) {
  return {
    ...(filter === undefined ? {} : { filter: String(filter) }),
    ...(q === undefined ? {} : { q: String(q) }),
  };
}

function shownName(place: NamedPlace, index: NameIndex, account: string, options: NamesOptions): JsonObject {
  const { name, edge, reservation, tunnels } = place;
  const tunnel = tunnels[0]?.endpoint ?? null;
  const { kind, id } = resourceOf(place, index);
  const ref = ({ id, uri }: { id: string; uri: string }) => ({ id, uri });
  const sites = sitesOf(place, account, options);
  return {
    name,
    url: edge === null && tunnel !== null ? tunnel.url : urlOf(name, kind, options.rules.settings.publicPort),
    served_by: edge !== null ? 'edge' : tunnel !== null ? 'agent' : 'nothing',
    state: stateOf(place, index, sites, options, account),
    kind,
    resource: ref(options.ref(id)),
    reservation: reservation === null ? null : ref(options.ref(reservation.id)),
    agents: tunnels.length,
    forwards_to: edge === null ? (tunnels[0]?.forwardsTo ?? '') : '',
    ...modulesOf(sites, isRestricted(index)),
  };
}

function resourceOf({ edge, reservation, tunnels }: NamedPlace, { facts }: NameIndex) {
  if (edge !== null) return { kind: facts.edge.get(edge)?.kind ?? 'https_edge', id: edge };
  const endpoint = tunnels[0]?.endpoint;
  if (endpoint != null) return { kind: 'endpoint', id: endpoint.id };
  return reservation ?? { kind: '', id: '' };
}

function urlOf(name: string, kind: string, publicPort: number): string {
  if (kind === 'tcp_edge' || kind === 'reserved_addr') return `tcp://${name}`;
  if (kind === 'tls_edge') return `tls://${name}:${publicPort}`;
  return publicPort === 443 ? `https://${name}` : `https://${name}:${publicPort}`;
}

function stateOf(
  { edge, tunnels }: NamedPlace,
  { facts, backends }: NameIndex,
  sites: readonly CompiledSite[],
  { online }: NamesOptions,
  account: string,
): string {
  if (edge === null && tunnels.length === 0) return 'no_agent';
  const routes = sites.flatMap((site) => [...site.routes.values()]);
  if (edge === null) return routes.length > 0 && routes.every(isRefused) ? 'refused' : 'served';
  const of = facts.edge.get(edge);
  const all = of?.kind === 'https_edge' ? (backends.get(edge) ?? []) : [of?.backend ?? null];
  const enabled = all.filter((id) => id !== null);
  if (enabled.length === 0) return 'no_backend';
  if (routes.length > 0 && routes.every(isRefused)) return 'refused';
  const isReady = (id: string) => {
    const group = facts.tunnel_group_backend.get(id);
    return group === undefined || online.matching(account, group.labels).length > 0;
  };
  return enabled.some(isReady) ? 'served' : 'no_agent';
}

function isRefused({ refusal }: { readonly refusal: string | null }): boolean {
  return refusal !== null;
}

/** A label that agents do not choose, so that a wildcard's own site is found. */
const ANY = 'any-name-below-this-wildcard';

/** The sites that serve a name: an agent can have it with TLS, and another one over plain HTTP. */
function sitesOf(place: NamedPlace, account: string, { rules }: NamesOptions): readonly CompiledSite[] {
  const { name, edge, tunnels } = place;
  const { sites } = rules;
  const port = /:(\d+)$/.exec(name)?.[1];
  const host = name.replace(/^\*/, ANY) as Hostname;
  const isServed = (isPlain: boolean) =>
    (edge !== null && !isPlain) || tunnels.some(({ endpoint }) => endpoint?.isPlain === isPlain);
  const found =
    port === undefined
      ? [isServed(false) && sites.lookup(host), isServed(true) && sites.lookupPlain(host)]
      : [sites.atPort(Number(port))];
  return found.flatMap((site) => (site && site.account === account ? [site] : []));
}

/** Returns true if an enforced restriction of the account keeps visitors out of all names. */
function isRestricted({ facts }: NameIndex): boolean {
  const all = [...facts.ip_restriction.values()];
  return all.some(({ type, isEnforced }) => type === 'endpoints' && isEnforced);
}

/** Returns the modules of a route that keep visitors out. A filter without "deny" keeps none out. */
function protectionsOf({ protections, made }: CompiledRoute): readonly string[] {
  const filter = made.get('user_agent_filter')?.config as UserAgentFilterModule | undefined;
  // Each is a name with its configuration behind it.
  const names = [...protections].map((protection) => protection.split(' ', 1)[0]!);
  return filter?.deny.length === 0 ? names.filter((name) => name !== 'user_agent_filter') : names;
}

function modulesOf(sites: readonly CompiledSite[], isOfAccount: boolean) {
  const modules = new Set<string>();
  const protections = new Set<string>(isOfAccount && sites.length > 0 ? ['account_ip_restriction'] : []);
  let isWhole = true;
  for (const site of sites) {
    const isProtected = site.tls?.clientAuthorities != null;
    if (isProtected) {
      modules.add('mutual_tls');
      protections.add('mutual_tls');
    }
    for (const route of site.routes.values()) {
      for (const name of route.made.keys()) modules.add(name);
      const own = protectionsOf(route);
      for (const name of own) protections.add(name);
      isWhole &&= isOfAccount || isProtected || own.length > 0;
    }
  }
  const protection = protections.size === 0 ? 'none' : isWhole ? 'all' : 'some';
  return { modules: [...modules], protected_by: [...protections], protection };
}

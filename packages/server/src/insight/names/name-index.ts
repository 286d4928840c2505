/** The names and addresses of an account in order, with what serves each. Pure. */
import type { TunnelFacts } from '../../online/tunnel-facts.ts';
import type { AccountFacts } from '../overview/inventory.ts';

export interface NamedPlace {
  readonly name: string;
  /** Null: no edge has the name. */
  readonly edge: string | null;
  /** Id and kind of the reservation; null for none. */
  readonly reservation: { readonly id: string; readonly kind: 'reserved_domain' | 'reserved_addr' } | null;
  /** Tunnels under exactly this name. */
  readonly tunnels: readonly TunnelFacts[];
}

export interface NameIndex {
  /** Ascending. */
  readonly places: readonly NamedPlace[];
  readonly facts: AccountFacts;
  /** Enabled backends of each HTTPS edge, and null for each route without one. */
  readonly backends: ReadonlyMap<string, readonly (string | null)[]>;
}

export function indexNames(facts: AccountFacts, tunnels: Iterable<TunnelFacts>): NameIndex {
  const places = new Map<string, Partial<NamedPlace> & { tunnels: TunnelFacts[] }>();
  const at = (name: string, part: Partial<NamedPlace>) => {
    const known = places.get(name) ?? { tunnels: [] };
    places.set(name, { ...known, ...part, tunnels: known.tunnels });
  };
  for (const kind of ['reserved_domain', 'reserved_addr'] as const)
    for (const [id, { name }] of facts[kind]) at(name, { reservation: { id, kind } });
  for (const [edge, { names }] of facts.edge) for (const name of names) at(name, { edge });
  for (const tunnel of tunnels) {
    const { endpoint } = tunnel;
    if (endpoint === null) continue;
    at(endpoint.text, {});
    places.get(endpoint.text)?.tunnels.push(tunnel);
  }
  const all = [...places].map(([name, place]) => ({ name, edge: null, reservation: null, ...place }));
  return {
    places: all.sort((one, other) => (one.name < other.name ? -1 : 1)),
    facts,
    backends: backendsOfEdges(facts),
  };
}

/** Returns the position of the first name after this one. */
export function positionAfter({ places }: NameIndex, name: string): number {
  let from = 0;
  let to = places.length;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (places[middle]!.name <= name) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Returns an index of one name; an empty one if it is unknown. */
export function onlyNamed(index: NameIndex, name: string): NameIndex {
  const place = index.places[positionAfter(index, name) - 1];
  return { ...index, places: place?.name === name ? [place] : [] };
}

function backendsOfEdges({ https_edge_route: routes }: AccountFacts) {
  const backends = new Map<string, (string | null)[]>();
  for (const { edge, backend } of routes.values()) {
    const known = backends.get(edge);
    if (known === undefined) backends.set(edge, [backend]);
    else known.push(backend);
  }
  return backends;
}

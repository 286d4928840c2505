/**
 * Finds circles in a graph.
 * Invariant: a graph with a circle returns at least one.
 */

export type Graph = ReadonlyMap<string, ReadonlySet<string>>;

/** Circles that have no node in common, each the shortest through its first node. Others may show when these are gone. */
export function circlesIn(graph: Graph): readonly (readonly string[])[] {
  const found: (readonly string[])[] = [];
  const seen = new Set<string>();
  for (const node of graph.keys()) {
    if (seen.has(node)) continue;
    const circle = wayBack(graph, node, seen);
    if (circle === null) continue;
    found.push(circle);
    for (const one of circle) seen.add(one);
  }
  return found;
}

/** Returns the shortest circle through `start`, with `start` at both ends, or null if there is none around `without`. */
function wayBack(graph: Graph, start: string, without: ReadonlySet<string>): readonly string[] | null {
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (let node = queue.shift(); node !== undefined; node = queue.shift()) {
    for (const next of graph.get(node) ?? []) {
      if (next === start) return [...wayTo(node, start, cameFrom), start];
      if (cameFrom.has(next) || without.has(next)) continue;
      cameFrom.set(next, node);
      queue.push(next);
    }
  }
  return null;
}

function wayTo(node: string, start: string, cameFrom: ReadonlyMap<string, string>): readonly string[] {
  const way = [node];
  for (let at = node; at !== start; way.unshift(at)) at = cameFrom.get(at)!;
  return way;
}

/**
 * Finds the target of a path, by templates such as `/edges/tls/{id}`.
 * Invariant: an empty segment never matches a parameter, so a path with an extra slash has no target.
 */

interface Node<Found> {
  readonly words: Map<string, Node<Found>>;
  parameter: Node<Found> | null;
  found: Found | null;
}

/** `values`: of the parameters, decoded, in the order of the path. */
export interface Match<Found> {
  readonly found: Found;
  readonly values: readonly string[];
}

export class Router<Found> {
  readonly #root: Node<Found> = newNode();

  constructor(entries: Iterable<readonly [template: string, Found]>) {
    for (const [template, found] of entries) {
      let node = this.#root;
      for (const segment of template.slice(1).split('/')) node = step(node, segment);
      if (node.found !== null) throw new Error(`two paths are like ${template}`);
      node.found = found;
    }
  }

  /** `malformed`: a percent sign encodes no UTF-8. A word goes before a parameter. */
  find(path: string): Match<Found> | 'nowhere' | 'malformed' {
    if (path[0] !== '/') return 'nowhere';
    let segments: readonly string[] = path.slice(1).split('/');
    if (path.includes('%')) {
      try {
        segments = segments.map(decodeURIComponent);
      } catch {
        return 'malformed';
      }
    }
    return search(this.#root, segments, 0, []) ?? 'nowhere';
  }
}

function search<Found>(
  node: Node<Found>,
  segments: readonly string[],
  at: number,
  values: readonly string[],
): Match<Found> | null {
  const segment = segments[at];
  if (segment === undefined) return node.found === null ? null : { found: node.found, values };
  const word = node.words.get(segment);
  const match = word === undefined ? null : search(word, segments, at + 1, values);
  if (match !== null || node.parameter === null || segment === '') return match;
  return search(node.parameter, segments, at + 1, [...values, segment]);
}

function step<Found>(node: Node<Found>, segment: string): Node<Found> {
  if (segment.startsWith('{')) {
    node.parameter ??= newNode();
    return node.parameter;
  }
  const next = node.words.get(segment) ?? newNode<Found>();
  node.words.set(segment, next);
  return next;
}

function newNode<Found>(): Node<Found> {
  return { words: new Map(), parameter: null, found: null };
}

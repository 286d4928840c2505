/**
 * Finds the paths that lenient upstreams could read in the path of a request (open points, decision 11).
 *
 * An upstream may do any of the steps below, in any order. The set of paths is closed under them, but for letter case and a final slash:
 * those make no new path here, `loose-routes.ts` compares without them.
 */
import { decodeUnits, decodings, furtherDecodings } from './loose-decoding.ts';
import { resolveDots, resolveEncodedDots } from './route-path.ts';

export interface LoosePath {
  /** Begins with a slash. */
  readonly path: string;
  /** The match of the route that was chosen, after the same steps. */
  readonly match: string;
}

/** Bounds for one request. */
const MAX_PATHS = 64;
const MAX_CHARACTERS = 32 * 1024;

/** A path that no step changes. */
const UNCHANGED = /^(?:\/(?:[\w~!$&'()*,=:@-]|\.(?=[\w~!$&'()*,=:@-]))+)*\/?$/;
const FROM_NUL = /\0.*$/s;
const CONTROLS = /[\p{Cc}\p{Cf}]+/gu;
const SPACES = /[\s\p{Cc}\p{Cf}\p{Zs}]+/gu;
const SPACE = /^[\s\p{Cc}\p{Cf}\p{Zs}]$/u;
const AUTHORITY = /^[/\\]{2,}[^/\\]*/;
const ONLY_DOTS = /^\.{1,2}$/;

type Step = (path: string) => string;

/** Changes that some upstream makes to a path, decoded or not. The time of each is proportional to the length. */
const structural: readonly Step[] = [
  (path) => path.replace(/\\/g, '/'),
  (path) => path.replace(/;[^/]*/g, ''),
  (path) => path.replace(/;.*$/s, ''),
  (path) => path.replace(/\/{2,}/g, '/'),
  resolveDots,
  resolveEncodedDots,
  // `new URL(path, base)` takes `//name/` for the name of another server.
  (path) => path.replace(AUTHORITY, ''),
];

const textual: readonly Step[] = [
  ...structural,
  ...furtherDecodings,
  decodeUnits,
  (path) => path.replace(CONTROLS, ''),
  (path) => path.replace(SPACES, ''),
  (path) => path.replace(/\+/g, ' '),
  (path) => path.split('/').map(trimmed).join('/'),
  (path) => path.replace(FROM_NUL, ''),
  (path) => path.replace(/\?.*$/s, ''),
  (path) => path.replace(/#.*$/s, ''),
  // Fullwidth slashes and dots become plain ones.
  (path) => path.normalize('NFKC'),
];

/**
 * `path` has one character a byte, from the slash to before the query. Each path was percent-decoded at least once, since a route compares
 * decoded ones. Null: there are more than an honest client's path has.
 */
export function loosePaths(path: string, match: string): readonly LoosePath[] | null {
  if (UNCHANGED.test(path)) return [{ path, match }];
  const raw = new PathSet();
  const decoded = new PathSet();
  raw.add(path, match);
  for (const one of raw.all()) {
    for (const step of structural) raw.add(step(one.path), step(one.match));
    for (const decode of decodings) decoded.add(decode(one.path), one.match);
    if (raw.isFull || decoded.isFull) return null;
  }
  for (const one of decoded.all()) {
    for (const step of textual) decoded.add(step(one.path), step(one.match));
    if (decoded.isFull) return null;
  }
  return [...decoded.all()];
}

class PathSet {
  readonly #found = new Map<string, LoosePath>();
  #characters = 0;

  get isFull(): boolean {
    return this.#found.size > MAX_PATHS || this.#characters > MAX_CHARACTERS;
  }

  /** Comes to what is added meanwhile, too. */
  all(): Iterable<LoosePath> {
    return this.#found.values();
  }

  add(path: string, match: string): void {
    const one = { path: rooted(path), match: rooted(match) };
    const key = `${one.match.length} ${one.match}${one.path}`;
    if (this.#found.has(key)) return;
    this.#found.set(key, one);
    this.#characters += one.path.length + one.match.length;
  }
}

function rooted(path: string): string {
  return path.startsWith('/') ? path : `/${path}`;
}

/** A segment as Windows keeps it: without spaces around it and dots behind it. */
function trimmed(segment: string): string {
  let from = 0;
  let to = segment.length;
  while (from < to && isSpace(segment, from)) from++;
  while (from < to && isSpace(segment, to - 1)) to--;
  if (ONLY_DOTS.test(segment.slice(from, to))) return segment.slice(from, to);
  while (from < to && (segment[to - 1] === '.' || isSpace(segment, to - 1))) to--;
  return segment.slice(from, to);
}

function isSpace(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code <= 0x20 || (code >= 0x7f && SPACE.test(text[at]!));
}

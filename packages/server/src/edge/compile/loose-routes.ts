/** Finds routes as an upstream without regard for letter case or a final slash would compare their matches. */
import type { LoosePath } from './loose-paths.ts';

export interface Matched<Route> {
  readonly matchType: 'exact_path' | 'path_prefix';
  readonly match: string;
  /** The modules that protect the route, each with its configuration. */
  readonly protections: ReadonlySet<string>;
  readonly route: Route;
}

interface Prefix<Route> {
  readonly match: string;
  readonly routes: readonly Matched<Route>[];
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: it is all of ASCII.
const ASCII = /^[\x00-\x7f]*$/;

/** The routes of one edge under every comparison. */
export class LooseRoutes<Route> {
  readonly #asWritten: readonly Table<Route>[];
  readonly #folded: readonly Table<Route>[];
  /** No match has a letter that folding changes. */
  readonly #isFolded: boolean;

  constructor(routes: readonly Matched<Route>[]) {
    const tables = (fold: (text: string) => string): readonly Table<Route>[] =>
      [false, true].map((ignoresFinalSlash) => new Table(routes, { fold, ignoresFinalSlash }));
    this.#asWritten = tables((text) => text);
    this.#folded = tables(folded);
    this.#isFolded = routes.every(({ match }) => folded(match) === match);
  }

  /** Returns true if the test holds for a route that some upstream could find. The match of `chosen` is also compared as read. */
  some(one: LoosePath, chosen: Matched<Route>, test: (route: Matched<Route>) => boolean): boolean {
    const { path, match } = one;
    const read = match === chosen.match ? null : match;
    if (this.#asWritten.some((table) => table.find(path, chosen, read).some(test))) return true;
    const lower = folded(path);
    if (this.#isFolded && lower === path) return false;
    const readLower = read === null ? null : folded(read);
    return this.#folded.some((table) => table.find(lower, chosen, readLower).some(test));
  }
}

interface Comparison {
  readonly fold: (text: string) => string;
  readonly ignoresFinalSlash: boolean;
}

class Table<Route> {
  readonly #ignoresFinalSlash: boolean;
  /** Several routes may be one under a comparison. */
  readonly #exact: ReadonlyMap<string, readonly Matched<Route>[]>;
  /** The longest first. */
  readonly #prefixes: readonly Prefix<Route>[];

  constructor(routes: readonly Matched<Route>[], { fold, ignoresFinalSlash }: Comparison) {
    this.#ignoresFinalSlash = ignoresFinalSlash;
    const exact = routes.filter(({ matchType }) => matchType === 'exact_path');
    this.#exact = Map.groupBy(exact, ({ match }) => this.#whole(fold(match)));
    const prefixes = routes.filter(({ matchType }) => matchType === 'path_prefix');
    this.#prefixes = [...Map.groupBy(prefixes, ({ match }) => fold(match))]
      .map(([match, same]) => ({ match, routes: same }))
      .sort((a, b) => b.match.length - a.match.length);
  }

  /** `path` and `read` are folded as the matches are. `read` is the match of `chosen` after the steps of the path; null: they left it. */
  find(path: string, chosen: Matched<Route>, read: string | null): readonly Matched<Route>[] {
    const whole = this.#whole(path);
    const exact = this.#exact.get(whole);
    if (exact !== undefined) return exact;
    const isExact = chosen.matchType === 'exact_path';
    if (read !== null && isExact && this.#whole(read) === whole) return [chosen];
    const start = this.#ignoresFinalSlash ? `${whole}/` : whole;
    const prefix = this.#prefixes.find((one) => start.startsWith(one.match));
    const isLonger = read !== null && !isExact && read.length > (prefix?.match.length ?? 0);
    if (isLonger && start.startsWith(read)) return [chosen];
    return prefix?.routes ?? [];
  }

  #whole(path: string): string {
    return this.#ignoresFinalSlash ? withoutFinalSlashes(path) : path;
  }
}

/** Removes differences of case and width in all scripts: `ſ` becomes s, the Kelvin sign k. */
function folded(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

function withoutFinalSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return end === path.length ? path : path.slice(0, end);
}

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

type Fold = (text: string) => string;

/**
 * The ways in which upstreams ignore case. Each of them may be alone: what one takes for an open route, another one takes
 * for a path beside it. The last one also ignores width: `ſ` becomes s, the Kelvin sign k.
 */
const FOLDS: readonly Fold[] = [
  (text) => text.toLowerCase(),
  (text) => text.toUpperCase().toLowerCase(),
  (text) => text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC'),
];

/** Routes under one fold. */
interface Folded<Route> {
  readonly fold: Fold;
  readonly tables: readonly Table<Route>[];
  /** No match has a letter that the fold changes. */
  readonly isUnchanged: boolean;
}

/** The routes of one edge under every comparison. */
export class LooseRoutes<Route> {
  readonly #asWritten: readonly Table<Route>[];
  readonly #folded: readonly Folded<Route>[];
  readonly #isAscii: boolean;

  constructor(routes: readonly Matched<Route>[]) {
    const tables = (fold: Fold): readonly Table<Route>[] =>
      [false, true].map((ignoresFinalSlash) => new Table(routes, { fold, ignoresFinalSlash }));
    this.#asWritten = tables((text) => text);
    this.#isAscii = routes.every(({ match }) => ASCII.test(match));
    this.#folded = FOLDS.map((fold) => ({
      fold,
      tables: tables(fold),
      isUnchanged: routes.every(({ match }) => fold(match) === match),
    }));
  }

  /** Returns true if the test holds for a route that some upstream could find. The match of `chosen` is also compared as read. */
  some(one: LoosePath, chosen: Matched<Route>, test: (route: Matched<Route>) => boolean): boolean {
    const { path, match } = one;
    const read = match === chosen.match ? null : match;
    if (this.#asWritten.some((table) => table.find(path, chosen, read).some(test))) return true;
    // All folds do the same to ASCII.
    const isAscii = this.#isAscii && ASCII.test(path) && (read === null || ASCII.test(read));
    const folds = isAscii ? this.#folded.slice(0, 1) : this.#folded;
    return folds.some(({ fold, tables, isUnchanged }) => {
      const lower = fold(path);
      if (isUnchanged && lower === path) return false;
      const readLower = read === null ? null : fold(read);
      return tables.some((table) => table.find(lower, chosen, readLower).some(test));
    });
  }
}

interface Comparison {
  readonly fold: Fold;
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

function withoutFinalSlashes(path: string): string {
  let end = path.length;
  while (end > 0 && path[end - 1] === '/') end--;
  return end === path.length ? path : path.slice(0, end);
}

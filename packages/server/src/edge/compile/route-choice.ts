/**
 * Chooses a route of an HTTPS edge by the path (open points, decision 11): exact before prefix, longer prefix before shorter.
 *
 * Invariant: an upstream, however it reads the path, gets no request for a path of a route with a guard that the chosen route lacks.
 */
import { loosePaths } from './loose-paths.ts';
import { LooseRoutes, type Matched } from './loose-routes.ts';
import { plainPath } from './route-path.ts';

/** The routes that refuse where no other one serves. */
export interface Refusals<Route> {
  readonly routeMissing: Route;
  readonly requestPathAmbiguous: Route;
}

export class RouteChoice<Route> {
  readonly #refusals: Refusals<Route>;
  readonly #exact = new Map<string, Matched<Route>>();
  readonly #prefixes: readonly Matched<Route>[];
  /** Routes that lack a guard which another one has. */
  readonly #lacking: ReadonlySet<Matched<Route>>;
  /** Null: no route lacks any. */
  readonly #loose: LooseRoutes<Route> | null;

  constructor(routes: readonly Matched<Route>[], refusals: Refusals<Route>) {
    this.#refusals = refusals;
    for (const one of routes) if (one.matchType === 'exact_path') this.#exact.set(one.match, one);
    this.#prefixes = routes
      .filter(({ matchType }) => matchType === 'path_prefix')
      .sort((a, b) => b.match.length - a.match.length);
    const all = new Set(routes.flatMap(({ protections }) => [...protections]));
    this.#lacking = new Set(routes.filter(({ protections }) => protections.size < all.size));
    this.#loose = this.#lacking.size === 0 ? null : new LooseRoutes(routes);
  }

  /** `path` is the raw path of the request, without its query. `*` of OPTIONS is the root. */
  choose(path: string): Route {
    const { routeMissing, requestPathAmbiguous } = this.#refusals;
    const rooted = path.startsWith('/') ? path : `/${path === '*' ? '' : path}`;
    const plain = plainPath(rooted);
    if (plain === null) return requestPathAmbiguous;
    const chosen = this.#exact.get(plain) ?? this.#prefixes.find(({ match }) => plain.startsWith(match));
    if (chosen === undefined) return routeMissing;
    return this.#walksAround(rooted, chosen) ? requestPathAmbiguous : chosen.route;
  }

  /** Returns the reason of `choose` in a sentence. */
  reasonOf(path: string): string {
    const route = this.choose(path);
    const count = this.#exact.size + this.#prefixes.length;
    const routes = count === 1 ? 'the only route' : `${count} routes`;
    if (route === this.#refusals.routeMissing)
      return count === 0 ? 'The edge has no route.' : `The path matches none of ${routes}.`;
    if (route === this.#refusals.requestPathAmbiguous)
      return 'An upstream could read the path as that of a route with more protection.';
    const plain = plainPath(path.startsWith('/') ? path : `/${path === '*' ? '' : path}`) ?? '';
    const exact = this.#exact.get(plain);
    if (exact !== undefined) return `The path is that of exact_path ${exact.match}, out of ${routes}.`;
    const matching = this.#prefixes.filter(({ match }) => plain.startsWith(match));
    const [longest] = matching;
    const among = matching.length === 1 ? 'the only match' : `the longest of ${matching.length} matches`;
    return `path_prefix ${longest?.match ?? ''} is ${among}, out of ${routes}.`;
  }

  /** Returns true if some upstream could route the path to a guard that the chosen route lacks. */
  #walksAround(path: string, chosen: Matched<Route>): boolean {
    if (this.#loose === null || !this.#lacking.has(chosen)) return false;
    const paths = loosePaths(path, chosen.match);
    if (paths === null) return true;
    const loose = this.#loose;
    const lacks = ({ protections }: Matched<Route>): boolean => !protections.isSubsetOf(chosen.protections);
    return paths.some((one) => loose.some(one, chosen, lacks));
  }
}

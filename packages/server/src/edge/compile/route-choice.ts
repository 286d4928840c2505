/**
 * Chooses a route of an HTTPS edge by the path (open points, decision 11): exact before prefix, longer prefix before shorter.
 * Never that two readings of one path lead to two routes: then none does.
 */
import { readingsOf } from './route-path.ts';

export interface Matched<Route> {
  readonly matchType: 'exact_path' | 'path_prefix';
  readonly match: string;
  readonly route: Route;
}

/** What refuses where no route serves. */
export interface Refusals<Route> {
  readonly routeMissing: Route;
  readonly requestPathAmbiguous: Route;
}

export class RouteChoice<Route> {
  readonly #refusals: Refusals<Route>;
  readonly #exact = new Map<string, Route>();
  readonly #prefixes: readonly Matched<Route>[];

  constructor(routes: readonly Matched<Route>[], refusals: Refusals<Route>) {
    this.#refusals = refusals;
    for (const { matchType, match, route } of routes)
      if (matchType === 'exact_path') this.#exact.set(match, route);
    this.#prefixes = routes
      .filter(({ matchType }) => matchType === 'path_prefix')
      .sort((a, b) => b.match.length - a.match.length);
  }

  /** `path` as it stands in the request, from the slash to before the query; `*` of OPTIONS is the root. */
  choose(path: string): Route {
    const { routeMissing, requestPathAmbiguous } = this.#refusals;
    const readings = readingsOf(path.startsWith('/') ? path : `/${path === '*' ? '' : path}`);
    if (readings === null) return requestPathAmbiguous;
    const route = this.#find(readings.plain);
    if (readings.loose !== readings.plain && this.#find(readings.loose) !== route)
      return requestPathAmbiguous;
    return route ?? routeMissing;
  }

  #find(path: string): Route | undefined {
    return this.#exact.get(path) ?? this.#prefixes.find(({ match }) => path.startsWith(match))?.route;
  }
}

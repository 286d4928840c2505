/**
 * The parts of a request that a login depends on.
 * Invariant: the place to return to is on the name of the request.
 */
import type { RequestFacts } from '../../sites/site.ts';

export interface Asked {
  /** `name[:port]` in lower case, without the standard port. */
  readonly host: string;
  /** Path as the client sent it, without the query. */
  readonly path: string;
  /** '' or what follows the `?`. */
  readonly query: string;
  /** Path and query, beginning with a slash. */
  readonly target: string;
}

/** The Host was checked before, so it is a name of the site. */
export function askedOf(request: RequestFacts): Asked {
  const host = (request.values('host')[0] ?? '').toLowerCase().replace(/:443$/, '');
  const origin = request.target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const target = origin.startsWith('/') ? origin : `/${origin}`;
  const at = target.indexOf('?');
  if (at === -1) return { host, path: target, query: '', target };
  return { host, path: target.slice(0, at), query: target.slice(at + 1), target };
}

/** Destinations of navigations, also of those inside another page (Fetch, section 2.2.5). */
const documents: ReadonlySet<string> = new Set(['document', 'embed', 'frame', 'iframe', 'object']);

/**
 * Returns true if the client can be redirected to a login. That is every GET and HEAD, unless Fetch Metadata states a mode other than
 * `navigate`, or a destination that is no document. Clients without Fetch Metadata may be browsers, whatever their `Accept` lists.
 */
export function isNavigation(request: RequestFacts): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const stated = (name: string): readonly string[] =>
    request.values(name).map((value) => value.trim().toLowerCase());
  return (
    stated('sec-fetch-mode').every((mode) => mode === '' || mode === 'navigate') &&
    stated('sec-fetch-dest').every((destination) => destination === '' || documents.has(destination))
  );
}

/** What a visitor asks for, as far as logging in goes by it. Never a place to come back to that is not on the name which was asked. */
import type { RequestFacts } from '../../sites/site.ts';

export interface Asked {
  /** `name[:port]` in lower case, without the standard port. */
  readonly host: string;
  /** As it came, without the query. */
  readonly path: string;
  /** '' or what follows the `?`. */
  readonly query: string;
  /** Path and query, beginning with a slash. */
  readonly target: string;
}

/** The Host of a request was judged before, so it is a name of the site that it is asked at. */
export function askedOf(request: RequestFacts): Asked {
  const host = (request.values('host')[0] ?? '').toLowerCase().replace(/:443$/, '');
  const origin = request.target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?]*/i, '');
  const target = origin.startsWith('/') ? origin : `/${origin}`;
  const at = target.indexOf('?');
  if (at === -1) return { host, path: target, query: '', target };
  return { host, path: target.slice(0, at), query: target.slice(at + 1), target };
}

/** Whether somebody waits for a page in a browser, who can be sent elsewhere to log in (Fetch Metadata, section 2.2). */
export function isNavigation(request: RequestFacts): boolean {
  if (request.method !== 'GET' && request.method !== 'HEAD') return false;
  const [mode] = request.values('sec-fetch-mode');
  if (mode !== undefined) return mode === 'navigate';
  return request.values('accept').some((value) => value.toLowerCase().includes('text/html'));
}

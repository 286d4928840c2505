/**
 * Decides which requests the admin listener serves: those of programs under any host name, those of browsers only under trusted names.
 *
 * Invariant: a web page of another origin reads nothing here, not even after its name was rebound to this address.
 */
import { isIP } from 'node:net';
import type { Headers } from '../http-server/request.ts';

/** `names`: host names that browsers may use, in lower case (`--admin-host`). */
export function isServed(headers: Headers, names: ReadonlySet<string>): boolean {
  // No page of this listener sends one, so it is the origin of a foreign page.
  if (headers.has('origin')) return false;
  const host = hostIn(headers.get('host') ?? '');
  const site = headers.get('sec-fetch-site');
  if (names.has(host)) return site === undefined || site === 'none' || site === 'same-origin';
  if (host === 'localhost' || isIP(host) !== 0) return site === undefined || site === 'none';
  return !isBrowser(headers);
}

/**
 * Browsers send no Sec-Fetch-Site over plain HTTP to a name, but always an Accept-Language, which a page cannot remove.
 * The `fetch` of Node sends one too; only there Sec-Fetch-Mode comes without Sec-Fetch-Site.
 */
function isBrowser(headers: Headers): boolean {
  if (headers.has('sec-fetch-site')) return true;
  return headers.has('accept-language') && !headers.has('sec-fetch-mode');
}

/** The name or address of a Host header, without its port, brackets and final dot. */
function hostIn(header: string): string {
  return header
    .toLowerCase()
    .replace(/:\d*$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

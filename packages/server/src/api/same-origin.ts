/**
 * Checks that a request of a browser comes from a page of this origin.
 * Tenants serve pages at other names of the same site, whose requests have the cookie of the console. Only Fetch
 * Metadata and Origin distinguish them (Fetch standard, section 3.2; W3C Fetch Metadata, section 2.3).
 */
import type { Headers } from '../http-server/request.ts';

/** Returns true if a request comes from this origin. A request without both headers does not. */
export function isSameOrigin(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site !== undefined;
  const host = headers.get('host');
  return host !== undefined && withoutPort(origin) === `https://${withoutPort(host)}`;
}

function withoutPort(text: string): string {
  return text.toLowerCase().replace(/:443$/, '');
}

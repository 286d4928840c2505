/**
 * Checks that a request of a browser comes from a page of this origin.
 * Tenants serve pages at other names of the same site, whose requests have the cookie of the console. Only Fetch
 * Metadata and Origin distinguish them (Fetch standard, section 3.2; W3C Fetch Metadata, section 2.3).
 */
import type { Hostname } from '../core/names/hostname.ts';
import type { Headers } from '../http-server/request.ts';

/**
 * Returns true if a request comes from this origin. A request without both headers does not. `only`: the name of the
 * only origin that counts; null for each name of the service.
 */
export function isSameOrigin(headers: Headers, only: Hostname | null): boolean {
  const site = headers.get('sec-fetch-site');
  const origin = headers.get('origin');
  const host = headers.get('host');
  if (only !== null && host?.toLowerCase().replace(/:\d{1,5}$/, '') !== only) return false;
  if (site !== undefined && site !== 'same-origin') return false;
  if (origin === undefined) return site !== undefined;
  return host !== undefined && withoutPort(origin) === `https://${withoutPort(host)}`;
}

function withoutPort(text: string): string {
  return text.toLowerCase().replace(/:443$/, '');
}

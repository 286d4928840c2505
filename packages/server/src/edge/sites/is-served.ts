/** The check for a site that can respond at the moment. */
import type { Site } from './site.ts';

/** Returns true if the site can respond now. */
export function isServed(site: Site | undefined): boolean {
  const route = site?.route('/');
  if (route === undefined) return false;
  return route.refusal !== null || typeof route.backend.pick(new Set()) !== 'string';
}

/** The backends of a site, for what was refused before its route was known. */
import type { Backend, Site } from './site.ts';

/** Reads the backends only when `tunnels` is called. */
export function everyRouteOf(site: Pick<Site, 'route' | 'routes'>): Pick<Backend, 'tunnels'> {
  return {
    tunnels() {
      const routes = [...(site.routes?.values() ?? [site.route('')])];
      return routes.flatMap(({ backend }) => backend.tunnels() ?? []);
    },
  };
}

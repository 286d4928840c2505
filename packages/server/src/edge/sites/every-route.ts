/** The backends of a site, for what was refused before its route was known. */
import type { Backend, Site } from './site.ts';

/** Looked up only when the tunnels are asked for. */
export function everyRouteOf(site: Pick<Site, 'route' | 'routes'>): Pick<Backend, 'tunnels'> {
  return {
    tunnels() {
      const routes = [...(site.routes?.values() ?? [site.route('')])];
      return routes.flatMap(({ backend }) => backend.tunnels() ?? []);
    },
  };
}

/** The page that the address leads to. */
import { computed } from '@preact/signals';
import { matchPath, type Params } from '../match.ts';
import { path } from '../router.ts';
import { ROUTES, type Route } from '../routes.ts';

/** Null: no page has this address. */
export const currentRoute = computed<{ readonly route: Route; readonly params: Params } | null>(() => {
  for (const route of ROUTES) {
    const params = matchPath(route.path, path.value);
    if (params !== null) return { route, params };
  }
  return null;
});

/** Wires the operations about the caller and the console. */
import { showMe } from '../console/me.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { createRef } from '../resources/show.ts';
import type { StandaloneRuns } from '../resources/standalone/definition.ts';
import type { Deciding } from './deciding.ts';
import type { Foundation } from './foundation.ts';

/** Returns what runs the operations. */
export function consoleRuns(
  { config, store, version }: Pick<Foundation, 'config' | 'store' | 'version'>,
  { limiter }: Pick<Deciding, 'limiter'>,
): StandaloneRuns {
  const { baseUrl, apiRateLimit: limit } = config.settings;
  const me = { store, version, limiter, limit, ref: createRef(resourceSurfaces, baseUrl) };
  return { me_get: (call) => showMe(me, call) };
}

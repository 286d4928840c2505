/** An empty registry with its claims, for tests. */
import { BoundNames } from './bound-names.ts';
import { LocalClaims } from './local-claims.ts';
import { Registry } from './registry.ts';

export function emptyRegistry(now: () => number = () => 0) {
  const names = new BoundNames();
  const claims = new LocalClaims({ bound: names, now });
  return { claims, registry: new Registry({ names, claims }) };
}

/** An empty registry with its claims, for tests. */
import type { BindTarget } from '../core/names/bind-target.ts';
import type { OnlineFacts } from '../online/online.ts';
import { BoundNames } from './bound-names.ts';
import { LocalClaims } from './local-claims.ts';
import { Registry } from './registry.ts';

export function emptyRegistry(now: () => number = () => 0) {
  const names = new BoundNames();
  const claims = new LocalClaims({ bound: names, now });
  return { claims, registry: new Registry({ names, claims }) };
}

/** Reserves a name as a slow write does. Binds of other accounts wait until the returned function is called. */
export function suspend(
  claims: Pick<OnlineFacts, 'reserving'>,
  name: BindTarget,
  account: string,
): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const written = claims.reserving([{ name, includesOwn: false }], account, () => promise);
  return () => {
    resolve();
    return written;
  };
}

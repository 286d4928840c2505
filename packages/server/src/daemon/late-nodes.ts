/** Counts the daemons that have not applied the last write of this one. */
import { Everywhere } from '../link/everywhere.ts';
import type { Peers } from '../link/peers.ts';
import type { Foundation } from './foundation.ts';

/** Returns a function as `HandlerDeps.late`. It returns 0 at once if there are no other daemons. */
export function lateNodes(
  { config, observed, metrics }: Pick<Foundation, 'config' | 'observed' | 'metrics'>,
  peers: Peers | null,
): () => number | Promise<number> {
  if (peers === null || !config.waitsForNodes) return () => 0;
  const everywhere = new Everywhere(peers);
  const counted = (late: number): number => {
    if (late > 0) metrics.notEverywhere();
    return late;
  };
  return () => {
    const late = everywhere.late(observed.written);
    return typeof late === 'number' ? counted(late) : late.then(counted);
  };
}

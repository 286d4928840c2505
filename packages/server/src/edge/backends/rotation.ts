/**
 * Chooses the next of several tunnels: the nearest one with the fewest requests and connections among those whose turn
 * it is.
 * Invariant: all connections of one agent are one tunnel for the choice. A silent tunnel is chosen only if all are silent, and the cost of a choice is bounded.
 */
import { isSameBind, type TunnelHandle } from '../../online/online.ts';
import type { Opener } from '../sites/site.ts';

/** Tunnels that are compared for one choice; of that many or fewer it is the least busy of all. */
const comparedAtMost = 16;

export class Rotation {
  #next = 0;

  /** Leaves out what was tried in vain; null when nothing is left. */
  pick(tunnels: readonly TunnelHandle[], tried: ReadonlySet<Opener>): TunnelHandle | null {
    const first = this.#next;
    let best: TunnelHandle | null = null;
    let bestAt = 0;
    let suspect: TunnelHandle | null = null;
    let compared = 0;
    for (let i = 0; i < tunnels.length && compared < comparedAtMost; i += 1) {
      const at = (first + i) % tunnels.length;
      const tunnel = tunnels[at]!;
      if (tried.has(tunnel)) continue;
      if (tunnel.isSuspect) {
        suspect ??= tunnel;
        continue;
      }
      compared += 1;
      if (best !== null && !isBetter(tunnels, at, bestAt)) continue;
      best = tunnel;
      bestAt = at;
      this.#next = behind(tunnels, at);
      if (tunnel.outstanding === 0 && tunnel.distance === undefined) break;
    }
    if (best === null) this.#next = first + 1;
    return best ?? suspect;
  }
}

/** Compares the tunnels at two indices. */
function isBetter(tunnels: readonly TunnelHandle[], at: number, bestAt: number): boolean {
  const [one, best] = [tunnels[at]!, tunnels[bestAt]!];
  const nearer = (one.distance ?? 0) - (best.distance ?? 0);
  if (nearer !== 0) return nearer < 0;
  if (tunnels.length < 3 || isSameBind(one, best)) return one.outstanding < best.outstanding;
  return busyness(tunnels, at) < busyness(tunnels, bestAt);
}

/** Requests of all connections of the agent that have the tunnel: the list has them one after the other. */
function busyness(tunnels: readonly TunnelHandle[], at: number): number {
  const tunnel = tunnels[at]!;
  let count = tunnel.outstanding;
  for (let i = at - 1; i >= 0 && isSameBind(tunnels[i]!, tunnel); i -= 1) count += tunnels[i]!.outstanding;
  for (let i = at + 1; i < tunnels.length && isSameBind(tunnels[i]!, tunnel); i += 1)
    count += tunnels[i]!.outstanding;
  return count;
}

/** Returns the index behind the last connection of the agent of a tunnel, so that each agent has one turn. */
function behind(tunnels: readonly TunnelHandle[], at: number): number {
  let next = at + 1;
  while (next < tunnels.length && isSameBind(tunnels[next]!, tunnels[at]!)) next += 1;
  return next;
}

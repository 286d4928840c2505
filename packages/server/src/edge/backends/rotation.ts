/**
 * Chooses the next of several tunnels: the nearest one with the fewest requests and connections among those whose turn
 * it is.
 * Invariant: a silent tunnel is chosen only if all are silent, and the cost of a choice is bounded.
 */
import type { TunnelHandle } from '../../online/online.ts';
import type { Opener } from '../sites/site.ts';

/** Tunnels that are compared for one choice; of that many or fewer it is the least busy of all. */
const comparedAtMost = 16;

export class Rotation {
  #next = 0;

  /** Leaves out what was tried in vain; null when nothing is left. */
  pick(tunnels: readonly TunnelHandle[], tried: ReadonlySet<Opener>): TunnelHandle | null {
    const first = this.#next;
    let best: TunnelHandle | null = null;
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
      if (best !== null && !isBetter(tunnel, best)) continue;
      best = tunnel;
      this.#next = at + 1;
      if (tunnel.outstanding === 0 && tunnel.distance === undefined) break;
    }
    if (best === null) this.#next = first + 1;
    return best ?? suspect;
  }
}

function isBetter(one: TunnelHandle, other: TunnelHandle): boolean {
  const nearer = (one.distance ?? 0) - (other.distance ?? 0);
  return nearer === 0 ? one.outstanding < other.outstanding : nearer < 0;
}

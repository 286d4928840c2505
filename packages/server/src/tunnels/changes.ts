/**
 * Changes that agents made to their tunnels after the bind (agent protocol, section 5). They are kept for reconnects,
 * because agents then bind with their first values.
 * Invariant: a change applies only to a tunnel of the same agent, id and name.
 */

import { FairLruMap } from '../core/limits/fair-lru.ts';
import type { Slot } from '../core/names/bind-target.ts';
import type { Changeable, TunnelFacts } from '../online/tunnel-facts.ts';

/** Identifies a tunnel across the sessions and connections of its agent. */
export interface BindPlace {
  readonly account: string;
  /** The agent's id over reconnects, common to all its connections. */
  readonly clientId: string;
  readonly bindId: string;
  /** Null for a labelled tunnel. */
  readonly slot: Slot | null;
}

/** Each has up to 5 KiB of texts; accounts share them. */
const maxChanged = 4_096;

/** A tunnel that its agent has changed. */
export interface Changed {
  /** Values of its bind. */
  readonly bound: Changeable;
  readonly now: Changeable;
  /** Milliseconds since 1970, or more: a later change of the same tunnel has more. */
  readonly changedAt: number;
}

export class Changes {
  readonly #changed = new FairLruMap<Changed>(maxChanged);

  /** `before`: as the tunnel was until now. `time`: milliseconds since 1970. */
  note(place: BindPlace, before: Changeable, now: Changeable, time: number): void {
    const known = this.get(place);
    const bound = known?.bound ?? before;
    const changedAt = Math.max(time, (known?.changedAt ?? 0) + 1);
    this.#changed.set(place.account, keyOf(place), { bound, now, changedAt });
  }

  /** Takes over a change that the agent made at another daemon. Returns false if it is no news. */
  learn(place: BindPlace, changed: Changed): boolean {
    const known = this.get(place);
    if (known !== undefined && known.changedAt >= changed.changedAt) return false;
    this.#changed.set(place.account, keyOf(place), changed);
    return true;
  }

  get(place: BindPlace): Changed | undefined {
    return this.#changed.get(place.account, keyOf(place));
  }

  /** Returns the request with the later changes, for fields that have their first value. New values win. */
  applied<Request extends Partial<Changeable>>(place: BindPlace, request: Request): Request {
    const changed = this.get(place);
    if (changed === undefined) return request;
    const { bound, now } = changed;
    return {
      ...request,
      ...(request.metadata === bound.metadata ? { metadata: now.metadata } : {}),
      ...(request.name === bound.name ? { name: now.name } : {}),
      ...(request.description === bound.description ? { description: now.description } : {}),
      ...(request.isPooled === bound.isPooled ? { isPooled: now.isPooled } : {}),
    };
  }

  /** The tunnel is no more, and whatever is bound like it is another one. */
  forget(place: BindPlace): void {
    this.#changed.delete(place.account, keyOf(place));
  }
}

/** Returns the place of a tunnel. */
export function placeOf({ account, clientId, bindId, endpoint }: TunnelFacts): BindPlace {
  return { account, clientId, bindId, slot: endpoint?.slot ?? null };
}

function keyOf({ clientId, bindId, slot }: BindPlace): string {
  return JSON.stringify([clientId, bindId, slot]);
}

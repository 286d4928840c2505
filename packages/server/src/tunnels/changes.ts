/**
 * Changes that agents made to their tunnels after the bind (agent protocol, section 5). They are kept for reconnects,
 * because agents then bind with their first values.
 * Invariant: a change applies only to a tunnel of the same agent, id and name.
 */

import { FairLruMap } from '../core/limits/fair-lru.ts';
import type { Slot } from '../core/names/bind-target.ts';
import type { Changeable } from '../online/tunnel-facts.ts';

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

interface Changed {
  readonly bound: Changeable;
  readonly now: Changeable;
}

export class Changes {
  readonly #changed = new FairLruMap<Changed>(maxChanged);

  /** `before`: as the tunnel was until now. */
  note(place: BindPlace, before: Changeable, now: Changeable): void {
    const key = keyOf(place);
    const bound = this.#changed.get(place.account, key)?.bound ?? before;
    this.#changed.set(place.account, key, { bound, now });
  }

  /** Returns the request with the later changes, for fields that have their first value. New values win. */
  applied<Request extends Partial<Changeable>>(place: BindPlace, request: Request): Request {
    const changed = this.#changed.get(place.account, keyOf(place));
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

function keyOf({ clientId, bindId, slot }: BindPlace): string {
  return JSON.stringify([clientId, bindId, slot]);
}

/**
 * Counts streams of one agent's session, or of one static backend, by visitors' addresses.
 * Invariant: an address uses at most as many streams as are still free. Alone it gets at most half, and the next
 * address always finds some.
 */
import { OPEN_LIMIT } from '@underpass/wire';
import type { Opener } from '../sites/site.ts';

interface SessionUse {
  inAll: number;
  readonly bySource: Map<string, number>;
}

/** Owner of the streams. */
export type Shared = Pick<Opener, 'session' | 'capacity' | 'outstanding'>;

/** One stream in use, until it is released. */
export class Share {
  readonly #giveBack: (opener: Shared, source: string) => void;
  readonly #opener: Shared;
  readonly #source: string;
  #released = false;

  constructor(giveBack: (opener: Shared, source: string) => void, opener: Shared, source: string) {
    this.#giveBack = giveBack;
    this.#opener = opener;
    this.#source = source;
  }

  /** Idempotent. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.#giveBack(this.#opener, this.#source);
  }
}

/** Idle streams in a pool belong to no address, and are closed if needed. */
export class SourceShares {
  readonly #capacity: number;
  readonly #sessions = new Map<string, SessionUse>();
  /** Called with the session of each share that is released. */
  onFreed: ((session: string) => void) | null = null;

  constructor(capacity = OPEN_LIMIT) {
    this.#capacity = capacity;
  }

  /** Numbers of sessions with streams in use, and of the addresses that use them. */
  get inUse(): { readonly sessions: number; readonly sources: number } {
    const uses = [...this.#sessions.values()];
    return { sessions: uses.length, sources: uses.reduce((sum, { bySource }) => sum + bySource.size, 0) };
  }

  /** `source` is a key of `sourceKey`. Returns null if it has used its share of the session's streams. */
  take(opener: Shared, source: string): Share | null {
    if (this.isUsed(opener, source)) return null;
    const { session } = opener;
    let use = this.#sessions.get(session);
    if (use === undefined) {
      use = { inAll: 0, bySource: new Map() };
      this.#sessions.set(session, use);
    }
    use.inAll += 1;
    use.bySource.set(source, (use.bySource.get(source) ?? 0) + 1);
    opener.outstanding += 1;
    return new Share(this.#giveBack, opener, source);
  }

  /** Returns true if the address has used its share of the session's streams. */
  isUsed({ session, capacity = this.#capacity }: Shared, source: string): boolean {
    const use = this.#sessions.get(session);
    return (use?.bySource.get(source) ?? 0) >= capacity - (use?.inAll ?? 0);
  }

  readonly #giveBack = (opener: Shared, source: string): void => {
    opener.outstanding -= 1;
    const { session } = opener;
    const use = this.#sessions.get(session);
    if (use === undefined) return;
    const left = (use.bySource.get(source) ?? 0) - 1;
    if (left > 0) use.bySource.set(source, left);
    else use.bySource.delete(source);
    use.inAll -= 1;
    if (use.inAll === 0) this.#sessions.delete(session);
    this.onFreed?.(session);
  };
}

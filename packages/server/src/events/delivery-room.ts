/**
 * How much of what is brought to targets may be in memory, of all deliveries together. Never that an account has more than what is left
 * for others: however many targets of it are slow, who has none finds room.
 */

/** What one delivery has in memory. */
export interface Room {
  /** It takes no more. */
  readonly bytes: number;
  /** It takes as little. */
  shrink(bytes: number): void;
  /** It takes nothing any more. */
  leave(): void;
}

interface Waiting {
  readonly account: string;
  readonly least: number;
  readonly most: number;
  readonly given: (room: Room | null) => void;
}

/** Of events' texts. What is made of them on their way takes up to three times as much beside them. */
const ALL_BYTES = 64 * 1_048_576;

export class DeliveryRoom {
  readonly #all: number;
  #free: number;
  readonly #byAccount = new Map<string, number>();
  readonly #waiting = new Set<Waiting>();

  constructor(bytes = ALL_BYTES) {
    this.#all = bytes;
    this.#free = bytes;
  }

  /** As soon as there is room for `least` bytes, up to `most`; null when the signal aborts before that. */
  enter(
    account: string,
    { least, most }: { readonly least: number; readonly most: number },
    signal: AbortSignal,
  ): Promise<Room | null> {
    // What is larger than that gets in as well: nobody else would, else.
    const bound = Math.floor(this.#all / 4);
    const { promise, resolve } = Promise.withResolvers<Room | null>();
    const left = () => waiting.given(null);
    const waiting: Waiting = {
      ...{ account, least: Math.min(least, bound), most: Math.min(most, bound) },
      given: (room) => {
        this.#waiting.delete(waiting);
        signal.removeEventListener('abort', left);
        resolve(room);
      },
    };
    if (signal.aborted) return Promise.resolve(null);
    signal.addEventListener('abort', left);
    this.#waiting.add(waiting);
    this.#give();
    return promise;
  }

  /** To the account that has least, and of one to who waits longest. */
  #give(): void {
    for (;;) {
      let next: Waiting | null = null;
      for (const waiting of this.#waiting) {
        if (this.#roomFor(waiting) === 0) continue;
        if (next === null || this.#heldBy(waiting.account) < this.#heldBy(next.account)) next = waiting;
      }
      if (next === null) return;
      next.given(this.#take(next.account, this.#roomFor(next)));
    }
  }

  /** 0: not even the least. */
  #roomFor({ account, least, most }: Waiting): number {
    const bytes = Math.min(most, Math.floor((this.#free - this.#heldBy(account)) / 2));
    return bytes < least ? 0 : bytes;
  }

  #heldBy(account: string): number {
    return this.#byAccount.get(account) ?? 0;
  }

  #take(account: string, bytes: number): Room {
    let held = bytes;
    this.#move(account, bytes);
    const shrink = (to: number): void => {
      if (to >= held) return;
      this.#move(account, to - held);
      held = to;
      this.#give();
    };
    return { bytes, shrink, leave: () => shrink(0) };
  }

  #move(account: string, bytes: number): void {
    this.#free -= bytes;
    const held = this.#heldBy(account) + bytes;
    if (held > 0) this.#byAccount.set(account, held);
    else this.#byAccount.delete(account);
  }
}

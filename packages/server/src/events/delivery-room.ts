/**
 * How much of what is brought to targets may be in memory, of all deliveries together. Never that an account has more than what is left
 * for others: however many targets of it are slow, who has none finds room; nor that files which nobody takes keep an account's other
 * targets waiting.
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

/** In bytes. */
export interface WantedRoom {
  readonly least: number;
  readonly most: number;
  /** The target did not take it the last time: of its account, one such has room at a time. */
  readonly isRetriedFile: boolean;
}

interface Waiting extends WantedRoom {
  readonly account: string;
  readonly given: (room: Room | null) => void;
}

/** Of events' texts. What is made of them on their way takes up to three times as much beside them. */
const ALL_BYTES = 64 * 1_048_576;

export class DeliveryRoom {
  readonly #all: number;
  #free: number;
  readonly #byAccount = new Map<string, number>();
  /** Accounts of which a file that is tried again has room. */
  readonly #retrying = new Set<string>();
  readonly #waiting = new Set<Waiting>();

  constructor(bytes = ALL_BYTES) {
    this.#all = bytes;
    this.#free = bytes;
  }

  /** As soon as there is room for `least` bytes, up to `most`; null when the signal aborts before that. */
  enter(
    account: string,
    { least, most, isRetriedFile }: WantedRoom,
    signal: AbortSignal,
  ): Promise<Room | null> {
    // What is larger than that gets in as well: nobody else would, else.
    const bound = Math.floor(this.#all / 4);
    const { promise, resolve } = Promise.withResolvers<Room | null>();
    const left = () => waiting.given(null);
    const waiting: Waiting = {
      ...{ account, isRetriedFile, least: Math.min(least, bound), most: Math.min(most, bound) },
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
      next.given(this.#take(next, this.#roomFor(next)));
    }
  }

  /** 0: not even the least. */
  #roomFor({ account, least, most, isRetriedFile }: Waiting): number {
    if (isRetriedFile && this.#retrying.has(account)) return 0;
    const bytes = Math.min(most, Math.floor((this.#free - this.#heldBy(account)) / 2));
    return bytes < least ? 0 : bytes;
  }

  #heldBy(account: string): number {
    return this.#byAccount.get(account) ?? 0;
  }

  #take({ account, isRetriedFile }: Waiting, bytes: number): Room {
    let held = bytes;
    this.#move(account, bytes);
    if (isRetriedFile) this.#retrying.add(account);
    const shrink = (to: number): void => {
      if (to >= held) return;
      this.#move(account, to - held);
      held = to;
      this.#give();
    };
    let isRetrying = isRetriedFile;
    const leave = (): void => {
      if (isRetrying) this.#retrying.delete(account);
      isRetrying = false;
      shrink(0);
    };
    return { bytes, shrink, leave };
  }

  #move(account: string, bytes: number): void {
    this.#free -= bytes;
    const held = this.#heldBy(account) + bytes;
    if (held > 0) this.#byAccount.set(account, held);
    else this.#byAccount.delete(account);
  }
}

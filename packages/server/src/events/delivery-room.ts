/**
 * Limits the memory of all deliveries together.
 * Invariant: an account never holds more than what stays free for others. So an account without room finds some,
 * however slow the targets of others are.
 * Invariant: refused files of an account do not block its other targets.
 */

/** The memory of one delivery. */
export interface Room {
  /** Bytes that it may use. */
  readonly bytes: number;
  /** Reduces the room to `bytes`. */
  shrink(bytes: number): void;
  /** Releases the room. */
  leave(): void;
}

/** The wanted room, in bytes. */
export interface WantedRoom {
  readonly least: number;
  readonly most: number;
  /** True if the target refused the file the last time. An account has room for one such file at a time. */
  readonly isRetriedFile: boolean;
}

interface Waiting extends WantedRoom {
  readonly account: string;
  readonly given: (room: Room | null) => void;
}

/** Bytes of events' texts. Processing takes up to three times as much in addition. */
const ALL_BYTES = 64 * 1_048_576;

export class DeliveryRoom {
  readonly #all: number;
  #free: number;
  readonly #byAccount = new Map<string, number>();
  /** Accounts that have room for a retried file. */
  readonly #retrying = new Set<string>();
  readonly #waiting = new Set<Waiting>();

  constructor(bytes = ALL_BYTES) {
    this.#all = bytes;
    this.#free = bytes;
  }

  /** Resolves when there is room for `least` bytes, with up to `most`; with null if the signal aborts first. */
  enter(
    account: string,
    { least, most, isRetriedFile }: WantedRoom,
    signal: AbortSignal,
  ): Promise<Room | null> {
    // Larger requests are reduced to this. Otherwise they could never be admitted.
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

  /** Gives room to the account with the least, and within an account to the longest waiting delivery. */
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

  /** Returns 0 if there is not even room for the least. */
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

/** A client's connection, whichever HTTP it speaks, as it counts among those that are open. */

export interface Counted {
  readonly source: string;
  /** There are too many of its source: it is refused. */
  readonly surplus: boolean;
  /** True if the answer to something is not out yet. */
  readonly active: boolean;
  /** Calls back once the current request is answered, now or later. A further call replaces the callback. */
  onceIdle(act: () => void): void;
  /** Ends our side, and reads the peer's for a while, so that a reset does not overtake the last answer. */
  finish(): void;
  destroy(): void;
  /** Ends what a client has been too slow with. */
  sweep(): void;
}

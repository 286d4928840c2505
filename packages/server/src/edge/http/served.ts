/** A visitor's connection, whichever HTTP it speaks, as the engine sees all of them. */
import type { HostPattern } from '../../core/names/hostname.ts';

export interface Served {
  /** Closes at once what is between two requests; what is under way is left to end. */
  drain(): void;
  /**
   * Returns false if an exchange is in progress. Otherwise its descriptor is free afterwards, without waiting for
   * written bytes.
   */
  destroyIfIdle(): boolean;
  /** Ends what has been still for longer than its stage may be. */
  sweep(): void;
  /**
   * Checks the connection after sites of these names changed (null: all). It ends if its handshake does not fit them.
   */
  recheck(pattern: HostPattern | null): void;
  destroy(): void;
}

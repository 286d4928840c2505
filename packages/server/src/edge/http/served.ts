/** A visitor's connection, whichever HTTP it speaks, as the engine sees all of them. */
import type { HostPattern } from '../../core/hostname.ts';

export interface Served {
  /** Closes at once what is between two requests; what is under way is left to end. */
  drain(): void;
  /** False when something is under way. Its descriptor is free after it: nobody is waited for to read what was written. */
  destroyIfIdle(): boolean;
  /** Ends what has been still for longer than its stage may be. */
  sweep(): void;
  /** When sites of such names changed (null: of any): what could not have come about under them ends. */
  recheck(pattern: HostPattern | null): void;
  destroy(): void;
}

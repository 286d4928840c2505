/** The port of claims: gives names and ports to binds, and holds those of lost tunnels. The rules are in `directory/decide.ts`. */
import type { BindTarget } from '../core/names/bind-target.ts';
import type { Problem } from '../errors/problem.ts';
import type { Exclusion, WantedName } from '../online/online.ts';
import type { TunnelFacts } from '../online/tunnel-facts.ts';
import type { Claimant } from './directory/decide.ts';
import type { TunnelEntry } from './directory/entry.ts';
import type { Grant } from './grants.ts';
import type { Lease } from './leases.ts';

/** A tunnel, as far as claims see it. */
export interface Claiming {
  readonly facts: TunnelFacts;
  /** Null for labelled tunnels. */
  readonly grant: Grant | null;
}

export interface Claims {
  /**
   * Gives a name to a claimant, which then has it against all other credentials that do not share it, until its tunnel
   * has ended or release(). Waits while another account reserves the name; when there is nothing to wait for it is
   * granted in this turn, so that no other draw gives it. Raises Problem: another credential, a
   * reservation or an edge has it. `describe` makes
   * what other daemons know of the tunnel; a lone daemon does not call it.
   */
  claim(name: BindTarget, wish: Claimant, describe: () => TunnelEntry): Promise<Grant>;
  /** Claims like claim(), in this turn. Null: the name has a holder, or another account reserves it. */
  claimFree(name: BindTarget, wish: Claimant): Grant | null;
  /** Ends claims of a session that still wait: each raises Problem. */
  cancel(session: string): void;
  /** Gives back what was granted. Idempotent, and without effect on a tunnel that came online with it. */
  release(grant: Grant): void;
  /** Returns the reason why a claim would be refused at this moment; null: it would not. */
  denial(name: BindTarget, wish: Claimant): Problem | null;
  /** Returns true if the name has no tunnel, grant or lease. */
  isFree(name: BindTarget): boolean;
  /** Returns true if the name has a holder that the claimant may replace or share with. */
  isOpenTo(name: BindTarget, wish: Claimant): boolean;
  /** Returns how another account has a name that the pattern stands for, or the port; null: none has. */
  occupied(pattern: BindTarget, account: string): 'online' | 'held' | null;
  /** See OnlineFacts. */
  reserving<T>(
    names: readonly WantedName[],
    account: string,
    write: (exclusion: Exclusion | null) => Promise<T>,
  ): Promise<T>;
  /** The account for which exactly this name is held. */
  heldFor(name: BindTarget): string | undefined;
  /** The tunnel of a grant is online, so its name is not held any more. */
  settle(tunnel: Claiming): void;
  /** A labelled tunnel is online. `describe` makes what other daemons know of it. */
  publish(tunnel: Claiming, describe: () => TunnelEntry): void;
  /** The facts of a tunnel have changed. `describe` makes what other daemons know of it. */
  changed(tunnel: Claiming, describe: () => TunnelEntry): void;
  /** The tunnel has ended for good. */
  end(tunnel: Claiming): void;
  /** A tunnel was lost. Holds its name for its credential, unless others have its slot. `isReserved`: in a reservation. */
  hold(tunnel: Claiming, isReserved: boolean): void;
  /** Ends the leases of names without a tunnel. */
  releaseLeases(matches: (lease: Lease) => boolean): void;
  /** False while another daemon may have the names of this one. No tunnel is served then. */
  readonly serves: boolean;
  /** Resolves when names can be claimed. */
  start(): Promise<void>;
  /** Call it when all tunnels have ended. */
  stop(): Promise<void>;
}

/** Descriptions of tunnels and sessions in rows of the directory: plain data without secrets, for the other daemons. */
import type { SessionFacts } from '../../online/session.ts';
import type { Changeable, TunnelFacts } from '../../online/tunnel-facts.ts';

export interface TunnelEntry {
  readonly kind: 'tunnel';
  readonly facts: TunnelFacts;
  /** Streams of its session at a time; null: as many as agents have by the protocol. */
  readonly capacity: number | null;
  readonly hidesDials: boolean;
  readonly refusesForNow: boolean;
  /** True if its modules and TLS settings must be fetched from its daemon. False: there are none. */
  readonly hasModules: boolean;
  /** Digest of its behaviour under a key of the installation: tunnels of one pool have the same one. */
  readonly behaviour: string;
  /** The agent wants to know of refused visitors. */
  readonly wantsRefusals: boolean;
  /** The agent shows visits, so other daemons report theirs. */
  readonly wantsVisits: boolean;
  /** Values of its bind, if its agent has changed them since; null: it has not. */
  readonly bound: Changeable | null;
  /** Grows with each change by its agent, over all its connections: milliseconds since 1970, or more. 0: there was none. */
  readonly changedAt: number;
}

export interface SessionEntry {
  readonly kind: 'session';
  readonly facts: SessionFacts;
}

export type Entry = TunnelEntry | SessionEntry;

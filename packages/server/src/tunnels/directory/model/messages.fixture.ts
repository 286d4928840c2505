/** Sessions and tunnels of the model, visits to them, and the messages between daemons. */
import type { Moment } from '../fence.ts';
import type { RenewalReport } from '../isolation.ts';
import type { Incarnation, KeyRows } from '../row.ts';

/** A session of an agent with a daemon. */
export interface Session {
  readonly agent: number;
  readonly leg: number;
  /** Set when the bind is granted; null again after the end of the tunnel. */
  number: number | null;
  hasLeft: boolean;
}

export interface Own {
  readonly number: number;
  /** The version of the key that granted it. */
  readonly version: number;
  readonly session: Session;
}

export type LinkMessage =
  | {
      readonly kind: 'rows';
      readonly key: string;
      readonly state: KeyRows;
      readonly by: number;
      readonly old: number;
    }
  /** The question whether a daemon can renew, and the answer. `at`: a moment of the one that wants to know. */
  | { readonly kind: 'renews'; readonly at: Moment }
  | { readonly kind: 'report'; readonly at: Moment; readonly report: RenewalReport | null }
  /** The sender is isolated, has ended everything, and its life with it. */
  | { readonly kind: 'left'; readonly incarnation: Incarnation }
  | { readonly kind: 'confirmed'; readonly by: number; readonly old: number }
  | { readonly kind: 'hop'; readonly key: string; readonly number: number; readonly visit: Visit };

export interface Visit {
  readonly key: string;
  /** The daemon that the visitor came to, in its present life. */
  readonly at: string;
  readonly began: number;
  /** A further request on a connection that is kept. */
  readonly isKept: boolean;
}

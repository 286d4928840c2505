/**
 * Carries the tunnels of one session to its agent.
 * Invariant: registry and edge do not depend on the kind of connection.
 */
import type { ProxyHeader } from '@underpass/wire';
import type { Problem } from '../errors/problem.ts';
import type { ByteStream } from '../online/online.ts';
import type { Refusal } from '../online/refusal.ts';

export interface StoppedTunnel {
  readonly bindId: string;
  /** Milliseconds of the monotonic clock. */
  readonly boundAt: number;
  /** Its id stands for another tunnel by now, which goes on. */
  isBoundAgain(): boolean;
}

export interface Carrier {
  /** Opens a stream for one connection; null: the agent is gone or takes no more, and nothing was done. */
  open(header: ProxyHeader): ByteStream | null;
  /** Notifies the agent that a tunnel has ended, with the reason. Does not wait. */
  stop(tunnel: StoppedTunnel, reason: Problem): void;
  /** Milliseconds from the answer to a bind until the agent knows the tunnel: it may end streams before then without a byte. */
  readonly registerMs: number;
  /** A stream that ends without a byte may not have reached the service: the agent does not report which. */
  readonly hidesDials: boolean;
  /** Streams at a time; absent: as many as agents have by the protocol. */
  readonly capacity?: number;
  /** A refused stream may be opened a moment later. */
  readonly refusesForNow?: boolean;
  /** Nothing has come from the agent for two seconds, although it owes an answer, or it is about to leave. */
  readonly isSuspect: boolean;
  /** Reports a refused visitor of one tunnel. Absent: the agent does not want to know. */
  refused?(bindId: string, make: () => Refusal): void;
  /** True if refused() has an effect; absent: it has none. */
  readonly wantsRefusals?: boolean;
  /** The agent shows visits to its user; absent: it does not. */
  readonly wantsVisits?: boolean;
  /** Something was sent that wants an answer. Called for every request: cheap. */
  expectAnswer(): void;
}

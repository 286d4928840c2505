import type { Logger } from 'pino';
import type { IpRestrictions } from '../access/ip-restrictions.ts';
import type { IdSequence } from '../core/id.ts';
import type { Settings } from '../core/settings.ts';
import type { Store } from '../store/store.ts';
import type { Proofs } from './proofs.ts';
import type { Registry } from './registry.ts';
import type { Reservations } from './reservations.ts';
import type { Rounds } from './silence-watch.ts';
import type { Tunnel } from './tunnel.ts';

export interface IngressLimits {
  /** From the end of the TLS handshake to the Auth request. */
  readonly authMs: number;
  readonly tunnelsPerSession: number;
  /** From a request to an agent to its answer. */
  readonly askMs: number;
  /** From the answer to a bind until every agent knows the tunnel. */
  readonly registerMs: number;
  /** Without a byte from an agent that owes an answer, until it is asked for a sign of life. */
  readonly silentMs: number;
}

/** What every session of an ingress shares. */
export interface IngressContext {
  readonly store: Store;
  readonly settings: Pick<Settings, 'domain' | 'publicPort' | 'region' | 'errorPrefix' | 'baseUrl'>;
  readonly registry: Registry;
  readonly reservations: Reservations;
  readonly restrictions: Pick<IpRestrictions, 'judge'>;
  readonly proofs: Proofs;
  readonly ids: IdSequence;
  readonly rounds: Rounds;
  readonly log: Logger;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
  readonly random: (bytes: number) => Buffer;
  /** Of this service, as agents are told. */
  readonly version: string;
  readonly limits: IngressLimits;
  /** Counts changes of credentials and of their owners, so that a session can tell that one came between a read and its use. */
  readonly credentialChanges: () => number;
  /**
   * Tells the agent of a tunnel that its name was bound again, by the agent that is called so. Answers what the first one is
   * called.
   */
  readonly superseded: (tunnel: Tunnel, by: string) => string | null;
}

/**
 * The record of a request, or of a connection that carries bytes, at its end. Metrics, the access log, events and the
 * list of requests are made of it.
 * Invariant: it contains bodies only while the account records them, and header values only if it subscribed to them.
 */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { RecordedBodies } from './body-recording.ts';
import type { ConnectionFacts, Visitor } from './facts.ts';
import type { RecordedHeads } from './recorded-heads.ts';
import type { Backend } from './site.ts';

export interface ExchangeRecord {
  readonly kind: 'http' | 'bytes';
  /** `edghts_…`, `edgtls_…`, `edgtcp_…`, `ep_…`, or `rd_…` or a name where nothing is online. */
  readonly site: string;
  /** '' if the name belongs to no account. */
  readonly account: string;
  /** '' when no route was chosen. */
  readonly route: string;
  /** Target of the route, `bkd…_…` or a tunnel; '' without a route. */
  readonly backend: string;
  /** '' when it went nowhere: `tn_…` or `bkdsc_…`, or `bkdhr_…` of a configured answer. */
  readonly servedBy: string;
  /** `cr_…` of the agent that it went to; '' for none. */
  readonly credential: string;
  /** The bound name, or host and port, of the agent's endpoint that it came to; '' for other sites. */
  readonly endpoint: string;
  readonly connection: ConnectionFacts;
  /** '' for bytes, and for a success that no log, event or list describes. */
  readonly method: string;
  /** The path without the query; '' like the method. */
  readonly path: string;
  /** The query as it came, cut after 1,024 bytes; '' like the method. It may contain secrets of the visitor. */
  readonly query: string;
  /** 0: the visitor got no answer. */
  readonly status: number;
  /** Bytes of the body, or of the connection. */
  readonly bytesIn: number;
  /** Bytes of the response with its head, or of the connection. */
  readonly bytesOut: number;
  /** Both heads. Null for bytes, and if no event of the account needed them at the beginning. */
  readonly heads: RecordedHeads | null;
  /** Null: they are not recorded, or the modules refused the request. */
  readonly bodies: RecordedBodies | null;
  /** The backend's connection had carried a request before. */
  readonly isReused: boolean;
  /** Bytes that compression saved in the response body. */
  readonly bytesSaved: number;
  readonly durationMs: number;
  /** Milliseconds until the first byte of the response or from the backend; null for none. */
  readonly firstByteMs: number | null;
  /** Decisions of modules by name. */
  readonly decisions: ReadonlyMap<string, string>;
  /** Visitors by the module that identified them; empty without heads. */
  readonly visitors: ReadonlyMap<string, Visitor>;
  /** The reason why the edge responded itself, or ended the exchange. */
  readonly error: ErrorName | null;
  /**
   * The cause why the upstream was not reached, or the fault of its response with the offending line, cut and escaped. Null: none is
   * known. Not for visitors.
   */
  readonly fault: string | null;
  /** Reason of what the edge refused, in words; null: nothing was refused, or `error` alone states it. Not for visitors. */
  readonly reason: string | null;
  /** Backend that it was on its way to; null: none is known. */
  readonly to: Pick<Backend, 'tunnels'> | null;
}

/**
 * The detail of a successful request's record: the outcome; also method and path; or also both heads and the visitor.
 * More detail costs more.
 */
export type Recorded = 'outcome' | 'line' | 'heads';

export const nobody: ReadonlyMap<string, Visitor> = new Map();

export type Observe = (record: ExchangeRecord) => void;

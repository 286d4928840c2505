/**
 * What is told of each request, and of each connection that carries bytes, when it is over: metrics, the access log and events are
 * made of it. Never that a record holds a body, or a header's value or a query that its account did not subscribe to.
 */
import type { ErrorName } from '../../errors/catalogue.ts';
import type { ConnectionFacts, Visitor } from './facts.ts';
import type { RecordedHeads } from './recorded-heads.ts';
import type { Backend } from './site.ts';

export interface ExchangeRecord {
  readonly kind: 'http' | 'bytes';
  /** `edghts_…`, `edgtls_…`, `edgtcp_…`, `ep_…`, or `rd_…` or a name where nothing is online. */
  readonly site: string;
  /** '' where the name is nobody's. */
  readonly account: string;
  /** '' when no route was chosen. */
  readonly route: string;
  /** What the route led to, `bkd…_…` or a tunnel; '' when no route was chosen. */
  readonly backend: string;
  /** '' when it went nowhere: `tn_…` or `bkdsc_…`, or `bkdhr_…` of a configured answer. */
  readonly servedBy: string;
  readonly connection: ConnectionFacts;
  /** '' for bytes, and where nothing went wrong and nobody wants to know. */
  readonly method: string;
  /** Without the query; '' as for the method. */
  readonly path: string;
  /** 0: the visitor got no answer. */
  readonly status: number;
  /** Of the body, or of the connection. */
  readonly bytesIn: number;
  /** Of the answer with its head, or of the connection. */
  readonly bytesOut: number;
  /** What was said before the body; null where the account was not to be told of it when it began, and for bytes. */
  readonly heads: RecordedHeads | null;
  /** The backend's connection had carried a request before. */
  readonly isReused: boolean;
  /** What compression has left of the body of the answer is so much shorter. */
  readonly bytesSaved: number;
  readonly durationMs: number;
  /** Until the answer, or anything from the backend, began; null when nothing did. */
  readonly firstByteMs: number | null;
  /** What modules decided, by their names. */
  readonly decisions: ReadonlyMap<string, string>;
  /** Of whom those decided that have visitors log in; empty where there are no heads. */
  readonly visitors: ReadonlyMap<string, Visitor>;
  /** Why the edge answered, or ended it, itself. */
  readonly error: ErrorName | null;
  /** The fault of the upstream's response with the offending line, cut and escaped; null: none is known. Not for visitors. */
  readonly fault: string | null;
  /** Reason of what the edge refused, in words; null: nothing was refused, or `error` alone states it. Not for visitors. */
  readonly reason: string | null;
  /** Backend that it was on its way to; null: none is known. */
  readonly to: Pick<Backend, 'tunnels'> | null;
}

/**
 * How much of a request is said where nothing goes wrong: what happened to it, also what was asked (method and path), or also both heads and
 * who the visitor is. Who wants less pays for less.
 */
export type Recorded = 'outcome' | 'line' | 'heads';

export const nobody: ReadonlyMap<string, Visitor> = new Map();

export type Observe = (record: ExchangeRecord) => void;

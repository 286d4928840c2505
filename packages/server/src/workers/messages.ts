/**
 * The messages between the supervisor and its workers, over the channel that Node opens to a child process. A supervisor
 * may have workers of the next version: each end leaves out what it does not know.
 */
import type { Purpose, Reason, Warning } from '../health/readiness.ts';

/** A question of the supervisor. The worker responds in its event loop, so a response is a sign of life. */
export type Question =
  | { readonly about: 'life' }
  | { readonly about: 'metrics' }
  /** A successor accepts from the same sockets: the worker is to close its own descriptors of them. */
  | { readonly about: 'handOver' }
  /** All workers are about to stop. */
  | { readonly about: 'endTogether' }
  /** The visitors of all workers are served. */
  | { readonly about: 'allServed' }
  | { readonly about: 'readiness'; readonly purpose: Purpose };

export interface Health {
  readonly reasons: readonly Reason[];
  readonly warnings: readonly Warning[];
}

/** A response, by the subject of its question. */
export interface Responses {
  readonly life: true;
  readonly handOver: true;
  readonly endTogether: true;
  readonly allServed: true;
  /** Text in the format of Prometheus. */
  readonly metrics: string;
  readonly readiness: Health;
}

export type ToWorker = Question & { readonly id: number };

export type FromWorker =
  | { readonly kind: 'ready'; readonly bootstrapFile: string | null }
  /** The visitors of a worker that stops together with the others are served. */
  | { readonly kind: 'served' }
  | { readonly kind: 'response'; readonly id: number; readonly response: Responses[keyof Responses] };

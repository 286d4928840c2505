/**
 * Elects the daemon that orders certificates.
 * Invariant: usually only one daemon orders.
 */
import type { AcmeLeaseDocument, DocumentStore } from '../documents/index.ts';
import { systemLease } from '../documents/work-lease.ts';
import { Lease } from '../store/lease.ts';

export interface OrderLeaseOptions {
  readonly store: Pick<DocumentStore, 'findName' | 'get' | 'write'>;
  /** The orders that the lease is for. */
  readonly purpose: 'domains' | 'service';
  /** The id of this process; null if no other daemon can use the database. */
  readonly daemon: string | null;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
}

/** All methods reject with errors of the store. */
export class OrderLease {
  /** Null if this daemon is the only one. */
  readonly #lease: Lease<AcmeLeaseDocument> | null;

  constructor({ store, purpose, daemon, uptime }: OrderLeaseOptions) {
    const of = { kind: 'acme_lease', prefix: 'al', value: `acme_lease/${purpose}` } as const;
    this.#lease = daemon === null ? null : new Lease({ store, daemon, uptime, ...systemLease(store, of) });
  }

  /** Takes the lease. Returns 0 if this daemon has it now, otherwise the milliseconds until the next attempt. */
  async take(): Promise<number> {
    return this.#lease === null || (await this.#lease.renew()) ? 0 : this.#lease.claim();
  }

  /** Renews the lease. Returns false if this daemon does not have it, or lost it. */
  async keep(): Promise<boolean> {
    return this.#lease === null || this.#lease.renew();
  }

  /** The next daemon need not wait. */
  async release(): Promise<void> {
    await this.#lease?.release();
  }
}

/**
 * Elects the daemon that does work for all daemons of a database, such as periodic requests to servers of others.
 * Invariant: usually only one daemon has it. Its work may be done twice after a pause, and does no harm then.
 */
import { Lease, type LeaseOptions } from '../store/lease.ts';
import type { KindName } from './kinds.ts';
import type { DocumentStore, StoredDocument } from './store.ts';

type LeaseStore = Pick<DocumentStore, 'findName' | 'get' | 'write'>;

export interface WorkLeaseOptions {
  readonly store: LeaseStore;
  readonly work: 'domain_proofs' | 'renewal_info' | 'saml_metadata';
  /** The id of this process; null if no other daemon can use the database. */
  readonly daemon: string | null;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
  /** Milliseconds between two calls of `holds`. A daemon that misses three of them counts as dead. */
  readonly everyMs: number;
}

export class WorkLease {
  /** Null if this daemon is the only one. */
  readonly #lease: Lease<{ readonly daemon: string }> | null;

  constructor({ store, work, daemon, uptime, everyMs }: WorkLeaseOptions) {
    this.#lease =
      daemon === null
        ? null
        : new Lease({
            ...{ store, daemon, uptime, leaseMs: 3 * everyMs },
            ...systemLease(store, { kind: 'work_lease', prefix: 'wl', value: `work_lease/${work}` }),
          });
  }

  /** Takes the lease if it is free, or renews it. Returns true if this daemon has it. False also without the store. */
  async holds(): Promise<boolean> {
    if (this.#lease === null) return true;
    return await this.#lease.claim().then(
      (waitMs) => waitMs === 0,
      () => false,
    );
  }

  /** The next daemon need not wait. Never rejects. */
  async release(): Promise<void> {
    await this.#lease?.release().catch(() => {});
  }
}

type LeaseKind = Extract<KindName, 'acme_lease' | 'work_lease'>;

/** The document of a lease of the account `system`, and its reader. */
export function systemLease(
  store: LeaseStore,
  { kind, prefix, value }: { readonly kind: LeaseKind; readonly prefix: string; readonly value: string },
): Pick<LeaseOptions<{ readonly daemon: string }>, 'first' | 'read'> {
  const name = { kind: 'system', value };
  return {
    first: { prefix, account: 'system', kind, parent: null, name, body: { daemon: '' } },
    async read(): Promise<StoredDocument<LeaseKind> | null> {
      const holder = await store.findName(name);
      const document = holder === null ? null : await store.get(holder.id);
      return document?.kind === kind ? document : null;
    },
  };
}

/**
 * A lease: a document that only its last writer may write, as a sign of life every few seconds. Other daemons judge its
 * age by their own clock.
 * Invariant: usually only one daemon has a lease.
 */
import {
  ConflictError,
  type JsonObject,
  type NameClaim,
  type Revision,
  type Store,
  type WriteOperation,
} from './store.ts';

/** Milliseconds without a write after which a daemon counts as dead. */
export const LEASE_MS = 15_000;
/** Milliseconds between two writes of the daemon that has the lease. */
export const RENEWAL_MS = LEASE_MS / 3;
/** Milliseconds until the next check if another daemon was faster. */
export const LOOK_AGAIN_MS = 500;

/** The body of a lease, with the id of the daemon that has it; '' for none. */
export type LeaseBody = JsonObject & { readonly daemon: string };

interface Stored<Body> {
  readonly id: string;
  readonly revision: Revision;
  readonly body: Body;
}

export interface LeaseOptions<Body extends LeaseBody> {
  readonly store: Pick<Store, 'write'>;
  /** The id of this process; null if no other daemon can use the database. */
  readonly daemon: string | null;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
  /** Milliseconds without a write after which a daemon counts as dead, if not LEASE_MS. It writes three times in them. */
  readonly leaseMs?: number;
  /** Reads the document; null if it does not exist. */
  readonly read: () => Promise<Stored<Body> | null>;
  /** The document before its first write. Its name makes it unique. */
  readonly first: {
    readonly prefix: string;
    readonly account: string;
    readonly kind: string;
    readonly parent: string | null;
    readonly name: NameClaim;
    readonly body: Body;
  };
}

/** All methods reject with errors of the store. */
export class Lease<Body extends LeaseBody> {
  readonly #options: LeaseOptions<Body>;
  readonly #leaseMs: number;
  #ours: { readonly id: string; revision: Revision; body: Body } | null = null;
  /** The time of the last certain write. Without a newer one, another daemon may have the lease. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** The last write of another daemon, and the time when it was first seen. */
  #seen: { readonly revision: Revision; readonly at: number } | null = null;

  constructor(options: LeaseOptions<Body>) {
    this.#options = options;
    this.#leaseMs = options.leaseMs ?? LEASE_MS;
  }

  get isOurs(): boolean {
    return this.#ours !== null;
  }

  /** The state that this daemon last read or wrote; the first one without the lease. */
  get body(): Body {
    return this.#ours?.body ?? this.#options.first.body;
  }

  /**
   * Claims the lease, or renews it when that is due. Returns 0 if this daemon has it now, otherwise the milliseconds
   * until the next attempt.
   */
  async claim(): Promise<number> {
    const { daemon, uptime } = this.#options;
    if (this.#ours === null) return this.#take();
    if (daemon === null || uptime() - this.#writtenAt < this.#leaseMs / 3) return 0;
    return (await this.renew()) ? 0 : LOOK_AGAIN_MS;
  }

  /** Renews the lease now. Returns false if this daemon does not have it, or lost it. */
  renew(): Promise<boolean> {
    return this.write(this.body);
  }

  /** Ends the lease, so that the next daemon need not wait. */
  async release(): Promise<void> {
    if (this.#options.daemon !== null) await this.write({ ...this.body, daemon: '' });
  }

  /**
   * Writes the body together with other operations. Returns false, and writes nothing, if another daemon has the lease
   * now.
   */
  async write(
    body: Body,
    along: (newId: (prefix: string) => string) => readonly WriteOperation[] = () => [],
  ): Promise<boolean> {
    const ours = this.#ours;
    if (ours === null) return false;
    const { id, revision } = ours;
    try {
      ours.revision = await this.#options.store.write((newId) => [
        { op: 'rewrite', id, revision, body },
        ...along(newId),
      ]);
      ours.body = body;
      this.#writtenAt = this.#options.uptime();
      // No daemon has the lease now. The next one must claim it.
      if (body.daemon === '' && this.#options.daemon !== null) this.#ours = null;
      return true;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      this.#ours = null;
      return false;
    }
  }

  async #take(): Promise<number> {
    const { daemon, read } = this.#options;
    const stored = await read();
    if (stored === null) return (await this.#insert()) ? 0 : LOOK_AGAIN_MS;
    const { id, revision, body } = stored;
    const leftMs = daemon === null ? 0 : this.#leftMs(stored, daemon);
    if (leftMs > 0) return leftMs;
    this.#ours = { id, revision, body };
    if (daemon === null) return 0;
    try {
      return (await this.write({ ...body, daemon })) ? 0 : LOOK_AGAIN_MS;
    } catch (error) {
      // It is unknown if this daemon has the lease, so it is claimed again.
      this.#ours = null;
      throw error;
    }
  }

  async #insert(): Promise<boolean> {
    const { store, first, daemon } = this.#options;
    const { account, kind, parent, name } = first;
    const body = { ...first.body, daemon: daemon ?? '' };
    let id = '';
    try {
      const revision = await store.write((newId) => {
        id = newId(first.prefix);
        return [{ op: 'insert', id, account, kind, parent, body, links: [], names: [name] }];
      });
      this.#ours = { id, revision, body };
      this.#writtenAt = this.#options.uptime();
      return true;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      return false;
    }
  }

  /** Returns the milliseconds for which another daemon may still have the lease. */
  #leftMs({ revision, body }: Stored<Body>, daemon: string): number {
    if (body.daemon === '' || body.daemon === daemon) return 0;
    const now = this.#options.uptime();
    if (this.#seen?.revision !== revision) this.#seen = { revision, at: now };
    return this.#seen.at + this.#leaseMs - now;
  }
}

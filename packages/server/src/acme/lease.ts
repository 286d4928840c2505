/**
 * Elects the daemon that orders certificates: the last writer of a document. It writes every few seconds. Other daemons
 * judge its age by their own clock.
 * Invariant: usually only one daemon orders.
 */
import type { DocumentStore, StoredDocument } from '../documents/index.ts';
import { ConflictError } from '../store/store.ts';

/** Milliseconds without a write after which a daemon counts as dead. */
export const LEASE_MS = 15_000;
export const BEAT_MS = 5_000;
/** Milliseconds until the next check if another daemon was faster. */
const LOOK_AGAIN_MS = 500;

export interface LeaseOptions {
  readonly store: Pick<DocumentStore, 'findName' | 'get' | 'write'>;
  /** The orders that the lease is for. */
  readonly purpose: 'domains' | 'service';
  /** The id of this process; null if no other daemon can use the database. */
  readonly daemon: string | null;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
}

export class Lease {
  readonly #options: LeaseOptions;
  #ours: { readonly id: string; revision: number } | null = null;
  /** The last write of another daemon, and the time when it was first seen. */
  #seen: { readonly revision: number; readonly at: number } | null = null;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /**
   * Takes the lease. Returns 0 if this daemon has it now, otherwise the milliseconds until the next attempt. Rejects
   * with errors of the store.
   */
  async take(): Promise<number> {
    const { daemon } = this.#options;
    if (daemon === null || (await this.keep())) return 0;
    const stored = await this.#find();
    if (stored === null) return (await this.#insert(daemon)) ? 0 : LOOK_AGAIN_MS;
    const leftMs = this.#leftMs(stored, daemon);
    if (leftMs > 0) return leftMs;
    this.#ours = { id: stored.id, revision: stored.revision };
    return (await this.#write(daemon)) ? 0 : LOOK_AGAIN_MS;
  }

  /** Renews the lease. Returns false if this daemon does not have it, or lost it. */
  async keep(): Promise<boolean> {
    const { daemon } = this.#options;
    return daemon === null || this.#write(daemon);
  }

  /** The next daemon need not wait. */
  async release(): Promise<void> {
    if (this.#options.daemon !== null) await this.#write('');
    this.#ours = null;
  }

  async #write(daemon: string): Promise<boolean> {
    const ours = this.#ours;
    if (ours === null) return false;
    const { id, revision } = ours;
    try {
      ours.revision = await this.#options.store.write(() => [
        { op: 'rewrite', id, revision, body: { daemon } },
      ]);
      return true;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      this.#ours = null;
      return false;
    }
  }

  async #insert(daemon: string): Promise<boolean> {
    let id = '';
    const row = {
      account: 'system',
      kind: 'acme_lease',
      parent: null,
      links: [],
      names: [this.#claim()],
    } as const;
    try {
      const revision = await this.#options.store.write((newId) => {
        id = newId('al');
        return [{ op: 'insert', id, ...row, body: { daemon } }];
      });
      this.#ours = { id, revision };
      return true;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      return false;
    }
  }

  #claim() {
    return { kind: 'system', value: `acme_lease/${this.#options.purpose}` };
  }

  async #find(): Promise<StoredDocument<'acme_lease'> | null> {
    const { store } = this.#options;
    const holder = await store.findName(this.#claim());
    const document = holder === null ? null : await store.get(holder.id);
    return document?.kind === 'acme_lease' ? document : null;
  }

  /** Returns the milliseconds for which another daemon may still have the lease. */
  #leftMs({ revision, body }: StoredDocument<'acme_lease'>, daemon: string): number {
    if (body.daemon === '' || body.daemon === daemon) return 0;
    const now = this.#options.uptime();
    if (this.#seen?.revision !== revision) this.#seen = { revision, at: now };
    return this.#seen.at + LEASE_MS - now;
  }
}

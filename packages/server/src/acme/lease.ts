/**
 * Which daemon asks for certificates: the one that wrote a document last. Never that two do in the normal case. Whether another one still lives is
 * told by our own clock: it writes every few seconds.
 */
import type { DocumentStore, StoredDocument } from '../documents/index.ts';
import { ConflictError } from '../store/store.ts';

/** Without a word for so long a daemon is taken for dead. */
export const LEASE_MS = 15_000;
export const BEAT_MS = 5_000;
/** Somebody else was faster: he is looked at soon. */
const LOOK_AGAIN_MS = 500;

export interface LeaseOptions {
  readonly store: Pick<DocumentStore, 'findName' | 'get' | 'write'>;
  /** What is asked for under it. */
  readonly purpose: 'domains' | 'service';
  /** Of this process; null when no other can have the database. */
  readonly daemon: string | null;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
}

export class Lease {
  readonly #options: LeaseOptions;
  #ours: { readonly id: string; revision: number } | null = null;
  /** What another daemon wrote, and when it was seen first. */
  #seen: { readonly revision: number; readonly at: number } | null = null;

  constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /** 0 when this daemon asks from now on; else when to try again, in milliseconds. Rejects as the store does. */
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

  /** Says that this daemon lives. False when it does not ask, or another one asks by now. */
  async keep(): Promise<boolean> {
    const { daemon } = this.#options;
    return daemon === null || this.#write(daemon);
  }

  /** Whoever comes next need not wait. */
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

  /** For how long another daemon may still be at it. */
  #leftMs({ revision, body }: StoredDocument<'acme_lease'>, daemon: string): number {
    if (body.daemon === '' || body.daemon === daemon) return 0;
    const now = this.#options.uptime();
    if (this.#seen?.revision !== revision) this.#seen = { revision, at: now };
    return this.#seen.at + LEASE_MS - now;
  }
}

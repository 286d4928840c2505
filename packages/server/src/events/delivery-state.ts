/**
 * The state of delivery to one destination, and a lease on it. It is a document that only its last writer may write, as
 * a sign of life every few seconds. Other daemons judge its age by their own clock.
 * Invariant: usually only one daemon delivers to a destination.
 */
import type { DocumentStore, EventDeliveryDocument, EventFile, StoredDocument } from '../documents/index.ts';
import { ConflictError, type Revision, type WriteOperation } from '../store/store.ts';

/** Milliseconds without a write after which a daemon counts as dead. */
export const LEASE_MS = 15_000;
/** Milliseconds between two writes of the daemon that delivers. */
export const RENEWAL_MS = LEASE_MS / 3;
/** Milliseconds until the next check if another daemon was faster. */
const LOOK_AGAIN_MS = 500;

export interface DeliveryStateOptions {
  readonly store: DocumentStore;
  readonly account: string;
  readonly destination: string;
  /** The id of this process; null if no other daemon can use the database. */
  readonly daemon: string | null;
  /** Milliseconds of a monotonic clock. */
  readonly uptime: () => number;
}

const NAME = 'event_delivery';

const untried: EventDeliveryDocument = {
  daemon: '',
  attempts: 0,
  failing_since: 0,
  next_attempt_at: 0,
  last_success_at: 0,
  last_error: '',
  last_error_at: 0,
  failed_count: 0,
};

export class DeliveryState {
  readonly #options: DeliveryStateOptions;
  #ours: { readonly id: string; revision: Revision; body: EventDeliveryDocument } | null = null;
  /** The time of the last certain write. Without a newer one, another daemon may have the lease. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** The last write of another daemon, and the time when it was first seen. */
  #seen: { readonly revision: Revision; readonly at: number } | null = null;

  constructor(options: DeliveryStateOptions) {
    this.#options = options;
  }

  get isOurs(): boolean {
    return this.#ours !== null;
  }

  /** The state that this daemon last read or wrote. */
  get body(): EventDeliveryDocument {
    return this.#ours?.body ?? untried;
  }

  /** Returns the current file, whichever daemon delivers it. */
  async file(): Promise<EventFile | null> {
    const { store, destination } = this.#options;
    const body = this.#ours?.body ?? (await readDelivery(store, destination))?.body;
    return body?.file ?? null;
  }

  /** Claims the delivery. Returns 0 if this daemon has it now, otherwise the milliseconds until the next attempt. */
  async claim(): Promise<number> {
    const { store, destination, daemon, uptime } = this.#options;
    if (this.#ours !== null) {
      if (daemon === null || uptime() - this.#writtenAt < RENEWAL_MS) return 0;
      return (await this.write(this.#ours.body)) ? 0 : LOOK_AGAIN_MS;
    }
    const stored = await readDelivery(store, destination);
    if (stored === null) return this.#insert();
    const { id, revision, body } = stored;
    if (daemon === null) {
      this.#ours = { id, revision, body };
      return 0;
    }
    const leftMs = this.#leftMs(stored, daemon);
    if (leftMs > 0) return leftMs;
    this.#ours = { id, revision, body };
    try {
      return (await this.write({ ...body, daemon })) ? 0 : LOOK_AGAIN_MS;
    } catch (error) {
      // It is unknown if this daemon has the lease, so it is claimed again.
      this.#ours = null;
      throw error;
    }
  }

  /**
   * Writes the state together with other operations. Returns false, and writes nothing, if another daemon delivers now.
   */
  async write(
    body: EventDeliveryDocument,
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

  async #insert(): Promise<number> {
    const { store, account, destination: parent, daemon } = this.#options;
    const body = { ...untried, daemon: daemon ?? '' };
    const names = [{ kind: NAME, value: parent }];
    let id = '';
    try {
      const revision = await store.write((newId) => {
        id = newId('evd');
        return [{ op: 'insert', id, account, kind: 'event_delivery', parent, body, links: [], names }];
      });
      this.#ours = { id, revision, body };
      this.#writtenAt = this.#options.uptime();
      return 0;
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
      return LOOK_AGAIN_MS;
    }
  }

  /** Returns the milliseconds for which another daemon may still have the lease. */
  #leftMs({ revision, body }: StoredDocument<'event_delivery'>, daemon: string): number {
    if (body.daemon === '' || body.daemon === daemon) return 0;
    const now = this.#options.uptime();
    if (this.#seen?.revision !== revision) this.#seen = { revision, at: now };
    return this.#seen.at + LEASE_MS - now;
  }
}

/** Returns null if the destination never had an event. */
export async function readDelivery(
  store: Pick<DocumentStore, 'findName' | 'get'>,
  destination: string,
): Promise<StoredDocument<'event_delivery'> | null> {
  const holder = await store.findName({ kind: NAME, value: destination });
  const document = holder === null ? null : await store.get(holder.id);
  return document?.kind === 'event_delivery' ? document : null;
}

/**
 * How delivery to one destination stands, and which daemon delivers: a document that only the one may write who wrote it last. Never
 * that two daemons deliver in the normal case. Whether another one still lives is told by our own clock: it writes now and then.
 */
import type { DocumentStore, EventDeliveryDocument, EventFile, StoredDocument } from '../documents/index.ts';
import { ConflictError, type Revision, type WriteOperation } from '../store/store.ts';

/** Without a word for so long a daemon is taken for dead. */
export const LEASE_MS = 15_000;
/** Whoever delivers writes that often. */
export const RENEWAL_MS = LEASE_MS / 3;
/** Somebody else was faster: he is looked at soon. */
const LOOK_AGAIN_MS = 500;

export interface DeliveryStateOptions {
  readonly store: DocumentStore;
  readonly account: string;
  readonly destination: string;
  /** Of this process; null when no other can have the database. */
  readonly daemon: string | null;
  /** Milliseconds of a clock that never jumps. */
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
  /** When it was ours for certain: without a word since, another daemon may have taken it. */
  #writtenAt = Number.NEGATIVE_INFINITY;
  /** What another daemon wrote, and when we saw it first. */
  #seen: { readonly revision: Revision; readonly at: number } | null = null;

  constructor(options: DeliveryStateOptions) {
    this.#options = options;
  }

  get isOurs(): boolean {
    return this.#ours !== null;
  }

  /** As it was last read or written by whoever delivers here. */
  get body(): EventDeliveryDocument {
    return this.#ours?.body ?? untried;
  }

  /** The file that is on its way, whoever brings it. */
  async file(): Promise<EventFile | null> {
    const { store, destination } = this.#options;
    const body = this.#ours?.body ?? (await readDelivery(store, destination))?.body;
    return body?.file ?? null;
  }

  /** 0 when this daemon delivers from now on; else when to ask again, in milliseconds. */
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
      // Nobody can tell whether it is ours: it is asked for again.
      this.#ours = null;
      throw error;
    }
  }

  /** Writes it with what goes along. False when somebody else delivers by now: nothing was written. */
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
      // Nobody's any more: whoever comes next asks first.
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

  /** For how long another daemon may still be at it. */
  #leftMs({ revision, body }: StoredDocument<'event_delivery'>, daemon: string): number {
    if (body.daemon === '' || body.daemon === daemon) return 0;
    const now = this.#options.uptime();
    if (this.#seen?.revision !== revision) this.#seen = { revision, at: now };
    return this.#seen.at + LEASE_MS - now;
  }
}

/** Null when nothing was ever to be delivered to the destination. */
export async function readDelivery(
  store: Pick<DocumentStore, 'findName' | 'get'>,
  destination: string,
): Promise<StoredDocument<'event_delivery'> | null> {
  const holder = await store.findName({ kind: NAME, value: destination });
  const document = holder === null ? null : await store.get(holder.id);
  return document?.kind === 'event_delivery' ? document : null;
}

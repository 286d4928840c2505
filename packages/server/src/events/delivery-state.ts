/**
 * The state of delivery to one destination. Its document is the lease of the daemon that delivers.
 * Invariant: usually only one daemon delivers to a destination.
 */
import type { DocumentStore, EventDeliveryDocument, EventFile, StoredDocument } from '../documents/index.ts';
import { Lease, type LeaseOptions } from '../store/lease.ts';

type Reading = Pick<DocumentStore, 'findName' | 'get'>;

export interface DeliveryStateOptions extends Pick<LeaseOptions<EventDeliveryDocument>, 'daemon' | 'uptime'> {
  readonly store: Reading & Pick<DocumentStore, 'write'>;
  readonly account: string;
  readonly destination: string;
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

export class DeliveryState extends Lease<EventDeliveryDocument> {
  readonly #read: () => Promise<StoredDocument<'event_delivery'> | null>;

  constructor({ store, account, destination: parent, daemon, uptime }: DeliveryStateOptions) {
    const read = () => readDelivery(store, parent);
    const name = { kind: NAME, value: parent };
    const first = { prefix: 'evd', account, kind: 'event_delivery', parent, name, body: untried };
    super({ store, daemon, uptime, read, first });
    this.#read = read;
  }

  /** Returns the current file, whichever daemon delivers it. */
  async file(): Promise<EventFile | null> {
    const body = this.isOurs ? this.body : (await this.#read())?.body;
    return body?.file ?? null;
  }
}

/** Returns null if the destination never had an event. */
export async function readDelivery(
  store: Reading,
  destination: string,
): Promise<StoredDocument<'event_delivery'> | null> {
  const holder = await store.findName({ kind: NAME, value: destination });
  const document = holder === null ? null : await store.get(holder.id);
  return document?.kind === 'event_delivery' ? document : null;
}

/**
 * Follows the recordings of bodies of all accounts, and begins and ends them.
 * Invariant: a recording is in the audit trail at its begin and its end, with its actor.
 */
import type { Logger } from 'pino';
import type { Change, DocumentFeed, DocumentStore, StoredDocument } from '../../documents/index.ts';
import { followDocuments } from '../../documents/store.ts';
import type { BodyPlace, BodyRecordings } from '../../edge/sites/body-recording.ts';
import type { Site } from '../../edge/sites/site.ts';
import { failureLog } from '../../store/outage-log.ts';
import { ConflictError } from '../../store/store.ts';
import { BODIES_MS, type BodyStore } from './recorded-bodies.ts';
import { endWrites, ofClock } from './recording-changes.ts';

export type Recording = StoredDocument<'body_recording'>;

export interface RecordingsOptions {
  readonly store: DocumentFeed & Pick<DocumentStore, 'write'>;
  readonly bodies: BodyStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

const SWEEP_MS = 10_000;

export class Recordings implements BodyRecordings {
  readonly #options: RecordingsOptions;
  readonly #known = new Map<string, Recording>();
  /** Recordings under way, by account and site. */
  readonly #running = new Map<string, Recording>();
  #following: { stop(): Promise<void> } | null = null;
  #sweeping: NodeJS.Timeout | undefined;

  private constructor(options: RecordingsOptions) {
    this.#options = options;
  }

  static async start(options: RecordingsOptions): Promise<Recordings> {
    const recordings = new Recordings(options);
    const onError = failureLog(options.log, 'following recordings of bodies failed');
    recordings.#following = await followDocuments(options.store, ['body_recording'], recordings, { onError });
    const sweepError = failureLog(options.log, 'ending recordings of bodies failed');
    recordings.#sweeping = setInterval(() => void recordings.sweep().catch(sweepError), SWEEP_MS).unref();
    return recordings;
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweeping);
    await this.#following?.stop();
  }

  get isOn(): boolean {
    return this.#running.size > 0;
  }

  begin({ id, account, endpoint = '' }: Pick<Site, 'id' | 'account' | 'endpoint'>): BodyPlace | null {
    const recording = this.#running.get(keyOf(account, endpoint || id));
    if (recording === undefined || !this.isActive(recording)) return null;
    const { ends_at: endsAt } = recording.body;
    const isOpen = () => {
      const known = this.#known.get(recording.id);
      return known !== undefined && this.isActive(known);
    };
    return this.#options.bodies.begin({ id: recording.id, account, endsAt }, isOpen);
  }

  isActive({ body }: Recording): boolean {
    const now = this.#options.now();
    // One of the clocks is wrong if it began later than now by its whole length.
    const isCurrent = now < body.ends_at && now >= 2 * body.begun_at - body.ends_at;
    return body.ended_at === 0 && isCurrent;
  }

  /** Ends recordings at their time, and deletes them an hour later. Several daemons can sweep at once. */
  async sweep(): Promise<void> {
    const { bodies, now } = this.#options;
    bodies.sweep();
    for (const recording of [...this.#known.values()]) {
      const { id, revision, body } = recording;
      if (body.ended_at === 0 && !this.isActive(recording)) {
        const end = ofClock(recording, now());
        await this.#write((newId) => endWrites(newId, recording, end));
      } else if (body.ended_at !== 0 && Math.abs(now() - body.ended_at) >= BODIES_MS)
        await this.#write(() => [{ op: 'delete', id, revision }]);
    }
  }

  /** Callback of `follow`: all documents. */
  reset(documents: readonly Recording[]): void {
    const ids = new Set(documents.map(({ id }) => id));
    for (const id of this.#known.keys()) if (!ids.has(id)) this.#remove(id);
    for (const document of documents) this.#put(document);
  }

  /** Callback of `follow`: the changes. */
  apply(changes: readonly Change<'body_recording'>[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else this.#put(document);
    }
  }

  #put(recording: Recording): void {
    this.#known.set(recording.id, recording);
    const site = siteOf(recording);
    if (recording.body.ended_at === 0) this.#running.set(site, recording);
    else this.#ended(recording.id, site);
  }

  #remove(id: string): void {
    const known = this.#known.get(id);
    if (known === undefined) return;
    this.#known.delete(id);
    this.#ended(id, siteOf(known));
    this.#options.bodies.forget(id);
  }

  /** Another recording of the site may have begun at the same time. */
  #ended(id: string, site: string): void {
    if (this.#running.get(site)?.id !== id) return;
    this.#running.delete(site);
    for (const other of this.#known.values())
      if (siteOf(other) === site && this.isActive(other)) this.#running.set(site, other);
  }

  /** A document that another daemon has changed is left to it. */
  async #write(make: Parameters<DocumentStore['write']>[0]): Promise<void> {
    try {
      await this.#options.store.write(make);
    } catch (error) {
      if (!(error instanceof ConflictError)) throw error;
    }
  }
}

function siteOf({ account, body: { site, endpoint } }: Recording): string {
  return keyOf(account, endpoint || site);
}

function keyOf(account: string, site: string): string {
  return `${account} ${site}`;
}

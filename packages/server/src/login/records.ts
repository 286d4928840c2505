/**
 * Login records shared by all daemons on a database: used logins, and ended sessions.
 * Invariant: no login is used twice.
 */
import type { Logger } from 'pino';
import type { Change, DocumentStore, LoginRecordDocument, StoredDocument } from '../documents/index.ts';
import { followDocuments } from '../documents/store.ts';
import { failureLog } from '../store/outage-log.ts';
import { ConflictError, type WriteOperation } from '../store/store.ts';
import { type ListedEnd, type ListedLogin, listingOf } from './listed-login.ts';

const account = 'system';
const sweepMs = 60_000;
/** Records of one sweep; the next one takes the rest. */
const mostSwept = 1000;

export interface LoginRecordsOptions {
  readonly store: DocumentStore;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Milliseconds of a clock that never jumps. */
  readonly uptime: () => number;
  readonly log: Logger;
}

type LoginRecord = StoredDocument<'login_record'>;
type NewId = (prefix: string) => string;

export class LoginRecords {
  readonly #options: LoginRecordsOptions;
  /** Start of the monotonic clock, in wall-clock time at the last sweep. */
  #beganAt: number;
  readonly #records = new Map<string, LoginRecord>();
  /** Sessions that have ended, by what they are known by. */
  readonly #ended = new Map<string, LoginRecord>();
  #following: { stop(): Promise<void> } | null = null;
  #sweeping: NodeJS.Timeout | undefined;

  private constructor(options: LoginRecordsOptions) {
    this.#options = options;
    this.#beganAt = options.now() - options.uptime();
  }

  static async start(options: LoginRecordsOptions): Promise<LoginRecords> {
    const records = new LoginRecords(options);
    const onError = failureLog(options.log, 'following ended logins failed');
    records.#following = await followDocuments(options.store, ['login_record'], records, { onError });
    const sweepError = failureLog(options.log, 'forgetting old logins failed');
    records.#sweeping = setInterval(() => void records.sweep().catch(sweepError), sweepMs).unref();
    return records;
  }

  async stop(): Promise<void> {
    clearInterval(this.#sweeping);
    await this.#following?.stop();
  }

  /**
   * Returns true if something that is good for one login is used for the first time; `until`, in milliseconds since
   * 1970, it is remembered. The login is listed in the same write.
   */
  async use(what: string, until: number, login: ListedLogin | null = null): Promise<boolean> {
    const along = login === null ? undefined : (newId: NewId) => listingOf(newId, login);
    return await this.#write(what, { expires_at: until, ended: '', ended_at: 0 }, along);
  }

  /** Ends a listed login on every daemon, and removes it from the list, together with `along`. */
  async endListed(
    account: string,
    { id, session, ends_at: expires_at }: ListedEnd,
    along: (newId: NewId) => readonly WriteOperation[],
  ): Promise<void> {
    const ended_at = this.#options.now();
    const body = { expires_at, ended: session, ended_at };
    await this.#write(`${session} at ${ended_at}`, body, (newId) => [
      { op: 'forget', kind: 'visit', account, key: id },
      ...along(newId),
    ]);
  }

  /** Ends, on every daemon, what began before now and is known by `handle`. */
  async end(handle: string, until: number): Promise<void> {
    const ended_at = this.#options.now();
    await this.#write(`${handle} at ${ended_at}`, { expires_at: until, ended: handle, ended_at });
  }

  isEnded(handle: string, begunAt: number): boolean {
    return (this.#ended.get(handle)?.body.ended_at ?? -1) >= begunAt;
  }

  /** Callback of `follow`: all documents. */
  reset(documents: readonly LoginRecord[]): void {
    this.#records.clear();
    this.#ended.clear();
    for (const document of documents) this.#put(document);
  }

  /** Callback of `follow`: the changes. */
  apply(changes: readonly Change<'login_record'>[]): void {
    for (const { id, document } of changes) {
      if (document === null) this.#remove(id);
      else this.#put(document);
    }
  }

  /**
   * Deletes expired records. Several daemons can sweep at once. A clock that jumped ahead counts from the second
   * sweep on: then a short jump deletes nothing, and a corrected clock keeps nothing for ever.
   */
  async sweep(): Promise<void> {
    const uptime = this.#options.uptime();
    const beganAt = this.#options.now() - uptime;
    const now = uptime + Math.min(beganAt, this.#beganAt);
    this.#beganAt = beganAt;
    const old = [...this.#records.values()].filter(({ body }) => body.expires_at <= now);
    for (const { id, revision } of old.slice(0, mostSwept)) {
      await this.#options.store.write(() => [{ op: 'delete', id, revision }]).catch(ignoreConflict);
    }
  }

  #put(document: LoginRecord): void {
    this.#records.set(document.id, document);
    const { ended } = document.body;
    if (ended === '') return;
    const known = this.#ended.get(ended);
    if (known === undefined || known.body.ended_at <= document.body.ended_at)
      this.#ended.set(ended, document);
  }

  #remove(id: string): void {
    const ended = this.#records.get(id)?.body.ended ?? '';
    this.#records.delete(id);
    if (this.#ended.get(ended)?.id === id) this.#ended.delete(ended);
  }

  /** False: there is such a record already. */
  async #write(
    name: string,
    body: LoginRecordDocument,
    along: (newId: NewId) => readonly WriteOperation[] = () => [],
  ): Promise<boolean> {
    try {
      await this.#options.store.write((newId) => [
        {
          ...{ op: 'insert', id: newId('lr'), account, kind: 'login_record', parent: null },
          ...{ body, links: [], names: [{ kind: 'login', value: name }] },
        },
        ...along(newId),
      ]);
      return true;
    } catch (error) {
      ignoreConflict(error);
      return false;
    }
  }
}

function ignoreConflict(error: unknown): void {
  if (!(error instanceof ConflictError)) throw error;
}

/**
 * Measures the work of a store. It returns the store's own promises.
 * Invariant: callers continue in the same turn of the event loop as without it.
 */
import { FirstLists } from './first-lists.ts';
import { isOutage, type OutageLog } from './outage-log.ts';
import {
  type ChangeFeed,
  ConflictError,
  type LogFollower,
  type NameClaim,
  type NameQuery,
  type NoteKind,
  type NoteQuery,
  type PageQuery,
  type QueueCountQuery,
  type QueueQuery,
  type Revision,
  RevisionCompactedError,
  type SeriesQuery,
  type Store,
  StoreUnavailableError,
  type WriteOperation,
  WriteOutcomeUnknownError,
} from './store.ts';

/** `unknown_outcome` is a write's. */
export const failureReasons = ['unavailable', 'unknown_outcome', 'other'] as const;
export type FailureReason = (typeof failureReasons)[number];

export interface StoreObserver {
  committed(): void;
  conflicted(): void;
  failed(operation: 'read' | 'write', reason: FailureReason): void;
}

type Outages = Pick<OutageLog, 'failed' | 'worked' | 'writeFailure'>;

export class ObservedStore implements Store {
  readonly #store: Store;
  readonly #observer: StoreObserver;
  readonly #outages: Outages;
  /** Monotonic milliseconds. */
  readonly #now: () => number;
  readonly #feeds = new Set<ChangeFeed>();
  readonly #followers = new Set<LogFollower>();
  #queueLength = 0;
  #written: Revision = 0;
  /** The time of the last read that found the store unavailable. */
  #unreadableAt = Number.NEGATIVE_INFINITY;
  #firstLists: FirstLists | null = null;

  constructor(store: Store, observer: StoreObserver, outages: Outages, now: () => number) {
    this.#store = store;
    this.#observer = observer;
    this.#outages = outages;
    this.#now = now;
  }

  /** Batches that wait for their commit. */
  get queueLength(): number {
    return this.#queueLength;
  }

  /** The revision of the last write of this process; 0: none. It falls if the database continues from another history. */
  get written(): Revision {
    return this.#written;
  }

  /** Milliseconds since the slowest follower was last up to date. */
  get followerLagMs(): number {
    const now = this.#now();
    const lags = [...this.#feeds].map(({ caughtUpAt = now }) => now - caughtUpAt);
    return Math.max(0, ...lags);
  }

  /** Milliseconds since a read, also a follower's, last found the store unavailable; infinite if none did. */
  get sinceUnreadableMs(): number {
    const feeds = [...this.#feeds].map(({ unreadableAt = Number.NEGATIVE_INFINITY }) => unreadableAt);
    return this.#now() - Math.max(this.#unreadableAt, ...feeds);
  }

  /** The cause of the last write's failure, for the operator; null after a successful write. */
  get writeFailure(): string | null {
    return this.#outages.writeFailure;
  }

  write(build: (newId: (prefix: string) => string) => readonly WriteOperation[]): Promise<Revision> {
    this.#queueLength += 1;
    const written = this.#store.write(build);
    written.then(this.#committed, this.#refused);
    return written;
  }

  get(id: string) {
    return this.#read(this.#store.get(id));
  }

  page(query: PageQuery) {
    return this.#read(this.#store.page(query));
  }

  queue(query: QueueQuery) {
    return this.#read(this.#store.queue(query));
  }

  countQueued(query: QueueCountQuery) {
    return this.#read(this.#store.countQueued(query));
  }

  notes(query: NoteQuery) {
    return this.#read(this.#store.notes(query));
  }

  notesAt(kind: NoteKind, account: string, keys: readonly string[]) {
    return this.#read(this.#store.notesAt(kind, account, keys));
  }

  oldestNote(kind: NoteKind) {
    return this.#read(this.#store.oldestNote(kind));
  }

  series(query: SeriesQuery) {
    return this.#read(this.#store.series(query));
  }

  hasDeletedQueues() {
    return this.#read(this.#store.hasDeletedQueues());
  }

  findName(claim: NameClaim) {
    return this.#read(this.#store.findName(claim));
  }

  names(query: NameQuery) {
    return this.#read(this.#store.names(query));
  }

  lastId() {
    return this.#read(this.#store.lastId());
  }

  linksTo(id: string, limit: number) {
    return this.#read(this.#store.linksTo(id, limit));
  }

  linksBefore(id: string, limit: number, before?: string) {
    return this.#read(this.#store.linksBefore(id, limit, before));
  }

  scan(kinds: readonly string[]) {
    return this.#scanned(this.#store.scan(kinds));
  }

  scanStates(kinds: readonly string[]) {
    return this.#scanned(this.#store.scanStates(kinds));
  }

  async *#scanned<Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    try {
      yield* parts;
      this.#answered();
    } catch (error) {
      this.#unread(error);
      throw error;
    }
  }

  snapshot(kinds: readonly string[]) {
    return this.#read(this.#store.snapshot(kinds));
  }

  /** Gives followers of these kinds the lists that are read now, until the returned function is called. */
  listTogether(kinds: readonly string[]): () => void {
    const lists = new FirstLists(this, kinds);
    this.#firstLists = lists;
    return () => {
      lists.forget();
      this.#firstLists = null;
    };
  }

  async firstList(kinds: readonly string[]) {
    return (await this.#firstLists?.of(kinds)) ?? null;
  }

  watch(from: Revision, kinds: readonly string[], signal: AbortSignal, mark?: string): ChangeFeed {
    const feed = this.#store.watch(from, kinds, signal, mark);
    if (signal.aborted) return feed;
    this.#feeds.add(feed);
    signal.addEventListener('abort', () => this.#feeds.delete(feed), { once: true });
    return feed;
  }

  joined(follower: LogFollower): () => void {
    this.#followers.add(follower);
    return () => this.#followers.delete(follower);
  }

  /** Resolves as that of a follower, for all followers of this process. */
  async reached(revision: Revision): Promise<boolean> {
    const reached = await Promise.all([...this.#followers].map((one) => one.reached(revision)));
    return reached.every((has) => has);
  }

  watchQueues(signal: AbortSignal) {
    return this.#scanned(this.#store.watchQueues(signal));
  }

  close(): Promise<void> {
    return this.#store.close();
  }

  #read<T>(read: Promise<T>): Promise<T> {
    read.then(this.#answered, this.#unread);
    return read;
  }

  readonly #answered = (): void => this.#outages.worked('read');

  readonly #committed = (revision: Revision): void => {
    this.#written = revision;
    this.#queueLength -= 1;
    this.#outages.worked('write');
    this.#observer.committed();
  };

  readonly #refused = (error: unknown): void => {
    this.#queueLength -= 1;
    this.#outages.failed('write', error);
    if (error instanceof ConflictError) this.#observer.conflicted();
    else this.#observer.failed('write', reasonOf(error));
  };

  readonly #unread = (error: unknown): void => {
    this.#outages.failed('read', error);
    if (isOutage(error)) this.#unreadableAt = this.#now();
    if (!(error instanceof RevisionCompactedError)) this.#observer.failed('read', reasonOf(error));
  };
}

function reasonOf(error: unknown): FailureReason {
  if (error instanceof WriteOutcomeUnknownError) return 'unknown_outcome';
  return error instanceof StoreUnavailableError ? 'unavailable' : 'other';
}

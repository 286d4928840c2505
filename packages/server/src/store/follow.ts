/**
 * Lists, then watches, with repair reads at intervals. Everything in this process follows the store through it.
 * Invariant: a follower always converges to the store's state. A document that a newer program wrote keeps its last
 * readable state.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { NewerFormatError } from './format.ts';
import type {
  Change,
  ChangeFeed,
  DocumentState,
  Feed,
  LogFollower,
  Revision,
  Slice,
  StoredDocument,
} from './store.ts';

export interface Follower {
  /** Receives the whole state. Forget all earlier documents. */
  reset(documents: readonly StoredDocument[]): void;
  /** Receives changes, in revision order. */
  apply(changes: readonly Change[]): void;
}

export interface FollowOptions {
  /** Milliseconds between two repair reads. */
  readonly repairMs?: number;
  /** Receives the reason of an interruption, in the store or in the follower itself. Following continues by itself. */
  readonly onError?: (error: unknown) => void;
}

const REPAIR_MS = 60_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 5_000;
/** Known documents that are compared in one turn, which takes about a millisecond. */
const KNOWN_PER_TURN = 10_000;

/**
 * Resolves after the first `reset`, for which it waits until the store is available. Errors of the store or the
 * follower do not reject it.
 */
export async function follow(
  feed: Feed,
  kinds: readonly string[],
  follower: Follower,
  options: FollowOptions = {},
): Promise<{ stop(): Promise<void> }> {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const following = new Following(feed, kinds, follower, options);
  const leave = feed.joined?.(following);
  const done = following.run(resolve).finally(leave);
  await ready;
  return {
    stop: () => {
      following.stop();
      return done;
    },
  };
}

class Following implements LogFollower {
  readonly #feed: Feed;
  readonly #kinds: readonly string[];
  readonly #follower: Follower;
  readonly #repairMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #stopped = new AbortController();
  /** The follower's documents, by id. */
  readonly #known = new Map<string, Known>();
  /** Documents that the watch brought during a repair read. The watch is newer for them. */
  #touched: Set<string> | null = null;
  /** The moment at which the follower was verified; null if the watch has brought changes since. */
  #verified: Moment | null = null;
  #hasListed = false;
  /** True if the follower has processed all changes. */
  #isTold = false;
  /** Revisions of documents that a newer program wrote after they were listed. */
  readonly #unreadable = new Map<string, Revision>();
  /** The feed that is read. Pending while documents are listed; null after the end. */
  #reading = Promise.withResolvers<ChangeFeed | null>();
  /** Counts repair reads. */
  #round = 0;

  constructor(feed: Feed, kinds: readonly string[], follower: Follower, options: FollowOptions) {
    this.#feed = feed;
    this.#kinds = kinds;
    this.#follower = follower;
    this.#repairMs = options.repairMs ?? REPAIR_MS;
    this.#onError = options.onError ?? warn;
  }

  stop(): void {
    this.#stopped.abort();
  }

  async reached(revision: Revision): Promise<boolean> {
    const feed = await this.#reading.promise;
    return (await feed?.reached?.(revision)) ?? true;
  }

  async run(ready: () => void): Promise<void> {
    let retryMs = FIRST_RETRY_MS;
    while (!this.#stopped.signal.aborted) {
      try {
        const from = await this.#list();
        ready();
        retryMs = FIRST_RETRY_MS;
        await this.#watchAndRepair(from);
      } catch (error) {
        this.#report(error);
        await pause(retryMs, this.#stopped.signal);
        retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS);
      }
    }
    this.#reading.resolve(null);
  }

  async #list(): Promise<Moment> {
    const first = this.#hasListed ? null : await this.#feed.firstList?.(this.#kinds);
    this.#hasListed = true;
    const listed = first ?? (await this.#snapshot());
    if (listed === null) return await this.#catchUp();
    const { documents, ...moment } = listed;
    if (this.#stopped.signal.aborted) return moment;
    this.#known.clear();
    this.#unreadable.clear();
    for (const document of documents) this.#known.set(document.id, this.#knowing(document));
    this.#isTold = false;
    this.#follower.reset(documents);
    this.#isTold = true;
    this.#verified = moment;
    return moment;
  }

  /**
   * Returns null if a newer program wrote a document that cannot be listed. The follower then continues with its state.
   */
  async #snapshot(): Promise<Slice | null> {
    try {
      return await this.#feed.snapshot(this.#kinds);
    } catch (error) {
      if (error instanceof NewerFormatError && this.#isTold) return null;
      throw error;
    }
  }

  /** Performs a repair read while nothing is watched. */
  async #catchUp(): Promise<Moment> {
    this.#verified = null;
    return await this.#repair(new Set(), this.#stopped.signal);
  }

  /** A failure of either ends the other. */
  async #watchAndRepair(from: Moment): Promise<void> {
    const round = new AbortController();
    const signal = AbortSignal.any([round.signal, this.#stopped.signal]);
    const tasks = [this.#watch(from, signal), this.#repairForever(signal)];
    const results = await Promise.allSettled(tasks.map((task) => task.finally(() => round.abort())));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #watch({ revision: from, mark }: Moment, signal: AbortSignal): Promise<void> {
    const feed = this.#feed.watch(from, this.#kinds, signal, mark);
    this.#reading.resolve(feed);
    try {
      await this.#read(feed);
    } finally {
      this.#reading = Promise.withResolvers();
    }
  }

  async #read(feed: ChangeFeed): Promise<void> {
    for await (const changes of feed) {
      this.#verified = null;
      for (const { id, revision, newerFormat } of changes) {
        this.#touched?.add(id);
        if (newerFormat !== undefined) this.#leave(id, revision, newerFormat);
      }
      // A repair read may have been faster than the watch.
      this.#accept(changes.filter((change) => this.#isNews(change)));
    }
  }

  async #repairForever(signal: AbortSignal): Promise<void> {
    for (;;) {
      await pause(this.#repairMs, signal);
      if (signal.aborted) return;
      const touched = new Set<string>();
      this.#touched = touched;
      await this.#repair(touched, signal);
      this.#touched = null;
    }
  }

  /**
   * Compares the follower's documents with one moment of the store, slice by slice, while the watch continues.
   *
   * Documents that the watch brings meanwhile are skipped, because their slices may be older. All other documents are
   * unchanged since before that moment, so the time at which a slice is compared does not matter. A difference in a
   * slice was missed, and so was the deletion of a document in no slice. A restored database has older states, so any
   * difference counts, not only a newer state. Only missed changes are kept until the end, and reported in revision
   * order.
   *
   * Returns the moment.
   */
  async #repair(touched: ReadonlySet<string>, signal: AbortSignal): Promise<Moment> {
    const different: DocumentState[] = [];
    let moment: Moment = { revision: 0 };
    this.#round += 1;
    for await (const { documents, ...slice } of this.#feed.scanStates(this.#kinds)) {
      // Nothing was written since, so nothing can have been missed.
      if (signal.aborted || isSame(slice, this.#verified)) return slice;
      moment = slice;
      for (const state of documents) if (this.#isDifferent(state)) different.push(state);
    }
    const missed = await this.#changesTo(different, signal);
    for await (const [id, { account, kind }] of this.#unseen())
      missed.push({ id, account, kind, revision: moment.revision, document: null });
    if (signal.aborted) return moment;
    this.#accept(missed.filter(({ id }) => !touched.has(id)).sort(byRevision));
    this.#verified = touched.size === 0 ? moment : null;
    return moment;
  }

  /** Returns true if a slice has a state that the follower does not have. Marks the follower's documents in it. */
  #isDifferent({ id, revision }: DocumentState): boolean {
    const known = this.#known.get(id);
    if (known !== undefined) known.seen = this.#round;
    return known?.revision !== revision && this.#unreadable.get(id) !== revision;
  }

  /** Leaves documents that changed or were deleted since to the watch, or to the next repair read. */
  async #changesTo(states: readonly DocumentState[], signal: AbortSignal): Promise<Change[]> {
    const changes: Change[] = [];
    for (const { id, revision } of states) {
      if (signal.aborted) return [];
      const document = await this.#readAt(id, revision);
      if (document?.revision === revision) changes.push(changeTo(document));
    }
    return changes;
  }

  /** Returns null also for a document that a newer program wrote. */
  async #readAt(id: string, revision: Revision): Promise<StoredDocument | null> {
    try {
      return await this.#feed.get(id);
    } catch (error) {
      if (!(error instanceof NewerFormatError)) throw error;
      this.#leave(id, revision, error.format);
      return null;
    }
  }

  /**
   * Keeps the last readable state of the document. It logs once until all is listed again, because there may be many
   * followers.
   */
  #leave(id: string, revision: Revision, format: number): void {
    if (this.#unreadable.size === 0) this.#report(new NewerFormatError(id, format));
    this.#unreadable.set(id, revision);
  }

  /** Yields known documents that were in no slice of this repair read. */
  async *#unseen(): AsyncGenerator<readonly [string, Known]> {
    let count = 0;
    // A Map may change during iteration: additions of the watch are visited, and removed entries are not.
    for (const [id, known] of this.#known) {
      count += 1;
      if (count % KNOWN_PER_TURN === 0) await turn();
      if (known.seen !== this.#round) yield [id, known];
    }
  }

  #isNews(change: Change): boolean {
    if (change.newerFormat !== undefined) return false;
    const known = this.#known.get(change.id);
    return change.document === null ? known !== undefined : change.revision > (known?.revision ?? 0);
  }

  #accept(changes: readonly Change[]): void {
    if (changes.length === 0) return;
    for (const change of changes) {
      this.#unreadable.delete(change.id);
      if (change.document === null) this.#known.delete(change.id);
      else this.#known.set(change.id, this.#knowing(change.document));
    }
    this.#isTold = false;
    this.#follower.apply(changes);
    this.#isTold = true;
  }

  #knowing({ account, kind, revision }: StoredDocument): Known {
    return { account, kind, revision, seen: this.#round };
  }

  #report(error: unknown): void {
    try {
      this.#onError(error);
    } catch {
      // An error in the error handler must not end the following.
    }
  }
}

/**
 * The part of a document that comparisons need, and the change that reports its deletion. There is one for each
 * followed document, so it is small.
 */
interface Known {
  readonly account: string;
  readonly kind: string;
  readonly revision: Revision;
  /** The number of the last repair read that saw the document. */
  seen: number;
}

/** A revision with its mark. */
type Moment = Omit<Slice, 'documents'>;

function isSame({ revision, mark }: Moment, other: Moment | null): boolean {
  return other !== null && revision === other.revision && mark === other.mark;
}

function changeTo(document: StoredDocument): Change {
  const { id, account, kind, revision } = document;
  return { id, account, kind, revision, document };
}

function byRevision(one: Change, other: Change): number {
  return one.revision - other.revision;
}

function warn(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error));
}

/** Waits without keeping the process alive. Ends early, without an error, when the signal aborts. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds).unref();
    signal.addEventListener('abort', end, { once: true });
  });
}

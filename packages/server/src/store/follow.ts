/**
 * List, then watch, with a repair read now and then: how everything in this process keeps up with the store. Never that a
 * follower ends anywhere but at the truth, but for documents that a newer program has written since: of those it keeps what it had.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { NewerFormatError } from './format.ts';
import type { Change, DocumentState, Revision, Slice, Store, StoredDocument } from './store.ts';

export interface Follower {
  /** The whole truth: forget what was known before. */
  reset(documents: readonly StoredDocument[]): void;
  /** What became different, in revision order. */
  apply(changes: readonly Change[]): void;
}

export interface FollowOptions {
  /** Milliseconds between two repair reads. */
  readonly repairMs?: number;
  /** Told why following was interrupted, by the store or by the follower itself; it goes on by itself. */
  readonly onError?: (error: unknown) => void;
}

const REPAIR_MS = 60_000;
const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 5_000;
/** Of what is known, this much is gone through at once: about a millisecond. */
const KNOWN_PER_TURN = 10_000;

/** Resolves after the first `reset`; until then it waits for the store. Never rejects for what the store or the follower does. */
export async function follow(
  store: Store,
  kinds: readonly string[],
  follower: Follower,
  options: FollowOptions = {},
): Promise<{ stop(): Promise<void> }> {
  const { promise: ready, resolve } = Promise.withResolvers<void>();
  const following = new Following(store, kinds, follower, options);
  const done = following.run(resolve);
  await ready;
  return {
    stop: () => {
      following.stop();
      return done;
    },
  };
}

class Following {
  readonly #store: Store;
  readonly #kinds: readonly string[];
  readonly #follower: Follower;
  readonly #repairMs: number;
  readonly #onError: (error: unknown) => void;
  readonly #stopped = new AbortController();
  /** The documents that the follower has, by id. */
  readonly #known = new Map<string, Known>();
  /** What the watch brought while a repair read was under way: there the watch is the newer truth. */
  #touched: Set<string> | null = null;
  /** The moment at which the follower was seen to have the truth; null when the watch has brought something since. */
  #verified: Moment | null = null;
  #hasListed = false;
  /** The follower has taken all that it was told. */
  #isTold = false;
  /** The revisions of documents that a newer program wrote since they were listed. */
  readonly #unreadable = new Map<string, Revision>();
  /** Counts repair reads. */
  #round = 0;

  constructor(store: Store, kinds: readonly string[], follower: Follower, options: FollowOptions) {
    this.#store = store;
    this.#kinds = kinds;
    this.#follower = follower;
    this.#repairMs = options.repairMs ?? REPAIR_MS;
    this.#onError = options.onError ?? warn;
  }

  stop(): void {
    this.#stopped.abort();
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
  }

  async #list(): Promise<Moment> {
    const first = this.#hasListed ? null : await this.#store.firstList?.(this.#kinds);
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

  /** Null: a newer program has written what cannot be listed, and the follower goes on from what it has. */
  async #snapshot(): Promise<Slice | null> {
    try {
      return await this.#store.snapshot(this.#kinds);
    } catch (error) {
      if (error instanceof NewerFormatError && this.#isTold) return null;
      throw error;
    }
  }

  /** What a repair read does, while nothing is watched. */
  async #catchUp(): Promise<Moment> {
    this.#verified = null;
    return await this.#repair(new Set(), this.#stopped.signal);
  }

  /** Whichever of the two fails ends the other. */
  async #watchAndRepair(from: Moment): Promise<void> {
    const round = new AbortController();
    const signal = AbortSignal.any([round.signal, this.#stopped.signal]);
    const tasks = [this.#watch(from, signal), this.#repairForever(signal)];
    const results = await Promise.allSettled(tasks.map((task) => task.finally(() => round.abort())));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  async #watch({ revision: from, mark }: Moment, signal: AbortSignal): Promise<void> {
    for await (const changes of this.#store.watch(from, this.#kinds, signal, mark)) {
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
   * Compares what the follower has with one moment of the store, slice by slice, while the watch goes on.
   *
   * A document that the watch brings meanwhile is left to the watch, whatever the slices say of it: they are of a moment that may
   * be past. Of all others the follower knows at the end what it knew before that moment, so it does not matter when a slice is
   * looked at: what is different in it was missed, and so was the deletion of what is in none. Different, not newer: a database that was
   * restored has older states.
   * Only what was missed is kept until the end, to be read and told in the order of revisions: normally nothing. Answers the moment.
   */
  async #repair(touched: ReadonlySet<string>, signal: AbortSignal): Promise<Moment> {
    const different: DocumentState[] = [];
    let moment: Moment = { revision: 0 };
    this.#round += 1;
    for await (const { documents, ...slice } of this.#store.scanStates(this.#kinds)) {
      // Nothing was written, nothing was told: nothing can have been missed.
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

  /** Whether a slice of a repair read has something that the follower was not told; marks what it has. */
  #isDifferent({ id, revision }: DocumentState): boolean {
    const known = this.#known.get(id);
    if (known !== undefined) known.seen = this.#round;
    return known?.revision !== revision && this.#unreadable.get(id) !== revision;
  }

  /** What became another one since, or was deleted, is left to the watch, or to the next repair read. */
  async #changesTo(states: readonly DocumentState[], signal: AbortSignal): Promise<Change[]> {
    const changes: Change[] = [];
    for (const { id, revision } of states) {
      if (signal.aborted) return [];
      const document = await this.#read(id, revision);
      if (document?.revision === revision) changes.push(changeTo(document));
    }
    return changes;
  }

  /** Null also for what a newer program wrote. */
  async #read(id: string, revision: Revision): Promise<StoredDocument | null> {
    try {
      return await this.#store.get(id);
    } catch (error) {
      if (!(error instanceof NewerFormatError)) throw error;
      this.#leave(id, revision, error.format);
      return null;
    }
  }

  /** What is known of the document stays. Said once until all is listed again: many may follow. */
  #leave(id: string, revision: Revision, format: number): void {
    if (this.#unreadable.size === 0) this.#report(new NewerFormatError(id, format));
    this.#unreadable.set(id, revision);
  }

  /** What is known and was in no slice of this repair read. */
  async *#unseen(): AsyncGenerator<readonly [string, Known]> {
    let count = 0;
    // A Map can change while it is iterated: what the watch adds comes along, what it removes does not.
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
      // Whoever is told of an error cannot end the following by one of its own.
    }
  }
}

/** What a comparison needs, and a change that says that the document is gone. One for each document that is followed: small. */
interface Known {
  readonly account: string;
  readonly kind: string;
  readonly revision: Revision;
  /** The last repair read that came across it. */
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

/** Does not keep the process alive; ends early, without an error, when the signal aborts. */
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

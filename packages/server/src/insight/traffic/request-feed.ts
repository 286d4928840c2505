/**
 * Follows the requests of an account on all daemons as they end.
 * Invariant: an account without followers costs nothing, and one with followers a limited number of entries a second.
 */
import { Problem } from '../../errors/problem.ts';
import type { Questions } from '../../link/questions.ts';
import type { JsonObject } from '../../store/store.ts';
import { type AskedList, LIST, readEntries } from './request-lists.ts';
import type { RequestLog } from './request-log.ts';

/** Receives entries, oldest first. `missed`: at least this many others were left out. */
export type ReceiveRequests = (entries: readonly JsonObject[], missed: number) => void;

/** Milliseconds between two reads of other daemons. */
const PERIOD_MS = 1000;
/** Milliseconds for which other daemons record after a read. */
const WATCHED_MS = 10_000;
/** Entries of this daemon in a second. */
const MOST_OWN = 500;
/** Entries of another daemon in a second. */
const MOST_OTHERS = 200;

export class RequestFeed {
  readonly #log: RequestLog;
  readonly #questions: Pick<Questions, 'ask'>;

  constructor(log: RequestLog, questions: Pick<Questions, 'ask'>) {
    this.#log = log;
    this.#questions = questions;
  }

  /** Raises Problem if the operator has switched the list of requests off. */
  requireOn(): void {
    if (this.#log.choice === 'off') throw new Problem('requestLogOff');
  }

  /** Calls `receive` until the returned function is called. */
  follow(account: string, receive: ReceiveRequests): () => void {
    let left = MOST_OWN;
    let missed = 0;
    const stop = this.#log.follow(account, (entry) => {
      if (left > 0) receive([entry], 0);
      else missed += 1;
      left -= 1;
    });
    const others = new OtherDaemons(this.#questions, account);
    const timer = setInterval(() => {
      if (missed > 0) receive([], missed);
      [left, missed] = [MOST_OWN, 0];
      void others.read(receive);
    }, PERIOD_MS).unref();
    void others.read(receive);
    return () => {
      clearInterval(timer);
      others.stop();
      stop();
    };
  }
}

/** Entries of other daemons. The first read marks all as known. */
class OtherDaemons {
  readonly #questions: Pick<Questions, 'ask'>;
  readonly #account: string;
  #known: ReadonlySet<string> | null = null;
  #isReading = false;
  #isOver = false;

  constructor(questions: Pick<Questions, 'ask'>, account: string) {
    this.#questions = questions;
    this.#account = account;
  }

  stop(): void {
    this.#isOver = true;
  }

  async read(receive: ReceiveRequests): Promise<void> {
    if (this.#isReading || this.#isOver) return;
    this.#isReading = true;
    const body: AskedList = { account: this.#account, limit: MOST_OTHERS, watchMs: WATCHED_MS };
    const { values } = await this.#questions.ask({ name: LIST, body, read: readEntries });
    this.#isReading = false;
    if (this.#isOver) return;
    const known = this.#known;
    // A daemon without an answer keeps its known entries for the next one.
    this.#known = new Set([...values.flat().map(({ id }) => String(id)), ...lastOf(known)]);
    if (known === null) return;
    const news = values.map((entries) => entries.filter(({ id }) => !known.has(String(id))));
    const missed = news.filter(({ length }) => length >= MOST_OTHERS).length;
    const all = news.flat().toSorted((one, other) => (String(one.id) < String(other.id) ? -1 : 1));
    if (all.length + missed > 0) receive(all, missed);
  }
}

/** Ids that are kept beside those of the last answers. */
const KEPT_IDS = 2000;

function lastOf(known: ReadonlySet<string> | null): readonly string[] {
  return [...(known ?? [])].slice(0, KEPT_IDS);
}

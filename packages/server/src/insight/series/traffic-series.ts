/**
 * Series of traffic of this daemon, with those of all others for the API.
 * Invariant: traffic is in the memory of the daemon that served its visitor, and a minute later in the database.
 */
import { randomBytes } from 'node:crypto';
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import type { StandaloneRuns } from '../../resources/standalone/definition.ts';
import type { SeriesRow } from '../../store/store.ts';
import { answerSeries } from './answer.ts';
import { briefText } from './block.ts';
import {
  type HistoryOptions,
  type RunningAnswers,
  type RunningQuestion,
  readQuestion,
  SeriesHistory,
} from './history.ts';
import { answerRecent, type RecentTraffic, recentTraffic } from './recent.ts';
import { type SaverOptions, SeriesSaver } from './saver.ts';
import { steps } from './steps.ts';
import { SeriesTally } from './tally.ts';

/** Milliseconds for the last save. */
const LAST_SAVE_MS = 2_000;
const ofSeconds = Object.values(steps);

export interface TrafficSeriesOptions {
  readonly store: SaverOptions['store'] & HistoryOptions['store'];
  readonly errorPrefix: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class TrafficSeries {
  readonly history: SeriesHistory;
  readonly #options: TrafficSeriesOptions;
  readonly #tally: SeriesTally;
  readonly #saver: SeriesSaver;
  #others: HistoryOptions['others'] = async () => ({ values: [], missing: 0 });
  #timer: NodeJS.Timeout | null = null;

  constructor(options: TrafficSeriesOptions) {
    const { store, now } = options;
    this.#options = options;
    this.#saver = new SeriesSaver({ store, now, all: () => this.#tally.all() });
    this.#tally = new SeriesTally({
      now,
      node: randomBytes(6).toString('hex'),
      finished: (rows) => this.#saver.keep(rows),
      minute: () => void this.#saver.save(),
    });
    this.history = new SeriesHistory({
      store,
      own: (question) => this.running(question),
      others: (question) => this.#others(question),
    });
  }

  /** Counts a request or connection that has ended. */
  get observe(): (record: ExchangeRecord) => void {
    return this.#tally.observe;
  }

  /** Keys in memory. */
  get size(): number {
    return this.#tally.size;
  }

  /** Closes seconds and minutes from now on, also without traffic, and forgets what `exists` does not know. */
  start(exists: (id: string) => boolean): void {
    this.#timer = setInterval(() => {
      this.#tally.advance();
      if (this.dropDeleted(exists)) void this.#saver.save();
    }, 1_000).unref();
  }

  /** Hands the blocks of deleted resources over for the next save. Returns true if there were some. */
  dropDeleted(exists: (id: string) => boolean): boolean {
    return this.#tally.dropDeleted(exists);
  }

  /** Reads running blocks of other daemons with this function. */
  use(others: (question: RunningQuestion) => Promise<RunningAnswers>): void {
    this.#others = others;
  }

  /** Saves the minutes that have passed. Never rejects. */
  async save(): Promise<void> {
    this.#tally.closePassed();
    await this.#saver.save();
  }

  /** Saves everything until now, if the database takes it in time. Never rejects. */
  async stop(): Promise<void> {
    if (this.#timer !== null) clearInterval(this.#timer);
    this.#tally.finish();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, LAST_SAVE_MS);
    // A save that runs may have begun before the end of the minute.
    await Promise.race([this.#saver.save().then(() => this.#saver.save()), late]);
    clearTimeout(timer);
  }

  /** Returns running blocks of this daemon, and those that wait for the database. */
  running({ account, keys, step: seconds, from }: RunningQuestion): readonly SeriesRow[] {
    const step = ofSeconds.find((one) => one.seconds === seconds);
    if (step === undefined) return [];
    const waiting = Array.from(this.#saver.waiting).filter(
      (row) =>
        row.account === account &&
        row.step === seconds &&
        keys.includes(row.key) &&
        row.start + step.block > from,
    );
    return [...waiting, ...this.#tally.rows(account, keys, step, from)];
  }

  /** Answers the question of another daemon. */
  answer(body: unknown): readonly SeriesRow[] {
    const question = readQuestion(body);
    if (question === null) return [];
    const rows = this.running(question);
    return question.isBrief === true ? rows.map((row) => ({ ...row, body: briefText(row.body) })) : rows;
  }

  /** Returns the figures of an account for the last minute and the last hour. Rejects with StoreUnavailableError. */
  recent(account: string): Promise<RecentTraffic> {
    return recentTraffic(this.history, account, this.#options.now());
  }

  /** Returns what runs the operations of the API. */
  runs(): StandaloneRuns {
    const { now, errorPrefix } = this.#options;
    const { history } = this;
    return {
      traffic_series_get: answerSeries({ history, now, errorPrefix }),
      traffic_recent_get: answerRecent(history, now),
    };
  }
}

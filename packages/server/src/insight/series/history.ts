/**
 * Reads series over all daemons: running blocks of each daemon, and stored blocks.
 * Invariant: each block counts once. The running one of a daemon replaces its stored one.
 */
import type { SeriesQuery, SeriesRow } from '../../store/store.ts';
import { cellsOfText } from './block.ts';
import { Cell } from './cell.ts';
import { blockAt, SECONDS, type Step } from './steps.ts';

/** A question to a daemon about its running blocks. */
export interface RunningQuestion {
  readonly account: string;
  readonly keys: readonly string[];
  /** Seconds of a step. */
  readonly step: number;
  /** Blocks that end later, in seconds since 1970. */
  readonly from: number;
  /** Durations and error codes are not needed; absent: they are. */
  readonly isBrief?: boolean;
}

export interface RunningAnswers {
  readonly values: readonly (readonly SeriesRow[])[];
  /** Number of daemons without an answer. */
  readonly missing: number;
}

export interface HistoryOptions {
  /** Running blocks of this daemon. */
  readonly own: (question: RunningQuestion) => readonly SeriesRow[];
  /** Running blocks of all other daemons. */
  readonly others: (question: RunningQuestion) => Promise<RunningAnswers>;
  readonly store: { series(query: SeriesQuery): Promise<readonly SeriesRow[]> };
}

/** Seconds since 1970, both on steps. */
export interface Span {
  readonly from: number;
  readonly until: number;
}

export interface Read {
  /** Cells by key, one for each step from `from` to `until`; null: no traffic. */
  readonly cells: ReadonlyMap<string, readonly (Cell | null)[]>;
  readonly missing: number;
}

export class SeriesHistory {
  readonly #options: HistoryOptions;

  constructor(options: HistoryOptions) {
    this.#options = options;
  }

  /** Rejects with StoreUnavailableError. */
  async read(
    account: string,
    keys: readonly string[],
    step: Step,
    span: Span,
    isBrief = false,
  ): Promise<Read> {
    const question = { account, keys, step: step.seconds, from: span.from, isBrief };
    const { values, missing } = await this.#options.others(question);
    // Own blocks first: one that is saved meanwhile is then read twice, and counts once.
    const running = [...this.#options.own(question), ...values.flat()].filter(
      (row) => row.account === account && row.step === step.seconds && keys.includes(row.key),
    );
    const rows = new Map<string, SeriesRow>();
    for (const row of [...(await this.#stored(question, step, span)), ...running])
      rows.set(`${row.key} ${row.node} ${row.start}`, row);
    return { cells: cellsByKey(rows.values(), keys, step, span), missing };
  }

  async #stored(
    { account, keys }: RunningQuestion,
    step: Step,
    { from, until }: Span,
  ): Promise<readonly SeriesRow[]> {
    if (step === SECONDS) return [];
    const query = { account, keys, step: step.seconds };
    return await this.#options.store.series({ ...query, from: blockAt(step, from), until });
  }
}

function cellsByKey(
  rows: Iterable<SeriesRow>,
  keys: readonly string[],
  step: Step,
  { from, until }: Span,
): ReadonlyMap<string, readonly (Cell | null)[]> {
  const length = Math.max(0, Math.ceil((until - from) / step.seconds));
  const cells = new Map(keys.map((key) => [key, new Array<Cell | null>(length).fill(null)]));
  for (const { key, start, body } of rows) {
    const ofKey = cells.get(key);
    if (ofKey === undefined) continue;
    for (const [slot, cell] of cellsOfText(body)) {
      const place = (start - from) / step.seconds + slot;
      if (!(place >= 0 && place < length)) continue;
      const sum = ofKey[place] ?? new Cell();
      sum.add(cell);
      ofKey[place] = sum;
    }
  }
  return cells;
}

/** Checks the answer of another daemon, which may be of another version. Null: it is unusable. */
export function readRunning(answer: unknown): readonly SeriesRow[] | null {
  return Array.isArray(answer) && answer.every(isRow) ? answer : null;
}

function isRow(row: unknown): row is SeriesRow {
  const { account, key, node, step, start, body } = Object(row) as Record<string, unknown>;
  const texts = [account, key, node, body];
  return texts.every((text) => typeof text === 'string') && Number.isInteger(step) && Number.isInteger(start);
}

/** Checks a question of another daemon. Null: it is of another version. */
export function readQuestion(body: unknown): RunningQuestion | null {
  const { account, keys, step, from, isBrief } = Object(body) as Record<string, unknown>;
  if (typeof account !== 'string' || !Array.isArray(keys)) return null;
  if (!keys.every((key) => typeof key === 'string')) return null;
  if (typeof step !== 'number' || typeof from !== 'number') return null;
  return { account, keys, step, from, isBrief: isBrief === true };
}

/**
 * The traffic of one key: the running second and minute as cells, older ones as blocks.
 * Invariant: what was counted is in exactly one cell of each resolution.
 */
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import type { SeriesRow } from '../../store/store.ts';
import { Block, textOf } from './block.ts';
import { Cell } from './cell.ts';
import { blockAt, HOURS, MINUTES, SECONDS, type Step, slotAt } from './steps.ts';

/** Finished blocks of seconds. */
const PAST_MINUTES = SECONDS.kept / SECONDS.block;

/** Cells that are not in use. Running seconds and minutes of idle keys have none. */
export class CellPool {
  readonly #free: Cell[] = [];

  take(): Cell {
    return this.#free.pop() ?? new Cell();
  }

  give(cell: Cell): void {
    cell.clear();
    if (this.#free.length < 64) this.#free.push(cell);
  }
}

export type SeriesName = Pick<SeriesRow, 'account' | 'key' | 'node'>;

interface Running {
  readonly step: Step;
  start: number;
  readonly block: Block;
}

const NONE: readonly SeriesRow[] = [];

export class Series {
  readonly name: SeriesName;
  /** The last second with traffic, in seconds since 1970. What runs is of this second and its minute. */
  #usedAt = 0;
  /** The database lacks something of the blocks of minutes and hours. */
  isUnsaved = false;
  readonly #pool: CellPool;
  #second: Cell | null = null;
  #minute: Cell | null = null;
  readonly #seconds = new Block();
  #past: { readonly start: number; readonly bytes: Buffer }[] = [];
  readonly #blocks: readonly Running[] = [MINUTES, HOURS].map((step) => ({
    step,
    start: 0,
    block: new Block(),
  }));

  constructor(name: SeriesName, pool: CellPool) {
    this.name = name;
    this.#pool = pool;
  }

  /** Counts a record of a second. All before it must be closed. Returns true for the first one of the second. */
  count(record: ExchangeRecord, bucket: number, second: number): boolean {
    const isFirst = this.#second === null;
    this.#second ??= this.#pool.take();
    this.#second.count(record, bucket);
    this.#usedAt = second;
    return isFirst;
  }

  /** Ends the second and the minute that have passed at a second. Returns complete blocks that are not saved. */
  closeBefore(second: number): readonly SeriesRow[] {
    if (this.#usedAt >= second) return NONE;
    this.#closeSecond();
    return blockAt(SECONDS, this.#usedAt) < blockAt(SECONDS, second) ? this.#closeMinute() : NONE;
  }

  /** Ends the running second and minute. Returns complete blocks that are not saved. */
  close(): readonly SeriesRow[] {
    this.#closeSecond();
    return this.#closeMinute();
  }

  /** Ends the running second and minute for good. Returns all blocks that are not saved. */
  end(): readonly SeriesRow[] {
    const over = this.close();
    return this.isUnsaved ? [...over, ...this.unsaved()] : over;
  }

  /** Has had no traffic since a second, and the database lacks nothing. */
  isIdleSince(second: number): boolean {
    return this.#usedAt <= second && this.#second === null && this.#minute === null && !this.isUnsaved;
  }

  #closeSecond(): void {
    const cell = this.#second;
    if (cell === null) return;
    this.#second = null;
    this.#seconds.add(slotAt(SECONDS, this.#usedAt), cell);
    if (this.#minute === null) {
      this.#minute = cell;
      return;
    }
    this.#minute.add(cell);
    this.#pool.give(cell);
  }

  #closeMinute(): readonly SeriesRow[] {
    const cell = this.#minute;
    if (cell === null) return NONE;
    const start = blockAt(SECONDS, this.#usedAt);
    this.#minute = null;
    this.#past.push({ start, bytes: Buffer.from(this.#seconds.bytes) });
    if (this.#past.length > PAST_MINUTES) this.#past.shift();
    this.#seconds.clear();
    const over = this.#blocks.flatMap((running) => this.#addTo(running, start, cell));
    this.#pool.give(cell);
    this.isUnsaved = true;
    return over;
  }

  #addTo(running: Running, second: number, cell: Cell): readonly SeriesRow[] {
    const start = blockAt(running.step, second);
    const over = start !== running.start && this.isUnsaved ? this.#rowOf(running) : [];
    if (start !== running.start) running.block.clear();
    running.start = start;
    running.block.add(slotAt(running.step, second), cell);
    return over;
  }

  #rowOf({ step, start, block }: Running): readonly SeriesRow[] {
    return block.isEmpty ? [] : [{ ...this.name, step: step.seconds, start, body: block.text() }];
  }

  /** The blocks of minutes and hours, for the database. */
  unsaved(): readonly SeriesRow[] {
    return this.#blocks.flatMap((running) => this.#rowOf(running));
  }

  /** Forgets seconds that are too old. */
  forgetBefore(second: number): void {
    while (this.#past[0] !== undefined && this.#past[0].start + SECONDS.block <= second) this.#past.shift();
  }

  /**
   * Returns the blocks of a step that end after `from`, with what runs at `now`. Both in seconds since 1970. All before
   * `now` must be closed.
   */
  rows(step: Step, from: number, now: number): readonly SeriesRow[] {
    const rows = step === SECONDS ? this.#rowsOfSeconds(now) : this.#rowsOf(step, now);
    return rows.filter(({ start }) => start + step.block > from);
  }

  #rowsOfSeconds(now: number): readonly SeriesRow[] {
    const row = (start: number, body: string): SeriesRow => ({ ...this.name, step: 1, start, body });
    const past = this.#past.map(({ start, bytes }) => row(start, textOf(bytes)));
    if (this.#second === null && this.#seconds.isEmpty) return past;
    const further = this.#second === null ? undefined : { slot: slotAt(SECONDS, now), cell: this.#second };
    return [...past, row(blockAt(SECONDS, now), this.#seconds.text(further))];
  }

  #rowsOf(step: Step, now: number): readonly SeriesRow[] {
    const running = this.#blocks.find((one) => one.step === step);
    if (running === undefined) return [];
    const cell = this.#runningCell();
    const start = blockAt(step, now);
    if (cell === null) return this.#rowOf(running);
    const further = { slot: slotAt(step, now), cell };
    const row = (body: string): SeriesRow => ({ ...this.name, step: step.seconds, start, body });
    if (running.start === start) return [row(running.block.text(further))];
    return [...this.#rowOf(running), row(new Block().text(further))];
  }

  /** The running minute so far; null without traffic. */
  #runningCell(): Cell | null {
    if (this.#second === null) return this.#minute;
    const sum = new Cell();
    sum.add(this.#second);
    if (this.#minute !== null) sum.add(this.#minute);
    return sum;
  }
}

/**
 * Writes series to the database once a minute, some hundred blocks in a write.
 * Invariant: a failed write loses nothing that has room here. Blocks of one key are written in their order.
 */
import type { SeriesRow, WriteOperation } from '../../store/store.ts';
import type { Series } from './series.ts';
import { HOURS, MINUTES, type Step } from './steps.ts';

/** Blocks in one write, which takes some ten milliseconds. */
const ROWS_PER_WRITE = 200;
/** Blocks that wait for the database, and their characters. */
export const MOST_WAITING = 20_000;
const MOST_CHARACTERS = 16 * 1024 * 1024;
/** Old blocks of a step that one write deletes. */
const MOST_DROPPED = 1_000;

export interface SaverOptions {
  readonly store: { write(build: () => readonly WriteOperation[]): Promise<unknown> };
  readonly all: () => Iterable<Series>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export class SeriesSaver {
  readonly #options: SaverOptions;
  readonly #waiting = new Map<string, SeriesRow>();
  #characters = 0;
  #running: Promise<void> | null = null;
  #droppedAt = 0;

  constructor(options: SaverOptions) {
    this.#options = options;
  }

  /** Blocks that wait for the database. */
  get waiting(): Iterable<SeriesRow> {
    return this.#waiting.values();
  }

  /** Keeps blocks for the next write. The oldest ones go if there is no room. */
  keep(rows: readonly SeriesRow[]): void {
    for (const row of rows) {
      const id = idOf(row);
      this.#remove(id);
      this.#waiting.set(id, row);
      this.#characters += row.body.length;
    }
    for (const id of this.#waiting.keys()) {
      if (this.#waiting.size <= MOST_WAITING && this.#characters <= MOST_CHARACTERS) return;
      this.#remove(id);
    }
  }

  #remove(id: string): void {
    this.#characters -= this.#waiting.get(id)?.body.length ?? 0;
    this.#waiting.delete(id);
  }

  /** Writes all that the database lacks. A write that runs is waited for; nothing is repeated. Never rejects. */
  save(): Promise<void> {
    this.#running ??= this.#saveAll().finally(() => {
      this.#running = null;
    });
    return this.#running;
  }

  async #saveAll(): Promise<void> {
    try {
      for (let rows = this.#next(); rows.length > 0 || this.#isDropTime; rows = this.#next()) {
        // Until the write is done, they are readable as those that wait.
        this.keep(rows);
        await this.#write(rows);
        for (const row of rows) if (this.#waiting.get(idOf(row)) === row) this.#remove(idOf(row));
      }
    } catch {
      // The store reports outages. What waits is written a minute later.
    }
  }

  #next(): readonly SeriesRow[] {
    const rows: SeriesRow[] = [];
    for (const row of this.#waiting.values()) {
      if (rows.length >= ROWS_PER_WRITE) return rows;
      rows.push(row);
    }
    for (const series of this.#options.all()) {
      if (!series.isUnsaved) continue;
      if (rows.length >= ROWS_PER_WRITE) break;
      rows.push(...series.unsaved());
      series.isUnsaved = false;
    }
    return rows;
  }

  get #isDropTime(): boolean {
    return this.#hour !== this.#droppedAt;
  }

  get #hour(): number {
    return Math.floor(this.#options.now() / 3_600_000);
  }

  async #write(rows: readonly SeriesRow[]): Promise<void> {
    const seconds = Math.floor(this.#options.now() / 1000);
    const hour = this.#hour;
    const drop = (step: Step): WriteOperation => ({
      op: 'drop_series',
      step: step.seconds,
      // A block is dropped when all of it is too old.
      before: seconds - step.kept - step.block,
      most: MOST_DROPPED,
    });
    await this.#options.store.write(() => [{ op: 'keep_series', rows }, drop(MINUTES), drop(HOURS)]);
    this.#droppedAt = hour;
  }
}

function idOf({ account, key, node, step, start }: SeriesRow): string {
  return `${account} ${key} ${node} ${step} ${start}`;
}

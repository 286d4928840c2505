/** `--watch`: reads a view again and again until Ctrl-C. Invariant: at most half of the admitted requests are used. */
import { setTimeout as wait } from 'node:timers/promises';
import { ApiError } from '@underpass/client';
import { printableMessage } from '../printable.ts';
import { columnsOf } from '../screen/columns.ts';
import { TerminalScreen } from '../screen/terminal-screen.ts';
import { changesBetween } from './changes.ts';
import { jsonLine } from './json.ts';
import { Resources, type Row } from './resources.ts';
import { isRefusal, withApi } from './session.ts';
import type { ApiFlags } from './settings.ts';
import { cut } from './table.ts';
import { writeAll } from './write-all.ts';

export interface View {
  /** Reads the current rows. Rejects with a ClientError or a NameError. */
  readonly read: () => Promise<readonly Row[]>;
  /** The rows for people; `width` in columns, null for any; `now` in milliseconds since 1970. */
  readonly lines: (rows: readonly Row[], width: number | null, now: number) => readonly string[];
  /** One resource with all of its fields, and not a list. */
  readonly isRecord: boolean;
}

interface WatchFlags extends ApiFlags {
  readonly json?: boolean;
}

/** Milliseconds between two refreshes. */
const INTERVAL_MS = 2_000;
/** Milliseconds for each request of a refresh: 60 a minute of the 120 that are admitted. */
const REQUEST_MS = 1_000;

/**
 * Shows the view in place on a terminal; elsewhere prints a line for each change. A connection that fails later does not
 * end it. Resolves with the exit code: 0 after Ctrl-C, 1 if the first reading fails or the resource is gone.
 */
export async function watch(flags: WatchFlags, open: (resources: Resources) => View): Promise<number> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.on('SIGINT', end).on('SIGTERM', end);
  process.stdout.on('error', end);
  const output = outputOf(flags);
  try {
    return await withApi(
      flags,
      async (client) => {
        const resources = new Resources(client);
        return await refresh(resources, open(resources), output, stop.signal);
      },
      ({ error }) => output.failed(error.message),
    ).finally(() => output.close());
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

interface Output {
  show(view: View, rows: readonly Row[]): void;
  failed(message: string): void;
  close(): Promise<void>;
}

async function refresh(
  resources: Resources,
  view: View,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null)));
  let wasRead = false;
  while (!signal.aborted) {
    const before = resources.requests;
    resources.forget();
    try {
      const rows = await Promise.race([view.read(), stopped]);
      if (rows !== null) output.show(view, rows);
      wasRead = true;
    } catch (error) {
      if (!isRefusal(error) || !wasRead || isLasting(error)) {
        await output.close();
        throw error;
      }
      output.failed(error.message);
    }
    const delayMs = Math.max(INTERVAL_MS, (resources.requests - before) * REQUEST_MS);
    await wait(delayMs, undefined, { signal }).catch(() => {});
  }
  return 0;
}

/** A repeat would be refused for the same reason. */
function isLasting(error: Error): boolean {
  return error instanceof ApiError ? error.status < 500 && error.status !== 429 : error.name === 'NameError';
}

function outputOf({ json }: WatchFlags): Output {
  const isTerminal = process.stdout.isTTY === true && process.env.TERM !== 'dumb' && json !== true;
  return isTerminal ? new ScreenOutput() : new LineOutput(json === true);
}

/** Draws the view in place. */
class ScreenOutput implements Output {
  #view: View | null = null;
  #rows: readonly Row[] = [];
  #status = 'Reading';
  #isClosed = false;
  readonly #screen = new TerminalScreen(process.stdout, ({ columns, rows }) => this.#draw(columns, rows));

  show(view: View, rows: readonly Row[]): void {
    [this.#view, this.#rows, this.#status] = [view, rows, ''];
    this.#screen.changed();
  }

  failed(message: string): void {
    this.#status = printableMessage(message).split('\n')[0] ?? '';
    this.#screen.changed();
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#screen.close();
    const lines = this.#view?.lines(this.#rows, process.stdout.columns, Date.now()) ?? [];
    await writeAll(process.stdout, lines.map((line) => `${line}\n`).join(''));
  }

  #draw(columns: number, rows: number): readonly string[] {
    const lines = this.#view?.lines(this.#rows, columns, Date.now()) ?? [];
    const room = Math.max(1, rows - 2);
    const shown = lines.length > room ? lines.slice(0, room - 1) : lines;
    const rest = lines.length > room ? [`… ${lines.length - shown.length} more lines`] : [];
    const none = this.#view !== null && lines.length === 0 ? ['There is nothing.'] : [];
    const status = this.#status === '' ? 'Refreshed continually. Ctrl-C ends.' : this.#status;
    const all = [...shown, ...rest, ...none, '', status];
    return all.map((line) => (columnsOf(line) > columns ? cut(line, columns) : line));
  }
}

/** Prints a line for each row at first, and then for each change. */
class LineOutput implements Output {
  readonly #isJson: boolean;
  #before: readonly Row[] | null = null;
  #lastFailure = '';

  constructor(isJson: boolean) {
    this.#isJson = isJson;
  }

  show(view: View, rows: readonly Row[]): void {
    this.#lastFailure = '';
    const at = new Date().toISOString();
    for (const { change, row } of changesBetween(this.#before, rows)) {
      const text = this.#isJson
        ? jsonLine({ time: at, change, item: row })
        : changeText(view, `${at} ${change}`, row);
      process.stdout.write(`${text}\n`);
    }
    this.#before = rows;
  }

  failed(message: string): void {
    if (message === this.#lastFailure) return;
    this.#lastFailure = message;
    process.stderr.write(`underpass: ${printableMessage(message)}\n`);
  }

  async close(): Promise<void> {}
}

/** A row on one line, without titles, which each line would repeat; a record below a line of its own. */
function changeText(view: View, head: string, row: Row): string {
  const lines = view.lines([row], null, Date.now());
  return view.isRecord ? [head, ...lines].join('\n') : `${head} ${lines.at(-1)}`;
}

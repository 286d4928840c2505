/**
 * Output for the user of an SSH client: a screen on a terminal, else lines.
 * Invariant: visitors' text cannot control the terminal, and unread output is bounded.
 */
import type { Refusal } from '../../online/refusal.ts';
import type { Visit } from '../../online/visits.ts';
import type { SessionChannel } from '../../ssh/session-channel.ts';
import type { TerminalSize } from '../../ssh/session-request.ts';
import { shown } from '../options/fields.ts';

/** The channel that shows it. */
export type Printer = Pick<SessionChannel, 'print' | 'writableNeedDrain'>;

export interface ScreenFacts {
  readonly account: string;
  readonly region: string;
  readonly url: string;
}

/** Milliseconds between two drawings. */
const pauseMs = 200;
/** Most lines a second without a terminal. */
const linesPerSecond = 20;
const mostKept = 100;
const clear = '\x1b[H\x1b[2J';
/** Size of a terminal that reports none. */
const usual: TerminalSize = { columns: 80, rows: 24 };

export class Screen {
  readonly #channel: Printer;
  readonly #facts: ScreenFacts;
  /** Null: there is no terminal. */
  #size: TerminalSize | null;
  /** Newest last. */
  readonly #visits: string[] = [];
  #count = 0;
  #timer: NodeJS.Timeout | null = null;
  /** The current second, for output without a terminal. */
  #second = 0;
  #printed = 0;
  #skipped = 0;

  constructor(channel: Printer, facts: ScreenFacts, size: TerminalSize | null) {
    this.#channel = channel;
    this.#facts = facts;
    this.#size = size;
    if (size === null) channel.print(`${this.#head().join('\n')}\n`);
    else this.#draw();
  }

  resize(size: TerminalSize): void {
    if (this.#size === null) return;
    this.#size = size;
    this.#drawSoon();
  }

  visit(visit: Visit): void {
    this.#count += 1;
    this.#show(() => lineOf(visit));
  }

  /** A visitor that the edge refused. `make` is not called for one that is only counted. */
  refused(make: () => Refusal): void {
    this.#show(() => refusedLine(make()));
  }

  #show(line: () => string): void {
    if (this.#size === null) {
      this.#print(line);
      return;
    }
    this.#visits.push(line());
    if (this.#visits.length > mostKept) this.#visits.shift();
    this.#drawSoon();
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
  }

  #head(): readonly string[] {
    const { account, region, url } = this.#facts;
    return [`Account     ${shown(account)}`, `Region      ${region}`, `Forwarding  ${url}`];
  }

  /** Counts lines that the client does not read, or that are too many. */
  #print(line: () => string): void {
    const second = Math.floor(performance.now() / 1000);
    if (second !== this.#second) {
      this.#second = second;
      this.#printed = 0;
    }
    if (this.#printed >= linesPerSecond || this.#channel.writableNeedDrain) {
      this.#skipped += 1;
      return;
    }
    this.#printed += 1;
    const more = this.#skipped === 0 ? '' : `(${this.#skipped} more)\n`;
    this.#skipped = 0;
    this.#channel.print(`${more}${line()}\n`);
  }

  #drawSoon(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      if (this.#channel.writableNeedDrain) this.#drawSoon();
      else this.#draw();
    }, pauseMs).unref();
  }

  #draw(): void {
    const rows = this.#size?.rows || usual.rows;
    const columns = this.#size?.columns || usual.columns;
    const head = [...this.#head(), '', `Requests    ${this.#count}`, ''];
    const room = Math.max(0, rows - head.length - 2);
    const recent = room === 0 ? [] : this.#visits.slice(-room);
    const lines = [...head, ...recent, '', 'Ctrl-C ends the tunnel.'].map((line) => line.slice(0, columns));
    this.#channel.print(clear + lines.join('\r\n'));
  }
}

/** The reason comes last, because a narrow terminal cuts it. */
function refusedLine({ at, method, path, host, status, module, reason }: Refusal): string {
  const time = new Date(at).toISOString().slice(11, 19);
  const what = method === '' ? `connection to ${host}` : `${status} ${method} ${path}`;
  return `${shown(`${time}  ${what}  refused${module === '' ? '' : ` (${module})`}`)}: ${shown(reason)}`;
}

function lineOf({ method, path, status, durationMs, connection }: Visit): string {
  const time = new Date().toISOString().slice(11, 19);
  const from = method === '' ? `connection from ${connection.clientAddr}` : `${status} ${method} ${path}`;
  return shown(`${time}  ${from}  ${Math.round(durationMs)} ms`);
}

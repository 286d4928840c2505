/**
 * Draws frames on a terminal.
 * Invariant: the terminal gets its former state back. Invariant: an unread terminal does not block. Invariant:
 * nothing is drawn while another process has the terminal.
 */
import { writeSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { endBySignal, terminalSignals } from '../signals.ts';
import { isInForeground } from './foreground.ts';
import type { Size } from './frame.ts';
import { terminalOutput } from './terminal-output.ts';

/** The other screen, so that what was there before comes back; no cursor; long lines are clipped. */
const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l';
const LEAVE = '\x1b[?7h\x1b[?25h\x1b[?1049l';
const TO_START = '\x1b[H';
/** Erases from the cursor on. */
const ERASE_LINE = '\x1b[K';
const ERASE_BELOW = '\x1b[J';
const LEAST_MS_BETWEEN = 100;
const TICK_MS = 1_000;
const CLOSE_MS = 500;
const ENDING = terminalSignals();
/** Size of a terminal that reports none. */
const USUAL: Size = { columns: 80, rows: 24 };

export type Terminal = typeof process.stdout;

/** `draw` is called when something changed, each second, and when the terminal has another size. */
export class TerminalScreen {
  readonly #terminal: Terminal;
  readonly #out: Writable;
  readonly #draw: (size: Size) => readonly string[];
  readonly #restore = () => this.#restoreNow();
  readonly #suspend = () => this.#suspendNow();
  readonly #resume = () => this.#resumeNow();
  readonly #die = (signal: NodeJS.Signals) => this.#dieOf(signal);
  readonly #redraw = () => this.#write();
  readonly #tick: NodeJS.Timeout;
  #timer: NodeJS.Timeout | null = null;
  #isShown = false;
  #isClosed = false;
  /** Output to write before the next frame. */
  #before = '';
  #last = '';

  constructor(terminal: Terminal, draw: (size: Size) => readonly string[]) {
    this.#terminal = terminal;
    this.#out = terminalOutput(terminal);
    this.#draw = draw;
    this.#out.on('error', () => {});
    terminal.on('resize', this.#redraw);
    // However the process ends.
    process.on('exit', this.#restore);
    process.on('SIGTSTP', this.#suspend);
    process.on('SIGCONT', this.#resume);
    for (const signal of ENDING) process.on(signal, this.#die);
    this.#tick = setInterval(this.#redraw, TICK_MS).unref();
    this.#write();
  }

  /** There is something else to see. */
  changed(): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      this.#write();
    }, LEAST_MS_BETWEEN).unref();
  }

  /** Restores the terminal; resolves after it was written, or after a limit if the terminal is not read. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#tick);
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#terminal.off('resize', this.#redraw);
    process.off('SIGTSTP', this.#suspend);
    process.off('SIGCONT', this.#resume);
    for (const signal of ENDING) process.off(signal, this.#die);
    if (!this.#isShown) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, CLOSE_MS);
      this.#isShown = false;
      this.#out.write(LEAVE, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    process.off('exit', this.#restore);
  }

  #write(): void {
    if (this.#isClosed) return;
    if (!isInForeground()) {
      this.#restoreNow();
      return;
    }
    // The terminal has not read the earlier output yet: the next frame will do.
    if (this.#out.writableLength > 0) return;
    if (!this.#isShown) {
      this.#before = ENTER;
      this.#last = '';
    }
    this.#isShown = true;
    const { columns, rows } = this.#terminal;
    const size = { columns: columns || USUAL.columns, rows: rows || USUAL.rows };
    const lines = this.#draw(size);
    // Before each line: after one that is full, the cursor is still on its last column.
    const last = lines.length - 1;
    const erased = lines.map((line, index) => `${index < last ? ERASE_LINE : ERASE_BELOW}${line}`);
    const frame = `${TO_START}${erased.join('\r\n')}`;
    if (frame === this.#last) return;
    this.#last = frame;
    this.#out.write(`${this.#before}${frame}`);
    this.#before = '';
  }

  /** Nothing is written later by a process that ends, so this is written at once. */
  #restoreNow(): void {
    if (!this.#isShown) return;
    this.#isShown = false;
    try {
      writeSync(this.#terminal.fd, LEAVE);
    } catch {
      // The terminal is gone.
    }
  }

  /** Ends by the signal, as a process without a screen does. */
  #dieOf(signal: NodeJS.Signals): void {
    this.#restoreNow();
    process.off(signal, this.#die);
    endBySignal(signal);
  }

  /** Only this signal reports a changed size to Node's stream, and background processes do not get it. */
  #resumeNow(): void {
    this.#write();
    process.kill(process.pid, 'SIGWINCH');
  }

  /** Ctrl-Z: the shell gets its screen. */
  #suspendNow(): void {
    this.#restoreNow();
    process.kill(process.pid, 'SIGSTOP');
  }
}

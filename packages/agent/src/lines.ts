/** Prints lines without ever waiting for a terminal that reads nothing. */
import type { Writable } from 'node:stream';

const GATHER_MS = 20;
const QUEUED_MAX = 262_144;

/**
 * Writes lines to a stream, gathered a few milliseconds so that many cost little. When the reader is slow, lines that
 * were only offered are left out and counted. A reader that went away is no error: nothing is written any more.
 */
export class LinePrinter {
  readonly #out: Writable;
  readonly #leftOutLine: (count: number) => string;
  #gathered = '';
  #leftOut = 0;
  #timer: NodeJS.Timeout | null = null;
  #isBroken = false;

  constructor(out: Writable, leftOutLine: (count: number) => string) {
    this.#out = out;
    this.#leftOutLine = leftOutLine;
    out.on('error', () => {
      this.#isBroken = true;
    });
  }

  /** A line that must be seen. */
  print(line: string): void {
    if (this.#leftOut > 0 && !this.#isCrowded) {
      this.#gathered += `${this.#leftOutLine(this.#leftOut)}\n`;
      this.#leftOut = 0;
    }
    this.#gathered += `${line}\n`;
    this.#timer ??= setTimeout(() => this.#write(), GATHER_MS);
  }

  /** A line that may be left out. */
  offer(line: string): void {
    if (this.#isCrowded) this.#leftOut++;
    else this.print(line);
  }

  /** Resolves when everything is written, or after `deadlineMs`. */
  flush(deadlineMs: number): Promise<void> {
    return new Promise((resolve) => {
      this.#write();
      if (this.#isBroken || this.#out.writableLength === 0) return resolve();
      const timer = setTimeout(resolve, deadlineMs);
      this.#out.write('', () => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  get #isCrowded(): boolean {
    return this.#isBroken || this.#out.writableLength + this.#gathered.length > QUEUED_MAX;
  }

  #write(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    if (this.#gathered !== '' && !this.#isBroken) this.#out.write(this.#gathered);
    this.#gathered = '';
  }
}

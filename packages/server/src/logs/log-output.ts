/**
 * Writes the lines of the log to a file descriptor, some at a time, outside the thread that serves.
 * Invariant: a full disk, or a slow or absent reader, never stops the daemon, grows its memory or delays its end.
 */
import { write, writeSync } from 'node:fs';
import { timeText } from './log-time.ts';

/** Most characters that wait to be written; lines beyond that are dropped and counted. */
const MOST_WAITING = 1024 * 1024;
/** A pipe that is full is tried again after so many milliseconds. */
const RETRY_MS = 100;

/** The line in place of dropped lines. */
function lostLine(count: number, facts: object): string {
  return `${JSON.stringify({ level: 40, time: timeText(), ...facts, msg: `${count} lines were lost` })}\n`;
}

export class LogOutput {
  readonly #descriptor: number;
  readonly #render: (line: string) => string;
  readonly #facts: object;
  #waiting: string[] = [];
  #length = 0;
  #lost = 0;
  #isWriting = false;

  /** `render`: what a line looks like where it goes. `facts`: those of each line. */
  constructor(descriptor: number, render: (line: string) => string = (line) => line, facts: object = {}) {
    this.#descriptor = descriptor;
    this.#render = render;
    this.#facts = facts;
  }

  write(entry: string): void {
    const line = this.#render(entry);
    if (this.#length + line.length > MOST_WAITING) {
      this.#lost += 1;
      return;
    }
    this.#waiting.push(line);
    this.#length += line.length;
    if (!this.#isWriting) this.#flush();
  }

  /** Writes what waits, once: for the end of the process, which nothing may keep up. */
  flushSync(): void {
    const bytes = this.#take();
    for (let at = 0; at < bytes.length; ) {
      try {
        at += writeSync(this.#descriptor, bytes, at);
      } catch {
        return;
      }
    }
  }

  #take(): Buffer {
    const lines = this.#waiting;
    if (this.#lost > 0) lines.push(this.#render(lostLine(this.#lost, this.#facts)));
    this.#waiting = [];
    this.#length = 0;
    this.#lost = 0;
    return Buffer.from(lines.join(''));
  }

  #flush(): void {
    const bytes = this.#take();
    this.#isWriting = bytes.length > 0;
    if (this.#isWriting) this.#write(bytes);
  }

  #write(bytes: Buffer): void {
    write(this.#descriptor, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') setTimeout(() => this.#write(bytes), RETRY_MS).unref();
      else if (error !== null) this.#drop(bytes);
      else if (written < bytes.length) this.#write(bytes.subarray(written));
      else this.#flush();
    });
  }

  /** The next line tries again. */
  #drop(bytes: Buffer): void {
    for (const byte of bytes) if (byte === 10) this.#lost += 1;
    this.#lost += this.#waiting.length;
    this.#waiting = [];
    this.#length = 0;
    this.#isWriting = false;
  }
}

/**
 * Prompts on a terminal.
 * Invariant: a secret is not shown while the user types it.
 */
import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';

/** The user cancelled with Ctrl-C or Ctrl-D. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** A class of errors. */
type ErrorClass = abstract new (...args: never[]) => Error;

export class Prompt implements Disposable {
  readonly #lines: Interface;
  readonly #output: NodeJS.WritableStream;
  readonly #left = new AbortController();
  readonly #invalid: ErrorClass;
  #isHidden = false;

  /** `invalid`: errors about an answer, after which the question is repeated. */
  constructor(input: NodeJS.ReadableStream, output: NodeJS.WritableStream, invalid: ErrorClass) {
    this.#output = output;
    this.#invalid = invalid;
    const shown = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        // At once: what waits here would meet another `#isHidden`.
        if (!this.#isHidden) output.write(chunk);
        done();
      },
    });
    // Nor by going back to it.
    this.#lines = createInterface({ input, output: shown, terminal: true, historySize: 0 });
    this.#lines.on('SIGINT', () => this.#lines.close());
    this.#lines.on('close', () => this.#left.abort());
  }

  /** Resolves with the user's input without blanks around it. Rejects with Cancelled. */
  async ask(question: string, { isSecret = false } = {}): Promise<string> {
    try {
      const answer = this.#lines.question(question, { signal: this.#left.signal });
      this.#isHidden = isSecret;
      return (await answer).trim();
    } catch {
      throw new Cancelled('Nothing was changed.');
    } finally {
      this.#isHidden = false;
      // The end of the line that was typed was hidden, too.
      if (isSecret) this.say('');
    }
  }

  /** Repeats the prompt until `read` accepts the text, and prints each error. */
  async askFor<T>(
    question: string,
    read: (answer: string) => T | Promise<T>,
    options = { isSecret: false },
  ): Promise<T> {
    for (;;) {
      try {
        return await read(await this.ask(question, options));
      } catch (error) {
        if (!(error instanceof Error && error instanceof this.#invalid)) throw error;
        this.say(error.message);
      }
    }
  }

  say(text: string): void {
    this.#output.write(`${text}\n`);
  }

  [Symbol.dispose](): void {
    this.#lines.close();
  }
}

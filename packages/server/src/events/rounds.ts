/** Repeats a step until nothing is left, with a rest after each. */
import { type After, Resting } from './resting.ts';

export interface RoundsOptions {
  readonly after: After;
  /** Returns the milliseconds until the next step; null if nothing is left. */
  readonly step: () => Promise<number | null>;
  /** Receives the error of a step. */
  readonly failed: (error: unknown) => void;
  /** Milliseconds until the next step after an error. */
  readonly retryMs: number;
}

export class Rounds {
  readonly #options: RoundsOptions;
  readonly #resting: Resting;
  #mayBeLeft = false;
  #running: Promise<void> | null = null;
  #stopped = false;

  constructor(options: RoundsOptions) {
    this.#options = options;
    this.#resting = new Resting(options.after);
  }

  /** Starts the steps. If they run, there is another one. */
  start(): void {
    this.#mayBeLeft = true;
    this.#running ??= this.#run();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#resting.end();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#mayBeLeft && !this.#stopped) {
      this.#mayBeLeft = false;
      const restMs = await this.#options.step().catch((error: unknown) => this.#failed(error));
      if (restMs === null) continue;
      this.#mayBeLeft = true;
      if (!this.#stopped) await this.#resting.rest(restMs);
    }
    this.#running = null;
  }

  #failed(error: unknown): number {
    this.#options.failed(error);
    return this.#options.retryMs;
  }
}

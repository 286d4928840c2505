/** Waiting for a condition. Never without a deadline: a test that waits in vain says for what, and lets its file go on. */
import { setImmediate as turn } from 'node:timers/promises';
import { timeoutMs } from './timeouts.ts';

// As they are now: a test may put a clock of its own in their place.
const { setTimeout, clearTimeout } = globalThis;

const IN_PROCESS_MS = 10_000;
const ANYWHERE_MS = 20_000;
const POLL_MS = 20;

/** Looks turn by turn of the event loop, for what happens in this process. */
export async function until(condition: () => boolean, what = condition.toString()): Promise<void> {
  const deadline = performance.now() + timeoutMs(IN_PROCESS_MS);
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`never came true: ${what}`);
    await turn();
  }
}

/** Tries again until nothing is thrown, for what happens elsewhere; at the deadline it rejects with the last error. */
export async function eventually(attempt: () => Promise<void> | void): Promise<void> {
  const deadline = performance.now() + timeoutMs(ANYWHERE_MS);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
  }
}

/** Waits for what callbacks change: they call `notify`, and every wait looks again. */
export class ConditionVariable {
  readonly #waiting = new Set<() => void>();

  notify(): void {
    for (const look of [...this.#waiting]) look();
  }

  /** Rejects at the deadline, and with what the condition throws. */
  async until(condition: () => boolean, what: () => string = () => condition.toString()): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const look = (): void => {
      try {
        if (condition()) resolve();
      } catch (error) {
        reject(error);
      }
    };
    this.#waiting.add(look);
    look();
    await inTime(promise, what).finally(() => this.#waiting.delete(look));
  }
}

/** What the promise becomes; rejects at the deadline, which names what did not come. */
export async function inTime<T>(promise: Promise<T>, what: () => string, ms = IN_PROCESS_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error(`did not come in time: ${what()}`)), timeoutMs(ms));
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

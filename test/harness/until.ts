/**
 * Waits for a condition.
 * Invariant: every wait has a deadline, and its failure names the condition.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { timeoutMs } from './timeouts.ts';

// As they are now: a test may put a clock of its own in their place.
const { setTimeout, clearTimeout } = globalThis;

const IN_PROCESS_MS = 10_000;
const ANYWHERE_MS = 20_000;
const POLL_MS = 20;
const QUICK_TURNS = 100;
/** The file is red after the first wait in vain: the others get a fraction of their time, so that a broken part ends soon. */
const AFTER_A_MISS = 1 / 20;

let hasMissed = false;

/** Forgets failed waits, for a file that shares its process with earlier ones. */
export function forgetMisses(): void {
  hasMissed = false;
}

function deadlineMs(ms: number): number {
  return timeoutMs(hasMissed ? ms * AFTER_A_MISS : ms);
}

function missed(what: string): Error {
  const hurried = hasMissed ? ' (waited for a moment only, after an earlier wait in vain)' : '';
  hasMissed = true;
  return new Error(`did not come in time: ${what}${hurried}`);
}

/** Looks turn by turn of the event loop, for what happens in this process. */
export async function until(condition: () => boolean, what = condition.toString()): Promise<void> {
  const deadline = performance.now() + deadlineMs(IN_PROCESS_MS);
  for (let turns = 1; !condition(); turns++) {
    if (performance.now() > deadline) throw missed(what);
    // A longer wait sleeps, because it does not need a whole core.
    if (turns <= QUICK_TURNS) await turn();
    else await new Promise((done) => setTimeout(done, 1));
  }
}

/** Tries again until nothing is thrown, and resolves with what `attempt` returned; at the deadline it rejects with the last error. */
export async function eventually<Value>(
  attempt: () => Promise<Value> | Value,
  ms = ANYWHERE_MS,
): Promise<Value> {
  const deadline = performance.now() + deadlineMs(ms);
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (performance.now() > deadline) {
        hasMissed = true;
        throw error;
      }
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
  async until(
    condition: () => boolean,
    what: () => string = () => condition.toString(),
    ms?: number,
  ): Promise<void> {
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
    await inTime(promise, what, ms).finally(() => this.#waiting.delete(look));
  }
}

/** Returns the promise's result. Rejects at the deadline, and names the missing thing. */
export async function inTime<T>(promise: Promise<T>, what: () => string, ms = IN_PROCESS_MS): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(missed(what())), deadlineMs(ms));
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Restarts a program that crashes, where the system's keeper of services does not.
 * Invariant: a refusal is final, because a restarted agent would take a name over again.
 */
import { FINAL_CODES } from './manager.ts';

export interface Kept {
  /** Starts the program. Resolves with its exit code, or null after a signal. */
  run(): Promise<number | null>;
  /** Waits before a restart; resolves early if `stop` aborts. */
  wait(): Promise<void>;
  /** Called with the exit code before a restart. */
  crashed(code: number | null): void;
  readonly stop: AbortSignal;
}

/** Resolves with the exit code once the program ended by itself, or after `stop`. */
export async function keepRunning({ run, wait, crashed, stop }: Kept): Promise<number> {
  for (;;) {
    const code = await run();
    if (stop.aborted) return 0;
    if (code === 0 || (code !== null && FINAL_CODES.includes(code))) return code;
    crashed(code);
    await wait();
    if (stop.aborted) return 0;
  }
}

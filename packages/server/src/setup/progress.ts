/** Waits for something with lines that show that the setup still works. */
import { setTimeout as delay } from 'node:timers/promises';

const LINE_MS = 5000;
const STEP_MS = 250;

/** Prints a line every five seconds until the promise settles. */
export async function withProgress<T>(what: string, result: Promise<T>): Promise<T> {
  const begin = performance.now();
  const timer = setInterval(() => {
    console.log(`${what} (${Math.round((performance.now() - begin) / 1000)} s)`);
  }, LINE_MS);
  try {
    return await result;
  } finally {
    clearInterval(timer);
  }
}

/** Repeats `attempt` until it returns a value; null after `limitMs`, in milliseconds, or when `ends` returns true. */
export async function poll<T>(
  attempt: () => Promise<T | null>,
  { limitMs, ends = () => false }: { readonly limitMs: number; readonly ends?: () => boolean },
): Promise<T | null> {
  const end = performance.now() + limitMs;
  while (performance.now() < end && !ends()) {
    const found = await attempt();
    if (found !== null) return found;
    await delay(STEP_MS);
  }
  return null;
}

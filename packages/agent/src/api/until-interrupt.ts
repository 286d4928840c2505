/** Runs a command that lasts until Ctrl-C, or until the reader of its output is gone. */

/** Resolves with the result; with 0 after an interrupt. `run` rejects with the signal's reason then. */
export async function untilInterrupt(run: (signal: AbortSignal) => Promise<number>): Promise<number> {
  const stop = new AbortController();
  const end = (): void => stop.abort();
  process.on('SIGINT', end).on('SIGTERM', end);
  process.stdout.on('error', end);
  try {
    return await run(stop.signal);
  } catch (error) {
    if (stop.signal.aborted) return 0;
    throw error;
  } finally {
    process.off('SIGINT', end).off('SIGTERM', end);
  }
}

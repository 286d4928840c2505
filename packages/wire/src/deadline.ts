/** A timeout that can be cancelled. */
export interface Deadline {
  /** Cancels the timeout. */
  met(): void;
}

/**
 * Calls `missed` after `ms`, unless `met` is called before.
 * Guarantees: bytes that arrived in time are processed first. After a pause of this process, timers are due before
 * sockets are read.
 */
export function deadline(ms: number, missed: () => void): Deadline {
  let isMet = false;
  const judge = (): void => {
    if (!isMet) missed();
  };
  // Immediates run after the sockets that have something to read. An unreferenced immediate might run only with the
  // next event.
  const timer = setTimeout(() => void setImmediate(judge), ms);
  timer.unref();
  return {
    met() {
      isMet = true;
      clearTimeout(timer);
    },
  };
}

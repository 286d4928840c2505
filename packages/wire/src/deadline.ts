/** Something that has to happen in time. */
export interface Deadline {
  /** It has happened, or is no longer waited for. */
  met(): void;
}

/**
 * Calls `missed` after `ms`, unless it is met before. Never for want of what had arrived by then: after a pause of this process,
 * or under a load that is too much for it, timers come due before sockets are read, and would end just those that waited for us.
 */
export function deadline(ms: number, missed: () => void): Deadline {
  let isMet = false;
  const judge = (): void => {
    if (!isMet) missed();
  };
  // Immediates run after the sockets that have something to read were read; one that is not waited for might run when the next thing happens.
  const timer = setTimeout(() => void setImmediate(judge), ms);
  timer.unref();
  return {
    met() {
      isMet = true;
      clearTimeout(timer);
    },
  };
}

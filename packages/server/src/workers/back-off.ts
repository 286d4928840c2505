/** The pauses before a worker that ended is started again. */

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** Milliseconds of life after which an end is no crash loop. */
const STEADY_MS = 60_000;

export class BackOff {
  #pauseMs = 0;

  /** Returns milliseconds until the next start. `livedMs`: from the last start to its end. */
  next(livedMs: number): number {
    if (livedMs >= STEADY_MS) this.#pauseMs = 0;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(Math.max(pauseMs * 2, FIRST_MS), LONGEST_MS);
    return pauseMs;
  }
}

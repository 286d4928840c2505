/**
 * Waits for queues to grow.
 * Invariant: no write after the first step is missed, because news during a read cause another one.
 */

/** Documents whose queues grew after a position, and the last assigned position. */
export interface Grown {
  readonly to: number;
  /** A number that changes when the database continues from another history. */
  readonly history?: number;
  readonly parents: readonly string[];
}

/** Functions to call when a queue may have grown, or the store is closed. */
export type QueueNews = Set<() => void>;

/**
 * Implements `watchQueues` of the store. `read` returns what grew after a position; null reads the last position only.
 */
export async function* watchQueues(
  read: (after: number | null) => Grown | Promise<Grown>,
  news: QueueNews,
  signal: AbortSignal,
): AsyncGenerator<readonly string[] | null> {
  let isNews = false;
  let wake = () => {};
  const told = () => {
    isNews = true;
    wake();
  };
  news.add(told);
  signal.addEventListener('abort', told);
  try {
    let { to, history } = await read(null);
    yield null;
    while (!signal.aborted) {
      if (isNews) {
        isNews = false;
        const before = { to, history };
        const grown = await read(before.to);
        ({ to, history } = grown);
        // Positions only grow. So this is another history, whose queues were never named.
        if (to < before.to || history !== before.history) yield null;
        else if (grown.parents.length > 0) yield grown.parents;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    news.delete(told);
    signal.removeEventListener('abort', told);
  }
}

/** Waits for queues to grow. Never that what was written after the first step is missed: news that come during a read count as well. */

/** The documents whose queues grew after a position, and the last position that was given. */
export interface Grown {
  readonly to: number;
  /** Another number: the database went on from another history. */
  readonly history?: number;
  readonly parents: readonly string[];
}

/** To be called when a queue may have grown, or the store is closed. */
export type QueueNews = Set<() => void>;

/** As `watchQueues` of the store. `read`: what grew after a position; null for the last position alone. */
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
        // Positions only grow: this is another history, and what waits in it was never named.
        if (to < before.to || history !== before.history) yield null;
        else if (grown.parents.length > 0) yield grown.parents;
      } else await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    news.delete(told);
    signal.removeEventListener('abort', told);
  }
}

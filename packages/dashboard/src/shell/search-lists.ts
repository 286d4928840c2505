/**
 * Searches several lists of the API: the first page of each at once, then each page by page.
 * Invariant: each list has at most one request at a time, and a search makes a bounded number of them.
 */

export interface SearchPage<T> {
  readonly rows: readonly T[];
  /** The address of the next page; null after the last one. */
  readonly next: string | null;
}

export interface Hit<T> {
  /** Position of the list. */
  readonly list: number;
  readonly row: T;
}

export interface SearchState<T> {
  /** Hits of first pages have the order of the lists. Later ones follow, and none ever moves. */
  readonly hits: readonly Hit<T>[];
  /** Positions of the lists that may have more hits. */
  readonly unfinished: readonly number[];
  readonly isSearching: boolean;
}

/** Returns the first page of a list for null. May reject: such a list has no more hits. */
type Read<T> = (list: number, next: string | null) => Promise<SearchPage<T>>;

/** Hits of one list, and of all lists, after which no further page is read. */
const EACH_MAX = 5;
const HITS_MAX = 30;
/** Requests of a search beyond the first pages. A page has 1,000 examined resources, or 100 of HTTPS edges. */
const MORE_MAX = 150;

/** `show` gets each state until `signal` aborts. `isDeep`: false reads first pages only. Never rejects. */
export async function searchLists<T>(
  count: number,
  read: Read<T>,
  show: (state: SearchState<T>) => void,
  signal: AbortSignal,
  isDeep = true,
): Promise<void> {
  const lists = Array.from({ length: count }, (_, list) => list);
  const ends = new Map<number, string | null>();
  const found = new Map<number, number>();
  /** Lists with hits that are not shown. */
  const cut = new Set<number>();
  let hits: readonly Hit<T>[] = [];
  let left = isDeep ? MORE_MAX : 0;
  const readPage = async (list: number) => {
    const page = await read(list, ends.get(list) ?? null).catch(() => ({ rows: [], next: null }));
    return () => {
      const known = found.get(list) ?? 0;
      const rows = page.rows.slice(0, EACH_MAX - known);
      hits = [...hits, ...rows.map((row) => ({ list, row }))];
      found.set(list, known + rows.length);
      ends.set(list, page.next);
      if (rows.length < page.rows.length) cut.add(list);
    };
  };
  const report = (isSearching: boolean) => {
    if (signal.aborted) return;
    show({ hits, unfinished: lists.filter((list) => ends.get(list) !== null || cut.has(list)), isSearching });
  };
  const isOpen = (list: number) =>
    !signal.aborted && ends.get(list) !== null && (found.get(list) ?? 0) < EACH_MAX && hits.length < HITS_MAX;
  for (const add of await Promise.all(lists.map(readPage))) add();
  report(isDeep && lists.some(isOpen));
  await Promise.all(
    lists.map(async (list) => {
      while (isOpen(list) && left > 0) {
        left -= 1;
        (await readPage(list))();
        report(true);
      }
    }),
  );
  report(false);
}

/**
 * Pages of resources, newest first: for stored kinds a key-range scan, for live ones a sorted view of what is online.
 * Invariant: the work for one page is bounded. A page that finds little is short or empty, and `next` continues.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { DocumentStore, KindName, StoredDocument } from '../documents/index.ts';
import type { JsonObject } from '../store/store.ts';
import { shownId, storedId } from './aliases.ts';
import type {
  Collection,
  ListedPage,
  LiveEntry,
  LiveKind,
  PageRequest,
  Principal,
  ShowContext,
  StoredKind,
} from './definition.ts';
import type { Selection } from './selection.ts';
import { showDocument } from './show.ts';

/** Resources that are read for one page, at most. */
const MOST_READ = 1000;
/** A stored resource that needs further reads to be shown counts as this many. */
const COST_OF_READS = 10;
/** Resources that a list with a selection reads in one turn of the event loop. */
const CHUNK = 100;

/** Resources of a list, in its order. */
interface Batch {
  readonly entries: readonly LiveEntry[];
  /** The number of resources read, with those that the caller may not see. */
  readonly read: number;
  /** The id of the last one read; null if nothing follows. */
  readonly last: string | null;
}

/** Completes resources before they are selected and shown. */
export type Finish = (items: readonly JsonObject[]) => readonly JsonObject[] | Promise<readonly JsonObject[]>;

const asTheyAre: Finish = (items) => items;

/** Lists the stored resources that the caller may see. */
export async function listStored(
  kind: StoredKind,
  { kind: surface, parent }: Collection,
  principal: Principal,
  page: PageRequest,
  store: Pick<DocumentStore, 'page'>,
  context: ShowContext,
  finish: Finish = asTheyAre,
): Promise<ListedPage> {
  const query = { account: principal.account, kind: kind.name, ...(parent === undefined ? {} : { parent }) };
  let before = page.before === undefined ? {} : { before: storedId(kind, page.before) };
  return await pageOf(page, COST_OF_READS, finish, async (limit) => {
    const documents = await store.page({ ...query, ...before, limit });
    const last = documents.length < limit ? undefined : documents.at(-1)?.id;
    before = last === undefined ? {} : { before: last };
    const seen = kind.visible?.bind(kind);
    const visible = seen === undefined ? documents : documents.filter(({ body }) => seen(body, principal));
    const entries = visible.map((document) => ({
      id: shownId(kind, surface, document.id),
      show: () => showDocument(kind, document, context, surface),
    }));
    return {
      entries,
      read: documents.length,
      last: last === undefined ? null : shownId(kind, surface, last),
    };
  });
}

export async function listLive(kind: LiveKind, page: PageRequest, context: ShowContext): Promise<ListedPage> {
  const all = await kind.entries(context);
  const { before } = page;
  const older = before === undefined ? [...all] : all.filter((entry) => entry.id < before);
  older.sort((a, b) => (a.id < b.id ? 1 : -1));
  let at = 0;
  return await pageOf(page, 1, asTheyAre, async (limit) => {
    const entries = older.slice(at, at + limit);
    at += entries.length;
    return { entries, read: entries.length, last: at < older.length ? (entries.at(-1)?.id ?? null) : null };
  });
}

/**
 * Reads batches until the page is full, nothing follows, or enough was read. `waiting`: the cost of a resource that is not
 * shown at once.
 */
async function pageOf(
  { limit, selection }: PageRequest,
  waiting: number,
  finish: Finish,
  read: (limit: number) => Promise<Batch>,
): Promise<ListedPage> {
  // One more than the page is read, to know whether another page follows.
  const size = selection === undefined ? limit + 1 : CHUNK;
  const found: LiveEntry[] = [];
  let last: string | null = null;
  for (let left = MOST_READ; left > 0; await turn()) {
    const batch = await read(size);
    const chosen = selection === undefined ? batch : await chosenOf(batch, selection, waiting, finish);
    found.push(...chosen.entries);
    last = batch.last;
    left -= chosen.read;
    if (found.length > limit || last === null) break;
  }
  const shown = found.slice(0, limit);
  const items = await allOf(shown.map((entry) => entry.show()));
  return {
    // Selected items are complete already.
    items: selection === undefined ? await finish(items) : items,
    next: found.length > limit ? (shown.at(-1)?.id ?? null) : last,
  };
}

/** Returns the entries that the selection has, and what reading the batch cost. */
async function chosenOf(
  { entries, read }: Batch,
  selection: Selection,
  waiting: number,
  finish: Finish,
): Promise<Pick<Batch, 'entries' | 'read'>> {
  const made = allOf(entries.map((entry) => entry.show()));
  const items = await finish(await made);
  const chosen = items.flatMap((item, at): LiveEntry[] => {
    const id = entries[at]?.id;
    return id !== undefined && selection.has(item) ? [{ id, show: () => item }] : [];
  });
  return { entries: chosen, read: made instanceof Promise ? read * waiting : read };
}

/** Most are there at once, and waiting for a hundred of them costs as much as making them. */
function allOf<T>(made: readonly (T | Promise<T>)[]): readonly T[] | Promise<readonly T[]> {
  const isThere = (one: T | Promise<T>): one is T => !(one instanceof Promise);
  return made.every(isThere) ? made : Promise.all(made);
}

/** Every document of a kind in an account, or of one parent there, page by page and newest first. */
export async function* everyDocument<Kind extends KindName>(
  store: Pick<DocumentStore, 'page'>,
  account: string,
  kind: Kind,
  parent?: string,
): AsyncGenerator<StoredDocument<Kind>> {
  const limit = 500;
  const below = parent === undefined ? {} : { parent };
  let before: string | undefined;
  for (;;) {
    const after = before === undefined ? {} : { before };
    const batch = await store.page({ account, kind, limit, ...below, ...after });
    yield* batch;
    if (batch.length < limit) return;
    before = batch.at(-1)?.id;
  }
}

/** Pages of resources, newest first: for stored kinds a key-range scan, for live ones a sorted view of what is online. */
import type { DocumentStore, KindName, StoredDocument } from '../documents/index.ts';
import type { JsonObject } from '../store/store.ts';
import { shownId, storedId } from './aliases.ts';
import type { Collection, DocumentOf, LiveKind, Principal, ShowContext, StoredKind } from './definition.ts';
import { showDocument } from './show.ts';

export interface PageRequest {
  readonly limit: number;
  /** Only ids below this one; it need not exist. */
  readonly before?: string;
}

export interface Page {
  readonly items: readonly JsonObject[];
  readonly next: string | null;
}

/** One more than the page is read, to know whether another page follows. */
export async function listStored(
  kind: StoredKind,
  { kind: surface, parent }: Collection,
  principal: Principal,
  page: PageRequest,
  store: Pick<DocumentStore, 'page'>,
  context: ShowContext,
): Promise<Page> {
  const found: DocumentOf[] = [];
  const wanted = page.limit + 1;
  let before = page.before === undefined ? undefined : storedId(kind, page.before);
  for (;;) {
    const batch = await store.page({
      account: principal.account,
      kind: kind.name,
      limit: wanted,
      ...(parent === undefined ? {} : { parent }),
      ...(before === undefined ? {} : { before }),
    });
    for (const document of batch) {
      if (found.length < wanted && (kind.visible?.(document.body, principal) ?? true)) found.push(document);
    }
    if (batch.length < wanted || found.length === wanted) break;
    before = batch.at(-1)?.id;
  }
  const documents = found.slice(0, page.limit);
  const last = found.length > page.limit ? documents.at(-1) : undefined;
  return {
    items: await allOf(documents.map((document) => showDocument(kind, document, context, surface))),
    next: last === undefined ? null : shownId(kind, surface, last.id),
  };
}

export async function listLive(kind: LiveKind, page: PageRequest, context: ShowContext): Promise<Page> {
  const entries = await kind.entries(context);
  const { before } = page;
  const older = before === undefined ? [...entries] : entries.filter((entry) => entry.id < before);
  older.sort((a, b) => (a.id < b.id ? 1 : -1));
  const shown = older.slice(0, page.limit);
  return {
    items: await allOf(shown.map((entry) => entry.show())),
    next: older.length > page.limit ? (shown.at(-1)?.id ?? null) : null,
  };
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

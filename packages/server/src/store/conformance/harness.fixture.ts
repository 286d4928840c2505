/** Fixtures of the suite: opening a store for a test, and short forms of operations. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import {
  type Change,
  type Conflict,
  ConflictError,
  type JsonObject,
  type Link,
  type NameClaim,
  type Revision,
  type Store,
  type StoredDocument,
  type WriteOperation,
} from '../store.ts';

export interface OpenedStore {
  readonly store: Store;
  /** Closes the store and opens it again on the same data. */
  reopen(): Promise<Store>;
  /** Gives a document the next format, as a newer program would. */
  makeNewer(id: string): Promise<void>;
  /** Returns everything that the database stores, as bytes. */
  contents(): Promise<Buffer>;
  dispose(): Promise<void>;
}

/** Opens an empty store. The clock returns milliseconds since 1970. */
export type OpenStore = (options?: {
  readonly now?: () => number;
  readonly retainedRevisions?: number;
}) => Promise<OpenedStore>;

export function storeTest(
  name: string,
  open: OpenStore,
  body: (opened: OpenedStore, context: TestContext) => Promise<void>,
  options?: Parameters<OpenStore>[0],
): void {
  test(name, async (context) => {
    const opened = await open(options);
    try {
      await body(opened, context);
    } finally {
      await opened.dispose();
    }
  });
}

export interface Draft {
  readonly account?: string;
  readonly kind?: string;
  readonly parent?: string | null;
  readonly body?: JsonObject;
  readonly links?: readonly Link[];
  readonly names?: readonly NameClaim[];
}

export function insertion(id: string, draft: Draft = {}): WriteOperation {
  const defaults = { account: 'ac_1', kind: 'thing', parent: null, body: {}, links: [], names: [] };
  return { op: 'insert', id, ...defaults, ...draft };
}

export function replacement(
  of: StoredDocument,
  draft: Omit<Draft, 'account' | 'kind' | 'parent'> = {},
): WriteOperation {
  return { op: 'replace', id: of.id, revision: of.revision, body: of.body, links: [], names: [], ...draft };
}

export function deletion(of: StoredDocument): WriteOperation {
  return { op: 'delete', id: of.id, revision: of.revision };
}

export async function create(store: Store, draft: Draft = {}): Promise<StoredDocument> {
  return read(store, await insert(store, draft));
}

/** Inserts a document that nothing has read, and returns its id. */
export async function insert(store: Store, draft: Draft = {}): Promise<string> {
  let id = '';
  await store.write((newId) => {
    id = newId('th');
    return [insertion(id, draft)];
  });
  return id;
}

/** Creates documents in one write, and returns them oldest first. */
export async function createMany(
  store: Store,
  count: number,
  draft: Draft = {},
): Promise<readonly StoredDocument[]> {
  const ids: string[] = [];
  await store.write((newId) =>
    Array.from({ length: count }, () => {
      const id = newId('th');
      ids.push(id);
      return insertion(id, draft);
    }),
  );
  // One by one: thousands of concurrent reads would exceed the time limit for a connection.
  const documents: StoredDocument[] = [];
  for (const id of ids) documents.push(await read(store, id));
  return documents;
}

export async function read(store: Store, id: string): Promise<StoredDocument> {
  const document = await store.get(id);
  assert.ok(document !== null, `${id} is not there`);
  return document;
}

/** Waits for a conflict and returns its reason. */
export async function refusal(write: Promise<Revision>): Promise<Conflict> {
  try {
    await write;
  } catch (error) {
    if (error instanceof ConflictError) return error.conflict;
    throw error;
  }
  return assert.fail('the write was not refused');
}

export const hostname = (value: string): NameClaim => ({ kind: 'hostname', value });
export const binding = (to: string, field = 'backend'): Link => ({ field, to, binding: true });
export const mention = (to: string, field = 'policies'): Link => ({ field, to, binding: false });

/** Returns every change after `from`, up to and including `to`. */
export async function changesUpTo(
  store: Store,
  from: Revision,
  to: Revision,
  kinds: readonly string[],
): Promise<Change[]> {
  const seen: Change[] = [];
  if (to <= from) return seen;
  for await (const changes of store.watch(from, kinds, new AbortController().signal)) {
    seen.push(...changes);
    if ((seen.at(-1)?.revision ?? 0) >= to) break;
  }
  return seen;
}

export function byId(documents: Iterable<StoredDocument>): Map<string, StoredDocument> {
  return new Map([...documents].map((document) => [document.id, document]));
}

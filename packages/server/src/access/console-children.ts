/**
 * Documents of the console below the API key or the user that they act for.
 * Invariant: each key and each user has a bounded number of them; the oldest go first.
 */
import type {
  ConsoleLinkDocument,
  ConsoleSessionDocument,
  DocumentStore,
  StoredDocument,
} from '../documents/index.ts';
import { ConflictError, type WriteOperation } from '../store/store.ts';

export type ConsoleStore = Pick<DocumentStore, 'get' | 'page' | 'write'>;

export type ConsoleChild =
  | { readonly kind: 'console_link'; readonly bodyOf: (id: string) => ConsoleLinkDocument }
  | { readonly kind: 'console_session'; readonly bodyOf: (id: string) => ConsoleSessionDocument };

/** The key or the user that a link or a session is for. */
export interface ConsoleParent {
  readonly account: string;
  /** `ak_…`, `usr_…` or `bot_…` */
  readonly parent: string;
}

/** Prefixes of ids. */
export const consolePrefixes = { console_link: 'cl', console_session: 'cs' } as const;
/** Documents of a kind below one key or user. */
const MOST = { console_link: 20, console_session: 32 } as const;
const ATTEMPTS = 5;

/**
 * Inserts a document, and deletes the oldest ones beyond the limit in the same write. `also`: a document that the write
 * deletes, too. `along`: returns further operations of the write, by the new id. Returns the id. Rejects with ConflictError if the parent or `also` is gone.
 */
export async function insertChild(
  store: ConsoleStore,
  { account, parent }: ConsoleParent,
  child: ConsoleChild,
  also: StoredDocument | null = null,
  along: (newId: (prefix: string) => string, id: string) => readonly WriteOperation[] = () => [],
): Promise<string> {
  const { kind } = child;
  for (let attempt = 1; ; attempt += 1) {
    const present = await store.page({ account, kind, parent, limit: MOST[kind] });
    const oldest = present.length < MOST[kind] ? [] : present.slice(-1);
    const deletions = [...oldest, ...(also === null ? [] : [also])].map(
      ({ id, revision }): WriteOperation => ({ op: 'delete', id, revision }),
    );
    let made = '';
    try {
      await store.write((newId) => {
        made = newId(consolePrefixes[kind]);
        const body = child.bodyOf(made);
        return [
          ...deletions,
          { op: 'insert', id: made, account, kind, parent, body, links: [], names: [] },
          ...along(newId, made),
        ];
      });
      return made;
    } catch (error) {
      if (attempt === ATTEMPTS || !isAbout(error, oldest[0]?.id)) throw error;
    }
  }
}

/** Returns true if the write was refused because this document has changed. */
function isAbout(error: unknown, id: string | undefined): boolean {
  if (!(error instanceof ConflictError) || id === undefined) return false;
  const { conflict } = error;
  return conflict.reason === 'stale' && conflict.id === id;
}

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
/** Documents of one read. Requests at once can exceed the limit until the next one. */
const READ = 100;

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
  for (;;) {
    const present = await store.page({ account, kind, parent, limit: READ });
    const oldest = present.slice(MOST[kind] - 1);
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
      // If one of them is gone, another request made progress. So this ends, however many there are.
      if (!isAbout(error, oldest)) throw error;
    }
  }
}

/** Returns true if the write was refused because one of these documents has changed. */
function isAbout(error: unknown, documents: readonly StoredDocument[]): boolean {
  if (!(error instanceof ConflictError)) return false;
  const { conflict } = error;
  return conflict.reason === 'stale' && documents.some(({ id }) => id === conflict.id);
}

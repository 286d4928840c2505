/**
 * Ends all sessions of a user in the console, on every daemon.
 * Invariant: no link of an ended session signs in again.
 */
import type { ConsoleSessions, SessionEnder } from '../access/console-sessions.ts';
import type { DocumentStore } from '../documents/index.ts';
import { everyDocument } from '../resources/list.ts';
import { ConflictError } from '../store/store.ts';

export interface EndSessionsDeps {
  readonly store: Pick<DocumentStore, 'page' | 'write'>;
  readonly sessions: Pick<ConsoleSessions, 'end'>;
}

/** Ends the sessions of the user that `by` is, and those of its API keys. Each has an entry in the audit trail. */
export async function endSessionsOf({ store, sessions }: EndSessionsDeps, by: SessionEnder): Promise<void> {
  const { account, owner } = by;
  // Links come first, because one could begin a session that is not listed yet.
  for await (const { id, revision } of everyDocument(store, account, 'console_link', owner))
    await store.write(() => [{ op: 'delete', id, revision }]).catch(ignoreConflict);
  for await (const { id, body } of everyDocument(store, account, 'console_session'))
    if (body.owner_id === owner) await sessions.end(id, by);
}

/** The link was used or swept in between. */
function ignoreConflict(error: unknown): void {
  if (!(error instanceof ConflictError)) throw error;
}

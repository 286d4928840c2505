/** Entries of the audit trail about sessions of the console: each sign-in, and each end by a user. */
import type { SessionEvent } from '../access/console-sessions.ts';
import { actorOf, changeOperations } from '../resources/change-entry.ts';
import type { NewId } from '../resources/definition.ts';
import type { Difference } from '../resources/differences.ts';
import type { WriteOperation } from '../store/store.ts';

export function sessionEntry(newId: NewId, event: SessionEvent): readonly WriteOperation[] {
  const { by, operation, operationId, id, owner, parent, begun } = event;
  const actor = actorOf(by);
  // A session without a key is its own proof.
  const credential = by.key === by.owner ? (by.session?.id ?? id) : by.key;
  const facts = { owner_id: owner, ...(begun ?? {}) };
  const fields = Object.entries(facts).map(
    ([field, text]): Difference =>
      begun === null ? { field, old: text, new: null } : { field, old: null, new: text },
  );
  return changeOperations(newId, {
    ...{ account: by.account, actor: { ...actor, credential }, operation, operationId },
    ...{ kind: 'console_session', id, parent, action: begun === null ? 'deleted' : 'created', fields },
  });
}

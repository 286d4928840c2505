/**
 * Writes a change and its events in one batch.
 * Invariant: an unknown outcome is always resolved before the caller continues.
 */
import type { DocumentStore } from '../../documents/index.ts';
import type { Revision, WriteOperation } from '../../store/store.ts';
import type { NewId } from '../definition.ts';
import type { AuditEvent } from './audit.ts';

export async function writeTold(
  store: Pick<DocumentStore, 'write'>,
  build: (newId: NewId) => readonly WriteOperation[],
  events: readonly AuditEvent[],
): Promise<Revision> {
  try {
    return await store.write((newId) => {
      const operations = [...build(newId)];
      for (const event of events) operations.push(...event.operations(newId));
      return operations;
    });
  } finally {
    for (const event of events) event.written();
  }
}

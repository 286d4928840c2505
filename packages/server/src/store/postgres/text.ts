/** What PostgreSQL can hold as text. Bodies are not concerned, JSON escapes what is not text. */
import type { BatchOperation } from '../batch.ts';
import type { Dropped } from '../store.ts';

/** Keys of a write hold a NUL or half a surrogate pair, which this database cannot hold. Nothing was written. */
export class UnstorableTextError extends Error {
  override readonly name = 'UnstorableTextError';
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Throws UnstorableTextError for an id, account, kind, name or link that cannot be kept as it is. */
export function checkStorable(operation: BatchOperation): void {
  if (keysOf(operation).every(isStorable)) return;
  throw new UnstorableTextError('a key with a NUL or half a surrogate pair cannot be stored in PostgreSQL');
}

function keysOf(operation: BatchOperation): readonly string[] {
  switch (operation.op) {
    case 'insert':
      return [
        operation.id,
        operation.account,
        operation.kind,
        operation.parent ?? '',
        ...claimsOf(operation),
      ];
    case 'replace': {
      const { id, dropped } = operation;
      return [id, ...claimsOf(operation), ...(dropped === undefined ? [] : claimsOf(dropped))];
    }
    case 'rewrite':
    case 'delete':
      return [operation.id];
    case 'enqueue':
      return [operation.account, operation.parent];
    case 'dequeue':
    case 'clear':
      return [];
  }
}

function claimsOf({ names, links }: Dropped): readonly string[] {
  return [
    ...names.flatMap(({ kind, value }) => [kind, value]),
    ...links.flatMap(({ field, to }) => [field, to]),
  ];
}

/** What PostgreSQL can hold as text. Bodies are not concerned, JSON escapes what is not text. */
import type { BatchOperation } from '../batch.ts';

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
    case 'replace':
      return [operation.id, ...claimsOf(operation)];
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

function claimsOf({ names, links }: BatchOperation & { op: 'insert' | 'replace' }): readonly string[] {
  return [
    ...names.flatMap(({ kind, value }) => [kind, value]),
    ...links.flatMap(({ field, to }) => [field, to]),
  ];
}

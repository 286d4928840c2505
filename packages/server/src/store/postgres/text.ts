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
  const texts = [operation.id];
  if (operation.op === 'insert') texts.push(operation.account, operation.kind, operation.parent ?? '');
  if (operation.op === 'insert' || operation.op === 'replace') {
    for (const { kind, value } of operation.names) texts.push(kind, value);
    for (const { field, to } of operation.links) texts.push(field, to);
  }
  if (!texts.every(isStorable)) {
    throw new UnstorableTextError('a key with a NUL or half a surrogate pair cannot be stored in PostgreSQL');
  }
}

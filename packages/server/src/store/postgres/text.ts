/** Checks texts for PostgreSQL. Bodies are safe, because JSON escapes the problematic characters. */
import type { BatchOperation } from '../batch.ts';
import type { Dropped } from '../store.ts';

/** A key of the write contains a NUL or half a surrogate pair, which PostgreSQL cannot store. Nothing was written. */
export class UnstorableTextError extends Error {
  override readonly name = 'UnstorableTextError';
}

export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Escapes of a NUL and of half a surrogate pair in the output of JSON.stringify; other escapes are skipped as a whole. */
const ESCAPES = /\\(?:u0000|ud[89a-f][\da-f]{2}|.)/g;

/**
 * Returns JSON for a column or parameter of type jsonb, which refuses a NUL and half a surrogate pair: U+FFFD replaces
 * them. An agent may send such texts, and a refused statement would stop all changes of its daemon.
 */
export function jsonbOf(value: unknown): string {
  return JSON.stringify(value).replace(ESCAPES, (found) => (/^\\u(?:0000|d)/.test(found) ? '\ufffd' : found));
}

/** Throws UnstorableTextError for an id, account, kind, name or link that cannot be stored unchanged. */
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
    case 'note':
    case 'forget':
      return [operation.account, operation.key];
    case 'trim':
      return [operation.account];
    case 'keep_series':
      return operation.rows.flatMap(({ account, key, node, body }) => [account, key, node, body]);
    case 'drop_series':
    case 'dequeue':
    case 'clear':
    case 'expire':
      return [];
    case 'exclude':
      return [operation.account, ...operation.names.flatMap(({ keys, below }) => [...keys, below ?? ''])];
  }
}

function claimsOf({ names, links }: Dropped): readonly string[] {
  return [
    ...names.flatMap(({ kind, value }) => [kind, value]),
    ...links.flatMap(({ field, to }) => [field, to]),
  ];
}

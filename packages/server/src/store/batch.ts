/**
 * Converts write operations for databases.
 * Invariant: no body is altered.
 */
import type { WriteOperation } from './store.ts';

type WithText<T> = T extends { readonly body: unknown } ? Omit<T, 'body'> & { readonly body: string } : T;
export type BatchOperation = WithText<WriteOperation>;

/** Serialises bodies. Text is cheaper to pass to another thread or process than a tree, and is stored unchanged. */
export function toBatchOperation(operation: WriteOperation): BatchOperation {
  switch (operation.op) {
    case 'delete':
    case 'enqueue':
    case 'dequeue':
    case 'clear':
    case 'keep_series':
    case 'drop_series':
    case 'exclude':
    case 'note':
    case 'forget':
    case 'expire':
    case 'trim':
      return operation;
    default:
      return { ...operation, body: JSON.stringify(operation.body) };
  }
}

/** Operations as databases take them. Never that a body is altered. */
import type { WriteOperation } from './store.ts';

type WithText<T> = T extends { readonly body: unknown } ? Omit<T, 'body'> & { readonly body: string } : T;
export type BatchOperation = WithText<WriteOperation>;

/** Text is cheaper to hand to another thread or process than a tree, and is stored as it is. */
export function toBatchOperation(operation: WriteOperation): BatchOperation {
  switch (operation.op) {
    case 'delete':
    case 'enqueue':
    case 'dequeue':
    case 'clear':
      return operation;
    default:
      return { ...operation, body: JSON.stringify(operation.body) };
  }
}

/** Operations as databases take them. In: what a writer built. Out: the same with bodies as text. What may change here: nothing that alters a body. */
import type { WriteOperation } from './store.ts';

type WithText<T> = T extends { readonly body: unknown } ? Omit<T, 'body'> & { readonly body: string } : T;
export type BatchOperation = WithText<WriteOperation>;

/** Text is cheaper to hand to another thread or process than a tree, and is stored as it is. */
export function toBatchOperation(operation: WriteOperation): BatchOperation {
  return operation.op === 'delete' ? operation : { ...operation, body: JSON.stringify(operation.body) };
}

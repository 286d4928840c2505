/** Ids of requests. Never a secret. */
import { randomFillSync } from 'node:crypto';
import { BASE62 } from '../core/id.ts';

const LENGTH = 27;
/** Random bytes are drawn for many ids at once: a call to the generator costs more than an id. */
const pool = new Uint8Array(LENGTH * 256);
let next = pool.length;

/** A new `op_<27 base62>`, which names one request in its answer and in the log. Not a secret. */
export function newOperationId(): string {
  if (next === pool.length) {
    randomFillSync(pool);
    next = 0;
  }
  let id = 'op_';
  for (const end = next + LENGTH; next < end; next += 1) id += BASE62[pool[next]! % BASE62.length];
  return id;
}

/** The response header that has it, unless a profile names another. */
export const OPERATION_ID_HEADER = 'underpass-operation-id';

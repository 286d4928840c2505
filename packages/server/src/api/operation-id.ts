/** Ids of requests. Never a secret. */
import { randomFillSync } from 'node:crypto';
import { BASE62 } from '../core/id.ts';

const LENGTH = 27;
/** Digits are drawn for many ids at once: a call to the generator costs more than an id. */
const pool = Buffer.alloc(LENGTH * 256);
const DIGITS = Buffer.from(BASE62);
let next = pool.length;

/** A new `op_<27 base62>`, which names one request in its answer and in the log. Not a secret. */
export function newOperationId(): string {
  if (next === pool.length) {
    randomFillSync(pool);
    for (let at = 0; at < pool.length; at++) pool[at] = DIGITS[pool[at]! % DIGITS.length]!;
    next = 0;
  }
  const start = next;
  next += LENGTH;
  return `op_${pool.toString('latin1', start, next)}`;
}

/** The response header that has it, unless a profile names another. */
export const OPERATION_ID_HEADER = 'underpass-operation-id';

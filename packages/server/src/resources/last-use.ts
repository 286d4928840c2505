/** The last use of a key or a credential, as its resource shows it. */

import { formatTime } from '../core/time-text.ts';
import { Type } from '../core/type.ts';
import type { JsonObject } from '../store/store.ts';
import { nullable, timestamp } from './schema.ts';

export interface LastUse {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly ip: string;
}

/** Reads last uses. */
export interface LastUseReader {
  /** Returns the last uses of an account's documents, by id. Rejects with errors of the store. */
  of(account: string, ids: readonly string[]): Promise<ReadonlyMap<string, LastUse>>;
}

/** Fields of the response form. */
export const lastUseFields = {
  last_used_at: nullable(
    timestamp('Time of its last use; null before the first. Other daemons show it up to a minute later.'),
  ),
  last_ip: Type.String({ description: 'Source address of its last use; "" before the first.' }),
};

/** The values before the first use. */
export const neverUsed = { last_used_at: null, last_ip: '' };

/** Returns the response form with the last use. */
export function withLastUse(shown: JsonObject, use: LastUse | undefined): JsonObject {
  if (use === undefined) return shown;
  return { ...shown, last_used_at: formatTime(new Date(use.at)), last_ip: use.ip };
}

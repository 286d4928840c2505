/**
 * Lists many documents as of one revision, in slices that neither side has to hold at once.
 * In: kinds. Out: documents and their revision. What may change here: the size of a slice.
 */
import type { Pool } from 'pg';
import type { Revision, StoredDocument } from '../store.ts';
import { Reader } from './reader.ts';

const SLICE = 1000;

/** Takes a connection of its own for as long as it reads: all slices are of one moment. */
export async function readSnapshot(
  pool: Pool,
  kinds: readonly string[],
): Promise<{ readonly revision: Revision; readonly documents: readonly StoredDocument[] }> {
  const client = await pool.connect();
  try {
    const reader = new Reader(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const revision = await reader.revision();
    const documents: StoredDocument[] = [];
    for (const kind of new Set(kinds)) {
      let after: { readonly account: string; readonly id: string } | undefined = { account: '', id: '' };
      while (after !== undefined) {
        const slice: readonly StoredDocument[] = await reader.ofKind(kind, after, SLICE);
        for (const document of slice) documents.push(document);
        after = slice.length < SLICE ? undefined : slice.at(-1);
      }
    }
    await client.query('COMMIT');
    client.release();
    return { revision, documents };
  } catch (error) {
    client.release(true);
    throw error;
  }
}

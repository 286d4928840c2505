/** Reads many documents as of one revision, in slices that neither side has to hold at once. */
import type { Pool } from 'pg';
import type { Slice } from '../store.ts';
import { Reader } from './reader.ts';

const SLICE = 1000;

/** Takes a connection of its own for as long as it reads: all slices are of one moment. */
export async function* scanSlices(pool: Pool, kinds: readonly string[]): AsyncGenerator<Slice> {
  const client = await pool.connect();
  // Between two slices nobody else listens, and an error without a listener would end the process.
  const ignore = () => {};
  client.on('error', ignore);
  let broken = false;
  try {
    const reader = new Reader(client);
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const revision = await reader.revision();
    yield { revision, documents: [] };
    for (const kind of new Set(kinds)) {
      let after: { readonly account: string; readonly id: string } | undefined = { account: '', id: '' };
      while (after !== undefined) {
        const documents: Slice['documents'] = await reader.ofKind(kind, after, SLICE);
        yield { revision, documents };
        after = documents.length < SLICE ? undefined : documents.at(-1);
      }
    }
  } catch (error) {
    broken = true;
    throw error;
  } finally {
    // Whoever has left early leaves a connection that is as good as ever.
    if (!broken)
      broken = await client.query('COMMIT').then(
        () => false,
        () => true,
      );
    client.off('error', ignore);
    client.release(broken);
  }
}

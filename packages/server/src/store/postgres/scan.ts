/** Reads many documents, or their states, as of one revision, in slices that neither side has to hold at once. */
import type { Pool } from 'pg';
import type { DocumentKey, DocumentState, Slice } from '../store.ts';
import { Reader } from './reader.ts';

const SLICE = 1000;

export function scanSlices(pool: Pool, kinds: readonly string[]): AsyncGenerator<Slice> {
  return slices(pool, kinds, (reader, kind, after) => reader.ofKind(kind, after, SLICE));
}

export function scanStates(pool: Pool, kinds: readonly string[]): AsyncGenerator<Slice<DocumentState>> {
  return slices(pool, kinds, (reader, kind, after) => reader.statesOfKind(kind, after, SLICE));
}

type Read<Listed> = (reader: Reader, kind: string, after: DocumentKey) => Promise<readonly Listed[]>;

/** Takes a connection of its own for as long as it reads: all slices are of one moment. */
async function* slices<Listed extends DocumentKey>(
  pool: Pool,
  kinds: readonly string[],
  read: Read<Listed>,
): AsyncGenerator<Slice<Listed>> {
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
      let after: DocumentKey | undefined = { account: '', id: '' };
      while (after !== undefined) {
        const documents: readonly Listed[] = await read(reader, kind, after);
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

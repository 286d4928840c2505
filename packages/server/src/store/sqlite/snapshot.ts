/**
 * Lists many documents as of one revision without holding up the event loop.
 * In: kinds. Out: documents and their revision. What may change here: the size of a slice.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Revision, StoredDocument } from '../store.ts';
import { connectReader } from './connect.ts';
import { Reader } from './reader.ts';

/** About two milliseconds of reading. */
const SLICE = 500;

/** Takes a connection of its own: other reads must not be held at the moment of the snapshot. */
export async function readSnapshot(
  path: string,
  kinds: readonly string[],
): Promise<{ readonly revision: Revision; readonly documents: readonly StoredDocument[] }> {
  const database = connectReader(path);
  try {
    const reader = new Reader(database);
    database.exec('BEGIN');
    const { revision } = reader.state();
    const documents: StoredDocument[] = [];
    for (const kind of new Set(kinds)) {
      let after = { account: '', id: '' };
      for (;;) {
        const slice = reader.ofKind(kind, after, SLICE);
        for (const document of slice) documents.push(document);
        await turn();
        const last = slice.at(-1);
        if (last === undefined || slice.length < SLICE) break;
        after = last;
      }
    }
    return { revision, documents };
  } finally {
    database.close();
  }
}

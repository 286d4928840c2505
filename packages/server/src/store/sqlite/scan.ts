/** Reads many documents as of one revision without holding up the event loop. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Slice } from '../store.ts';
import { connectReader } from './connect.ts';
import { Reader } from './reader.ts';

/** About two milliseconds of reading. */
const SLICE = 500;

/** Takes a connection of its own: other reads must not be held at the moment of the first slice. */
export async function* scanSlices(path: string, kinds: readonly string[]): AsyncGenerator<Slice> {
  const database = connectReader(path);
  try {
    const reader = new Reader(database);
    database.exec('BEGIN');
    const { revision } = reader.state();
    yield { revision, documents: [] };
    for (const kind of new Set(kinds)) {
      let after: { readonly account: string; readonly id: string } | undefined = { account: '', id: '' };
      while (after !== undefined) {
        const documents = reader.ofKind(kind, after, SLICE);
        yield { revision, documents };
        await turn();
        after = documents.length < SLICE ? undefined : documents.at(-1);
      }
    }
  } finally {
    database.close();
  }
}

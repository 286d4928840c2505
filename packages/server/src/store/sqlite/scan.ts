/** Reads many documents, or their states, as of one revision without blocking the event loop. */
import { setImmediate as turn } from 'node:timers/promises';
import type { DocumentKey, DocumentState, Slice } from '../store.ts';
import { connectReader } from './connect.ts';
import { Reader } from './reader.ts';

/** Documents in a slice, which takes about two milliseconds. */
const DOCUMENTS = 500;
const STATES = 2000;

export function scanSlices(path: string, kinds: readonly string[]): AsyncGenerator<Slice> {
  return slices(path, kinds, DOCUMENTS, (reader, kind, after) => reader.ofKind(kind, after, DOCUMENTS));
}

export function scanStates(path: string, kinds: readonly string[]): AsyncGenerator<Slice<DocumentState>> {
  return slices(path, kinds, STATES, (reader, kind, after) => reader.statesOfKind(kind, after, STATES));
}

type Read<Listed> = (reader: Reader, kind: string, after: DocumentKey) => readonly Listed[];

/** Uses a connection of its own, because other reads must not stay at the moment of the first slice. */
async function* slices<Listed extends DocumentKey>(
  path: string,
  kinds: readonly string[],
  size: number,
  read: Read<Listed>,
): AsyncGenerator<Slice<Listed>> {
  const database = connectReader(path);
  try {
    const reader = new Reader(database);
    database.exec('BEGIN');
    const { revision } = reader.state();
    yield { revision, documents: [] };
    for (const kind of new Set(kinds)) {
      let after: DocumentKey | undefined = { account: '', id: '' };
      while (after !== undefined) {
        const documents: readonly Listed[] = read(reader, kind, after);
        yield { revision, documents };
        await turn();
        after = documents.length < size ? undefined : documents.at(-1);
      }
    }
  } finally {
    database.close();
  }
}

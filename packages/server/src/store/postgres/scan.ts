/** Reads many documents, or their states, as of one revision, in slices that bound the memory of both sides. */
import type { DocumentKey, DocumentState, Slice } from '../store.ts';
import type { History } from './history.ts';
import { Reader } from './reader.ts';
import { queryOn, type Readers } from './readers.ts';

const SLICE = 1000;

export interface Source {
  readonly readers: Readers;
  readonly history: History;
}

export function scanSlices(source: Source, kinds: readonly string[]): AsyncGenerator<Slice> {
  return slices(source, kinds, (reader, kind, after) => reader.ofKind(kind, after, SLICE));
}

export function scanStates(source: Source, kinds: readonly string[]): AsyncGenerator<Slice<DocumentState>> {
  return slices(source, kinds, (reader, kind, after) => reader.statesOfKind(kind, after, SLICE));
}

type Read<Listed> = (reader: Reader, kind: string, after: DocumentKey) => Promise<readonly Listed[]>;

/** Uses a connection of its own during the whole read, so that all slices are of one moment. */
async function* slices<Listed extends DocumentKey>(
  { readers, history }: Source,
  kinds: readonly string[],
  read: Read<Listed>,
): AsyncGenerator<Slice<Listed>> {
  const { client, release } = await readers.leaseForScan();
  // Nothing else listens between two slices, and an 'error' event without a listener would end the process.
  const ignore = () => {};
  client.on('error', ignore);
  let broken = false;
  try {
    const reader = new Reader({ query: (statement) => queryOn(client, statement) });
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const { position, lastId } = await reader.position();
    history.learn(position, lastId);
    yield { ...position, documents: [] };
    for (const kind of new Set(kinds)) {
      let after: DocumentKey | undefined = { account: '', id: '' };
      while (after !== undefined) {
        const documents: readonly Listed[] = await read(reader, kind, after);
        yield { ...position, documents };
        after = documents.length < SLICE ? undefined : documents.at(-1);
      }
    }
  } catch (error) {
    broken = true;
    throw error;
  } finally {
    // A caller that leaves early leaves a working connection.
    if (!broken)
      broken = await client.query('COMMIT').then(
        () => false,
        () => true,
      );
    client.off('error', ignore);
    release(broken);
  }
}

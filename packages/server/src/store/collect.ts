/** A snapshot from its slices. */
import type { Slice, StoredDocument } from './store.ts';

export async function collect(slices: AsyncIterable<Slice>): Promise<Slice> {
  const documents: StoredDocument[] = [];
  let revision = 0;
  for await (const slice of slices) {
    revision = slice.revision;
    for (const document of slice.documents) documents.push(document);
  }
  return { revision, documents };
}

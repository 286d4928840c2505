/** A snapshot from its slices. In: slices of one moment. Out: one slice. What may change here: nothing that a store should do. */
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

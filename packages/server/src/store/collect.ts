/** Joins the slices of a scan into a snapshot. */
import type { Slice, StoredDocument } from './store.ts';

export async function collect(slices: AsyncIterable<Slice>): Promise<Slice> {
  const documents: StoredDocument[] = [];
  let position: Omit<Slice, 'documents'> = { revision: 0 };
  for await (const { documents: listed, ...slice } of slices) {
    position = slice;
    for (const document of listed) documents.push(document);
  }
  return { ...position, documents };
}

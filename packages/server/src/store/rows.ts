/** What both databases answer, made into documents and changes. In: rows. Out: values of the store's interface. */
import type { Change, JsonObject, StoredDocument } from './store.ts';

export type Row = Readonly<Record<string, unknown>>;

/** A row with the columns of a document. */
export function toDocument(row: Row): StoredDocument {
  return {
    id: String(row.id),
    account: String(row.account),
    kind: String(row.kind),
    parent: typeof row.parent === 'string' ? row.parent : null,
    body: JSON.parse(String(row.body)) as JsonObject,
    revision: Number(row.revision),
  };
}

/** A row of the change log, joined with the document that it left; that one's columns are null after a deletion. */
export function toChange(row: Row): Change {
  return {
    revision: Number(row.at),
    id: String(row.changed),
    account: String(row.owner),
    kind: String(row.class),
    document: row.id === null ? null : toDocument(row),
  };
}

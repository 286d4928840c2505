/** Converts rows of both databases into documents and changes. */
import { DOCUMENT_FORMAT, NewerFormatError } from './format.ts';
import type {
  Change,
  DocumentState,
  JsonObject,
  NameHolder,
  Note,
  QueueEntry,
  SeriesRow,
  StoredDocument,
} from './store.ts';

export type Row = Readonly<Record<string, unknown>>;

/** Recently seen accounts and kinds. */
const texts = new Map<string, string>();
const MOST_TEXTS = 1000;

/** Converts a row with the columns of a document. Throws NewerFormatError. */
export function toDocument(row: Row): StoredDocument {
  checkFormat(row);
  return {
    id: String(row.id),
    account: shared(row.account),
    kind: shared(row.kind),
    parent: typeof row.parent === 'string' ? row.parent : null,
    body: JSON.parse(String(row.body)) as JsonObject,
    revision: Number(row.revision),
  };
}

/**
 * Columns for reading many documents of one kind. Arrays cost less than named columns, which dominate the time of a
 * start.
 */
export const COLUMNS_OF_KIND = 'id, account, parent, body, format, revision';

/** Converts a row with these columns, in their order. Throws NewerFormatError. */
export function toDocumentOfKind(kind: string, row: readonly unknown[]): StoredDocument {
  const [id, account, parent, body, format, revision] = row;
  checkFormat({ id, format });
  return {
    id: String(id),
    account: shared(account),
    kind,
    parent: typeof parent === 'string' ? parent : null,
    body: JSON.parse(String(body)) as JsonObject,
    revision: Number(revision),
  };
}

/** Converts a row with the columns of a block of a series. */
export function toSeriesRow(row: Row): SeriesRow {
  return {
    account: shared(row.account),
    key: String(row.key),
    node: String(row.node),
    step: Number(row.step),
    start: Number(row.start),
    body: String(row.body),
  };
}

/** Converts a row with the columns of a state, of any format. */
export function toState(row: Row): DocumentState {
  return { id: String(row.id), account: shared(row.account), revision: Number(row.revision) };
}

function checkFormat(row: Row): void {
  const format = Number(row.format);
  if (format > DOCUMENT_FORMAT) throw new NewerFormatError(String(row.id), format);
}

/**
 * Converts a row of the change log, joined with the current document. The document's columns are null after a deletion.
 */
export function toChange(row: Row): Change {
  const change = {
    revision: Number(row.at),
    id: String(row.changed),
    account: shared(row.owner),
    kind: shared(row.class),
    document: null,
  };
  if (row.id === null) return change;
  const format = Number(row.format);
  return format > DOCUMENT_FORMAT
    ? { ...change, newerFormat: format }
    : { ...change, document: toDocument(row) };
}

export function toQueueEntry(row: Row): QueueEntry {
  return {
    position: Number(row.position),
    account: shared(row.account),
    parent: shared(row.parent),
    body: JSON.parse(String(row.body)) as JsonObject,
  };
}

/** Converts a row with the columns of a note. */
export function toNote(row: Row): Note {
  return {
    key: String(row.key),
    at: Number(row.at),
    revision: Number(row.revision),
    body: JSON.parse(String(row.body)) as JsonObject,
  };
}

export function toNameHolder(row: Row): NameHolder {
  return { value: String(row.value), id: String(row.id), account: shared(row.account) };
}

/**
 * Returns one shared string for equal ones. Drivers create a new string for each row, so a million documents would keep
 * a million copies of their kind.
 */
function shared(column: unknown): string {
  const text = String(column);
  const known = texts.get(text);
  if (known !== undefined) return known;
  if (texts.size === MOST_TEXTS) texts.clear();
  texts.set(text, text);
  return text;
}

/**
 * Packs batches for the writer thread into one list of values. Objects cost several times as much to copy into another
 * thread, because of their property names.
 * Invariant: the writer thread reads exactly what was sent.
 */
import type { BatchOperation } from '../batch.ts';
import type { Dropped, Link, NameClaim, NoteKind, SeriesRow } from '../store.ts';
import type { Batch } from './batch.ts';

export type Packed = readonly Value[];
type Value = string | number | boolean | null;

export function pack(batches: readonly Batch[]): Packed {
  const values: Value[] = [];
  for (const { operations, lastId } of batches) {
    values.push(lastId, operations.length);
    for (const operation of operations) packOne(values, operation);
  }
  return values;
}

function packOne(values: Value[], operation: BatchOperation): void {
  values.push(operation.op);
  switch (operation.op) {
    case 'insert': {
      const { id, account, kind, parent, body, links, names } = operation;
      values.push(id, account, kind, parent, body);
      packReferences(values, links, names);
      return;
    }
    case 'replace': {
      const { id, revision, body, links, names, dropped } = operation;
      values.push(id, revision, body);
      packReferences(values, links, names);
      values.push(dropped !== undefined);
      if (dropped !== undefined) packDropped(values, dropped);
      return;
    }
    case 'rewrite':
      values.push(operation.id, operation.revision, operation.body);
      return;
    case 'delete':
      values.push(operation.id, operation.revision);
      return;
    case 'enqueue':
      values.push(operation.account, operation.parent, operation.text);
      return;
    case 'dequeue':
      values.push(operation.positions.length);
      for (const position of operation.positions) values.push(position);
      return;
    case 'clear':
      values.push(operation.most);
      return;
    case 'keep_series':
      values.push(operation.rows.length);
      for (const { account, key, node, step, start, body } of operation.rows)
        values.push(account, key, node, step, start, body);
      return;
    case 'drop_series':
      values.push(operation.step, operation.before, operation.most);
      return;
    case 'exclude':
      values.push(operation.account, JSON.stringify(operation.names));
      return;
    case 'note': {
      const { kind, account, key, at, text, needsDocument } = operation;
      values.push(kind, account, key, at, text, needsDocument);
      return;
    }
    case 'forget':
      values.push(operation.kind, operation.account, operation.key);
      return;
    case 'expire':
      values.push(operation.kind, operation.before, operation.most);
      return;
    case 'trim':
      values.push(operation.kind, operation.account, operation.keep, operation.most);
      return;
    default:
      operation satisfies never;
  }
}

function packReferences(values: Value[], links: readonly Link[], names: readonly NameClaim[]): void {
  values.push(links.length, names.length);
  for (const { field, to, binding } of links) values.push(field, to, binding);
  for (const { kind, value } of names) values.push(kind, value);
}

function packDropped(values: Value[], { links, names }: Dropped): void {
  values.push(links.length);
  for (const { field, to } of links) values.push(field, to);
  values.push(names.length);
  for (const { kind, value } of names) values.push(kind, value);
}

export function unpack(packed: Packed): readonly Batch[] {
  const values = new Values(packed);
  const batches: Batch[] = [];
  while (values.isMore) {
    const lastId = values.text();
    batches.push({ operations: values.many(unpackOne), lastId });
  }
  return batches;
}

function unpackOne(values: Values): BatchOperation {
  const op = values.text();
  switch (op) {
    case 'insert': {
      const [id, account, kind] = [values.text(), values.text(), values.text()];
      const [parent, body] = [values.textOrNull(), values.text()];
      return { op, id, account, kind, parent, body, ...unpackReferences(values) };
    }
    case 'replace': {
      const [id, revision, body] = [values.text(), values.number(), values.text()];
      const references = unpackReferences(values);
      const dropped = values.isTrue() ? { dropped: unpackDropped(values) } : {};
      return { op, id, revision, body, ...references, ...dropped };
    }
    case 'rewrite':
      return { op, id: values.text(), revision: values.number(), body: values.text() };
    case 'delete':
      return { op, id: values.text(), revision: values.number() };
    case 'enqueue':
      return { op, account: values.text(), parent: values.text(), text: values.text() };
    case 'dequeue':
      return { op, positions: values.many((each) => each.number()) };
    case 'clear':
      return { op, most: values.number() };
    case 'keep_series':
      return { op, rows: values.many(unpackSeriesRow) };
    case 'drop_series':
      return { op, step: values.number(), before: values.number(), most: values.number() };
    case 'exclude':
      return { op, account: values.text(), names: JSON.parse(values.text()) };
    case 'note': {
      const [kind, account, key] = [values.noteKind(), values.text(), values.text()];
      const [at, text, needsDocument] = [values.number(), values.text(), values.isTrue()];
      return { op, kind, account, key, at, text, needsDocument };
    }
    case 'forget':
      return { op, kind: values.noteKind(), account: values.text(), key: values.text() };
    case 'expire':
      return { op, kind: values.noteKind(), before: values.number(), most: values.number() };
    case 'trim': {
      const [kind, account] = [values.noteKind(), values.text()];
      return { op, kind, account, keep: values.number(), most: values.number() };
    }
    default:
      throw new Error(`there is no operation ${op}`);
  }
}

function unpackSeriesRow(values: Values): SeriesRow {
  const [account, key, node] = [values.text(), values.text(), values.text()];
  return { account, key, node, step: values.number(), start: values.number(), body: values.text() };
}

function unpackReferences(values: Values): { links: readonly Link[]; names: readonly NameClaim[] } {
  const [links, names] = [values.number(), values.number()];
  return {
    links: Array.from({ length: links }, () => {
      const [field, to] = [values.text(), values.text()];
      return { field, to, binding: values.isTrue() };
    }),
    names: Array.from({ length: names }, () => ({ kind: values.text(), value: values.text() })),
  };
}

function unpackDropped(values: Values): Dropped {
  const links = values.many((each) => ({ field: each.text(), to: each.text() }));
  return { links, names: values.many((each) => ({ kind: each.text(), value: each.text() })) };
}

/** Reads values in order. */
class Values {
  readonly #values: Packed;
  #at = 0;

  constructor(values: Packed) {
    this.#values = values;
  }

  get isMore(): boolean {
    return this.#at < this.#values.length;
  }

  text(): string {
    const value = this.#next();
    if (typeof value !== 'string') throw misplaced();
    return value;
  }

  noteKind(): NoteKind {
    const kind = this.text();
    if (kind !== 'change' && kind !== 'use' && kind !== 'visit') throw misplaced();
    return kind;
  }

  textOrNull(): string | null {
    const value = this.#next();
    if (value !== null && typeof value !== 'string') throw misplaced();
    return value;
  }

  number(): number {
    const value = this.#next();
    if (typeof value !== 'number') throw misplaced();
    return value;
  }

  isTrue(): boolean {
    const value = this.#next();
    if (typeof value !== 'boolean') throw misplaced();
    return value;
  }

  /** Reads a count, then that many items. */
  many<Read>(read: (values: Values) => Read): readonly Read[] {
    const length = this.number();
    return Array.from({ length }, () => read(this));
  }

  #next(): Value | undefined {
    const value = this.#values[this.#at];
    this.#at += 1;
    return value;
  }
}

function misplaced(): Error {
  return new Error('a packed batch has a value where another one belongs');
}

/**
 * The tables of an installation, the same in both databases.
 * Invariant: a table or column never changes without a migration in each database.
 */

export type ColumnType = 'text' | 'integer' | 'boolean';

export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** The columns that rows are ordered by, compared as bytes; none for a table of one row. */
  readonly key: readonly string[];
}

/** The tables in an order in which referenced rows come first. */
export const TABLES: readonly Table[] = [
  {
    name: 'documents',
    columns: {
      id: 'text',
      account: 'text',
      kind: 'text',
      parent: 'text',
      body: 'text',
      format: 'integer',
      revision: 'integer',
    },
    key: ['id'],
  },
  {
    name: 'links',
    columns: { source: 'text', field: 'text', target: 'text', binding: 'boolean' },
    key: ['source', 'field', 'target'],
  },
  { name: 'names', columns: { kind: 'text', value: 'text', id: 'text' }, key: ['kind', 'value'] },
  {
    name: 'queue',
    columns: { position: 'integer', account: 'text', parent: 'text', body: 'text' },
    key: ['position'],
  },
  { name: 'deleted_queues', columns: { account: 'text', parent: 'text' }, key: ['account', 'parent'] },
  {
    name: 'notes',
    columns: {
      kind: 'text',
      account: 'text',
      key: 'text',
      at: 'integer',
      revision: 'integer',
      body: 'text',
    },
    key: ['kind', 'account', 'key'],
  },
  {
    name: 'changes',
    columns: { revision: 'integer', id: 'text', account: 'text', kind: 'text', deleted: 'boolean' },
    key: ['revision', 'id'],
  },
  {
    name: 'series',
    columns: {
      account: 'text',
      step: 'integer',
      key: 'text',
      start: 'integer',
      node: 'text',
      body: 'text',
    },
    key: ['account', 'step', 'key', 'start', 'node'],
  },
  // The last table: a target is empty as long as its revision is 0.
  {
    name: 'state',
    columns: { revision: 'integer', compacted: 'integer', last_id: 'text', queued: 'integer' },
    key: [],
  },
];

/** Tables with temporary state, or state of the database itself. */
export const NOT_COPIED: readonly string[] = [
  ...['writers', 'admissions', 'schema_version', 'marks', 'server'],
  ...['nodes', 'bound_names', 'tunnels'],
];

/** Values in the order of the columns. Booleans are 1 or 0, as in SQLite. */
export type Row = readonly (string | number | null)[];

export function orderOf({ key }: Table): string {
  return key.length === 0 ? '' : ` ORDER BY ${key.join(', ')}`;
}

export function namesOf({ columns }: Table): string {
  return Object.keys(columns).join(', ');
}

/**
 * What an installation is made of, as both databases keep it. Never that a table or column changes without a migration of
 * each.
 */

export type ColumnType = 'text' | 'integer' | 'boolean';

export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Rows are read in the order of these, by bytes; none for a table of one row. */
  readonly key: readonly string[];
}

/** In an order in which rows find what they refer to. */
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
    name: 'changes',
    columns: { revision: 'integer', id: 'text', account: 'text', kind: 'text', deleted: 'boolean' },
    key: ['revision', 'id'],
  },
  // Last: as long as a target has revision 0, it is empty.
  {
    name: 'state',
    columns: { revision: 'integer', compacted: 'integer', last_id: 'text', queued: 'integer' },
    key: [],
  },
];

/** Of the moment, or of the database itself: nothing that a copy must have. */
export const NOT_COPIED: readonly string[] = ['writers', 'admissions', 'schema_version', 'marks', 'server'];

/** In the order of the columns; truth is 1 or 0, as SQLite has it. */
export type Row = readonly (string | number | null)[];

export function orderOf({ key }: Table): string {
  return key.length === 0 ? '' : ` ORDER BY ${key.join(', ')}`;
}

export function namesOf({ columns }: Table): string {
  return Object.keys(columns).join(', ');
}

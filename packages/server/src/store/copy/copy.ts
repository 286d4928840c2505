/**
 * Copies a whole installation from one database to another, and verifies the copy.
 * Invariant: the target is committed only after every row was read back and compared.
 */

import { createHash, type Hash } from 'node:crypto';
import { ForOperator } from '../../core/for-operator.ts';
import { type Row, TABLES, type Table } from './tables.ts';

/** Rows in memory at once. The largest body is a megabyte. */
export const ROWS_PER_BATCH = 100;

export interface CopySource {
  /** Returns every row, in batches of ROWS_PER_BATCH, as of one moment. */
  rows(table: Table): AsyncIterable<readonly Row[]>;
  /** Rejects with CopyError if another process has written since that moment. */
  confirm(): Promise<void>;
  close(): Promise<void>;
}

/** The option that names the target in the command that runs. */
export type TargetOption = '--to' | '--database';

export interface CopyTarget {
  insert(table: Table, rows: readonly Row[]): Promise<void>;
  /** Returns the rows that the target has now. */
  rows(table: Table): AsyncIterable<readonly Row[]>;
  /** Makes the target an installation. Before, other processes see an empty database. */
  commit(): Promise<void>;
  /** Closes the target. Without a commit before, nothing is kept. */
  close(): Promise<void>;
}

/** The copy was not made. The message is for the operator. */
export class CopyError extends ForOperator {
  override readonly name = 'CopyError';
}

export interface Copied {
  /** Rows by table. */
  readonly counts: ReadonlyMap<string, number>;
  /** SHA-256 over every row of every table, the same on both sides. */
  readonly digest: string;
}

/** Reports the number of rows of a table that are done. */
export type Progress = (step: 'copied' | 'compared', table: string, rows: number) => void;

/** Copies, and commits the target if both sides are equal. Closes neither. Rejects with CopyError. */
export async function copy(source: CopySource, target: CopyTarget, progress: Progress): Promise<Copied> {
  const sent = createHash('sha256');
  const counts = new Map<string, number>();
  for (const table of TABLES) {
    let count = 0;
    progress('copied', table.name, count);
    for await (const rows of source.rows(table)) {
      addTo(sent, table, rows);
      await target.insert(table, rows);
      count += rows.length;
      progress('copied', table.name, count);
    }
    counts.set(table.name, count);
  }
  const digest = sent.digest('hex');
  if ((await digestOf(target, progress)) !== digest)
    throw new CopyError(
      'what arrived is not what was sent: nothing was kept. Check the disk and the memory of both machines, then copy again.',
    );
  await source.confirm();
  await target.commit();
  return { counts, digest };
}

async function digestOf(target: CopyTarget, progress: Progress): Promise<string> {
  const arrived = createHash('sha256');
  for (const table of TABLES) {
    let count = 0;
    for await (const rows of target.rows(table)) {
      addTo(arrived, table, rows);
      count += rows.length;
      progress('compared', table.name, count);
    }
  }
  return arrived.digest('hex');
}

function addTo(hash: Hash, { name }: Table, rows: readonly Row[]): void {
  for (const row of rows) hash.update(`${JSON.stringify([name, ...row])}\n`);
}

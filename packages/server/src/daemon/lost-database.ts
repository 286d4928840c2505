/**
 * Distinguishes a first start from an installation whose database is gone.
 * Invariant: no second account and no second authority is made over the files of the first.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DocumentStore } from '../documents/index.ts';
import { type Database, nameOf } from '../store/databases/database.ts';
import { StoreOpenError } from '../store/open-error.ts';

/**
 * Files that are written after the database has their contents. The master key is not among them. It is made first,
 * and operators that share it copy it.
 */
const traces = [
  { file: 'bootstrap.json', kind: 'account' },
  { file: 'ca.pem', kind: 'local_ca' },
] as const;

interface Place {
  readonly dataDir: string;
  readonly database: Database;
}

/** Run this before the database is opened, because opening makes its file. Throws StoreOpenError. */
export function requireDatabaseFile({ dataDir, database }: Place): void {
  if (database.kind !== 'sqlite' || existsSync(database.path)) return;
  const files = traces.map(({ file }) => file).filter((file) => existsSync(join(dataDir, file)));
  if (files.length > 0) throw lost(`there is no database ${database.path}`, files, dataDir);
}

/** Run this before anything is written. Rejects with StoreOpenError. */
export async function requireContents(
  store: Pick<DocumentStore, 'snapshot'>,
  { dataDir, database }: Place,
): Promise<void> {
  const { documents } = await store.snapshot(['account', 'local_ca']);
  const files = traces
    .filter(({ kind }) => !documents.some((document) => document.kind === kind))
    .map(({ file }) => file)
    .filter((file) => existsSync(join(dataDir, file)));
  if (files.length > 0) throw lost(`the database ${nameOf(database)} is empty`, files, dataDir);
}

function lost(what: string, files: readonly string[], dataDir: string): StoreOpenError {
  const there = files.join(' and ');
  return new StoreOpenError(
    'lost',
    `${what}, but ${dataDir} has ${there} of an installation. Nothing was changed. Put its database back, or name it with --database; what was backed up comes back with "underpassd restore". For a new installation move ${there} away, or choose an empty --data-dir.`,
  );
}

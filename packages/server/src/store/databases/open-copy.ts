/** Which database a copy comes from or goes to. */

import type { CopySource, CopyTarget } from '../copy/copy.ts';
import { openPostgresSource, openPostgresTarget } from '../postgres/copy.ts';
import { openLiveSqliteSource, openSqliteSource, openSqliteTarget } from '../sqlite/copy.ts';
import { scanSlices } from '../sqlite/scan.ts';
import type { Slice } from '../store.ts';
import type { Database } from './database.ts';

/** Rejects with StoreOpenError or CopyError. */
export function openSource(database: Database): Promise<CopySource> {
  return database.kind === 'postgres' ? openPostgresSource(database.url) : openSqliteSource(database.path);
}

/** One that daemons go on writing to; a SQLite file must be held by this process. Rejects with StoreOpenError or CopyError. */
export async function openLiveSource(database: Database): Promise<CopySource> {
  return database.kind === 'postgres'
    ? await openPostgresSource(database.url, { live: true })
    : openLiveSqliteSource(database.path);
}

/** A file that nobody uses, such as one in a backup: nothing is written beside it. */
export function openFileSource(path: string): CopySource {
  return openLiveSqliteSource(path);
}

/** Documents of some kinds in a file that nobody uses. */
export function scanFile(path: string, kinds: readonly string[]): AsyncIterable<Slice> {
  return scanSlices(path, kinds);
}

/** Rejects with StoreOpenError or CopyError. */
export function openTarget(database: Database): Promise<CopyTarget> {
  return database.kind === 'postgres' ? openPostgresTarget(database.url) : openSqliteTarget(database.path);
}

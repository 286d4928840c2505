/** Opens the source and the target of a copy. */

import type { CopySource, CopyTarget, TargetOption } from '../copy/copy.ts';
import { openPostgresSource, openPostgresTarget } from '../postgres/copy.ts';
import { openLiveSqliteSource, openSqliteSource, openSqliteTarget } from '../sqlite/copy.ts';
import { scanSlices } from '../sqlite/scan.ts';
import type { Slice } from '../store.ts';
import type { Database } from './database.ts';

/** Rejects with StoreOpenError or CopyError. */
export function openSource(database: Database): Promise<CopySource> {
  return database.kind === 'postgres' ? openPostgresSource(database.url) : openSqliteSource(database.path);
}

/**
 * Opens a source that daemons continue to write to. A SQLite file must be held by this process. Rejects with
 * StoreOpenError or CopyError.
 */
export async function openLiveSource(database: Database): Promise<CopySource> {
  return database.kind === 'postgres'
    ? await openPostgresSource(database.url, { live: true })
    : openLiveSqliteSource(database.path);
}

/** Opens a file that no process uses, such as one in a backup, and writes nothing beside it. */
export function openFileSource(path: string): CopySource {
  return openLiveSqliteSource(path);
}

/** Reads documents of some kinds from a file that no process uses. */
export function scanFile(path: string, kinds: readonly string[]): AsyncIterable<Slice> {
  return scanSlices(path, kinds);
}

/** `option`: names another target. Rejects with StoreOpenError or CopyError. */
export function openTarget(database: Database, option: TargetOption): Promise<CopyTarget> {
  return database.kind === 'postgres'
    ? openPostgresTarget(database.url, option)
    : openSqliteTarget(database.path, option);
}

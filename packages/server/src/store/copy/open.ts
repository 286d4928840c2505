/** Which database a copy comes from or goes to. */
import type { Database } from '../database.ts';
import { openPostgresSource, openPostgresTarget } from '../postgres/copy.ts';
import { openSqliteSource, openSqliteTarget } from '../sqlite/copy.ts';
import type { CopySource, CopyTarget } from './copy.ts';

/** Rejects with StoreOpenError or CopyError. */
export function openSource(database: Database): Promise<CopySource> {
  return database.kind === 'postgres' ? openPostgresSource(database.url) : openSqliteSource(database.path);
}

/** Rejects with StoreOpenError or CopyError. */
export function openTarget(database: Database): Promise<CopyTarget> {
  return database.kind === 'postgres' ? openPostgresTarget(database.url) : openSqliteTarget(database.path);
}

/** Parses the setting that selects the database. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSettings, placeOf, SettingsError } from '../postgres/settings.ts';

/** `path` is the path of the file. */
export type Database =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const FILE = 'underpass.db';

/**
 * Parses `sqlite` (in the data dir), `sqlite:PATH` (a file or its directory) or `postgres://…`. Returns null for
 * anything else.
 */
export function parseDatabase(text: string, dataDir: string): Database | null {
  if (text === 'sqlite') return { kind: 'sqlite', path: join(dataDir, FILE) };
  if (text.startsWith('sqlite:')) return sqliteAt(text.slice('sqlite:'.length));
  return isPostgres(text) && faultOf(text) === null ? { kind: 'postgres', url: text } : null;
}

/**
 * Returns why a PostgreSQL URL cannot be used, without its values. Returns null if it can, or if it names another
 * database.
 */
export function faultOf(text: string): string | null {
  if (!isPostgres(text)) return null;
  try {
    parseSettings(text);
    return null;
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
}

function isPostgres(text: string): boolean {
  return /^postgres(ql)?:\/\//.test(text);
}

function sqliteAt(given: string): Database | null {
  if (given === '') return null;
  const path = resolve(given);
  const there = statSync(path, { throwIfNoEntry: false });
  const isFile = there === undefined ? path.endsWith('.db') : there.isFile();
  return { kind: 'sqlite', path: isFile ? path : join(path, FILE) };
}

/** Returns a name for messages, without user, password and parameters, because a parameter may be a password. */
export function nameOf(database: Database): string {
  if (database.kind === 'sqlite') return database.path;
  const { hosts, database: name = '' } = parseSettings(database.url);
  return `postgres://${hosts.map(placeOf).join(',')}/${name}`;
}

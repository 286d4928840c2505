/** Which database an installation is in. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseSettings, placeOf, SettingsError } from '../postgres/settings.ts';

/** `path`: of the file. */
export type Database =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const FILE = 'underpass.db';

/** Reads `sqlite` (in the data dir), `sqlite:PATH` (a file or its directory) or `postgres://…`; null for anything else. */
export function parseDatabase(text: string, dataDir: string): Database | null {
  if (text === 'sqlite') return { kind: 'sqlite', path: join(dataDir, FILE) };
  if (text.startsWith('sqlite:')) return sqliteAt(text.slice('sqlite:'.length));
  return isPostgres(text) && faultOf(text) === null ? { kind: 'postgres', url: text } : null;
}

/** The reason why the URL of a PostgreSQL database cannot be used, without its values; null when it can be, or names another database. */
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

/** For people: neither user nor password, nor the parameters, among which one may be. */
export function nameOf(database: Database): string {
  if (database.kind === 'sqlite') return database.path;
  const { hosts, database: name = '' } = parseSettings(database.url);
  return `postgres://${hosts.map(placeOf).join(',')}/${name}`;
}

/** Which database an installation is in. */
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { connectTimeoutMs } from '../postgres/connect-timeout.ts';

/** `path`: of the file. */
export type Database =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string };

const FILE = 'underpass.db';

/** Reads `sqlite` (in the data dir), `sqlite:PATH` (a file or its directory) or `postgres://…`; null for anything else. */
export function parseDatabase(text: string, dataDir: string): Database | null {
  if (text === 'sqlite') return { kind: 'sqlite', path: join(dataDir, FILE) };
  if (text.startsWith('sqlite:')) return sqliteAt(text.slice('sqlite:'.length));
  if (!/^postgres(ql)?:\/\//.test(text)) return null;
  // `postgres://user@/name?host=/var/run/postgresql` names a socket: no host is in its place.
  const plain = text.replace('@/', '@host/');
  if (!URL.canParse(plain)) return null;
  // A password with a bare `/`, `?` or `#` ends up where messages show it.
  const { username } = new URL(plain);
  if (username === '' && plain.includes('@')) return null;
  return connectTimeoutMs(text) === null ? null : { kind: 'postgres', url: text };
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
  const { pathname, host, searchParams } = new URL(database.url.replace('@/', '@host/'));
  return `postgres://${searchParams.get('host') ?? host}${pathname}`;
}

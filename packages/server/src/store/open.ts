/**
 * Which store the daemon runs on.
 * In: the text of `--database`, the data dir. Out: an open store. What may change here: a kind of database.
 */
import { join } from 'node:path';
import { openPostgresStore } from './postgres/store.ts';
import { openSqliteStore } from './sqlite/store.ts';
import type { Store } from './store.ts';

export type Database = { readonly kind: 'sqlite' } | { readonly kind: 'postgres'; readonly url: string };

/** Reads `sqlite` or `postgres://…`; null for anything else. */
export function parseDatabase(text: string): Database | null {
  if (text === 'sqlite') return { kind: 'sqlite' };
  if (!/^postgres(ql)?:\/\//.test(text)) return null;
  // `postgres://user@/name?host=/var/run/postgresql` names a socket: no host is in its place.
  const plain = text.replace('@/', '@host/');
  if (!URL.canParse(plain)) return null;
  // A password with a bare `/`, `?` or `#` ends up where messages show it.
  const { username } = new URL(plain);
  return username === '' && plain.includes('@') ? null : { kind: 'postgres', url: text };
}

/** Rejects with StoreOpenError, whose message is for the operator. */
export function openStore(database: Database, dataDir: string): Promise<Store> {
  if (database.kind === 'postgres') return openPostgresStore({ url: database.url });
  return openSqliteStore({ path: join(dataDir, 'underpass.db') });
}

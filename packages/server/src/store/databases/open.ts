/** Opens the daemon's store. A database's driver is loaded only if it is used. */
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { RateLimiter } from '../../core/limits/rate-limiter.ts';
import type { DirectoryLink } from '../postgres/directory-link.ts';
import type { ListedNode, StoredNode } from '../postgres/node-rows.ts';
import type { Store } from '../store.ts';
import type { Database } from './database.ts';

export interface StoreNotices {
  /** Called with a message for the operator if acknowledged writes are lost. */
  readonly onLostWrites?: (message: string) => void;
  /** Called with a message if a file of the database was removed or replaced, and with null when it is back. */
  readonly onRemoved?: (message: string | null) => void;
  /** Called with a message for the operator if the database continues from another history than this process knew. */
  readonly onOtherHistory?: (message: string) => void;
  /** Called if connections lead to another server of the cluster, or another cluster, than before. */
  readonly onOtherServer?: () => void;
  /** Called with the number of other daemons on the database, whenever it changes. */
  readonly onOtherDaemons?: (others: number) => void;
  /** True for a daemon beside which no other one may use the database. */
  readonly isAlone?: boolean;
  /** Called with a message if that is not so any more. */
  readonly onNotAlone?: (message: string) => void;
}

/** Rejects with StoreOpenError, whose message is for the operator. */
export async function openStore(database: Database, notices: StoreNotices = {}): Promise<Store> {
  if (database.kind === 'postgres') {
    const { openPostgresStore } = await import('../postgres/store.ts');
    return openPostgresStore({ url: database.url, ...notices });
  }
  const { openSqliteStore } = await import('../sqlite/store.ts');
  return openSqliteStore({ path: database.path, ...notices });
}

/**
 * Tries to reach a database, and changes nothing. A file, or the folder that it will be in, must be writable. Returns true
 * if there is no installation. Rejects with StoreOpenError, or the system's error.
 */
export async function tryDatabase(database: Database): Promise<boolean> {
  if (database.kind === 'postgres') {
    const { tryServer } = await import('../postgres/nodes.ts');
    return await tryServer(database.url);
  }
  const { path } = database;
  if (existsSync(path)) {
    accessSync(path, constants.R_OK | constants.W_OK);
    return false;
  }
  let folder = dirname(path);
  while (!existsSync(folder)) folder = dirname(folder);
  if (!statSync(folder).isDirectory()) throw new Error(`${folder} is no folder`);
  accessSync(folder, constants.W_OK | constants.X_OK);
  return true;
}

/** Opens the connection to the directory of daemons. Returns null if only this daemon uses the database. */
export async function openDirectory(database: Database, isAlone: boolean): Promise<DirectoryLink | null> {
  if (database.kind !== 'postgres' || isAlone) return null;
  const { DirectoryLink: Link } = await import('../postgres/directory-link.ts');
  return new Link(database.url);
}

/** Lists the daemons of a database. Returns null if only one daemon can use it. */
export async function readNodes(database: Database): Promise<readonly ListedNode[] | null> {
  if (database.kind !== 'postgres') return null;
  const { nodesOf } = await import('../postgres/nodes.ts');
  return await nodesOf(database.url);
}

/**
 * Marks a daemon of a database as one whose agents are to go to others, or ends that. `choose` gets the daemons that may
 * live, and returns the incarnation of one or throws. Returns false if only one daemon can use the database.
 */
export async function drainNode(
  database: Database,
  isDraining: boolean,
  choose: (living: readonly StoredNode[]) => number,
): Promise<boolean> {
  if (database.kind !== 'postgres') return false;
  const { setDraining } = await import('../postgres/nodes.ts');
  await setDraining(database.url, isDraining, choose);
  return true;
}

export interface SharedLimiter extends RateLimiter {
  close(): Promise<void>;
}

/**
 * Opens the rate limiter that all daemons of a database share. Returns null if only this daemon can use the database,
 * or if nothing is limited (0).
 */
export async function openRateLimiter(database: Database, limit: number): Promise<SharedLimiter | null> {
  if (database.kind !== 'postgres' || limit === 0) return null;
  const { SharedRateLimiter } = await import('../postgres/rate-limiter.ts');
  return new SharedRateLimiter({ url: database.url, limit });
}

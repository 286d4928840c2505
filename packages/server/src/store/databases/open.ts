/** The store that the daemon runs on. A database's driver is loaded when that database is used. */
import type { RateLimiter } from '../../core/rate-limiter.ts';
import type { Store } from '../store.ts';
import type { Database } from './database.ts';

export interface StoreNotices {
  /** Writes that were answered are gone: a sentence for the operator. */
  readonly onLostWrites?: (message: string) => void;
  /** A file of the database was removed or replaced, and which; null when it is back. */
  readonly onRemoved?: (message: string | null) => void;
  /** The database goes on from another history than this process knew: a sentence for the operator. */
  readonly onOtherHistory?: (message: string) => void;
  /** Connections lead to another server of the cluster, or another cluster, than before. */
  readonly onOtherServer?: () => void;
  /** The number of other daemons on the database, whenever it changes. */
  readonly onOtherDaemons?: (others: number) => void;
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

export interface SharedLimiter extends RateLimiter {
  close(): Promise<void>;
}

/** Who counts requests for all daemons on a database; null where nobody else can be on it, or nothing is limited (0). */
export async function openRateLimiter(database: Database, limit: number): Promise<SharedLimiter | null> {
  if (database.kind !== 'postgres' || limit === 0) return null;
  const { SharedRateLimiter } = await import('../postgres/rate-limiter.ts');
  return new SharedRateLimiter({ url: database.url, limit });
}

/** What the store has against new traffic: that it cannot be read, or that what this process knows of it is old. */
import type { Logger } from 'pino';
import type { StoreNotices } from '../store/databases/open.ts';
import type { ObservedStore } from '../store/observed.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { Readiness } from './readiness.ts';

/** A follower reads the log every five seconds at least; this much later it is behind, in milliseconds. */
const LONGEST_LAG_MS = 15_000;

type Asked = Pick<ObservedStore, 'findName' | 'followerLagMs'>;

export function registerStore(readiness: Readiness, store: Asked): void {
  readiness.register('store_away', () => unreadable(store));
  readiness.register('follower_behind', () => behind(store));
}

/** What the store tells by itself. */
export function storeNotices(readiness: Readiness, log: Pick<Logger, 'error' | 'info'>): StoreNotices {
  let removed: string | null = null;
  readiness.register('database_removed', () => removed);
  return {
    onLostWrites: (message) => log.error(message),
    onRemoved: (message) => {
      removed = message;
      if (message === null) log.info('the files of the database are in their place again: writes are taken');
      else
        log.error(
          `${message} while it was in use: writes are refused until it is back, and what was not backed up ends with this process`,
        );
    },
  };
}

/** Asked of the database itself, whatever is known here. */
async function unreadable(store: Asked): Promise<string | null> {
  try {
    await store.findName({ kind: 'readiness', value: '' });
    return null;
  } catch (error) {
    if (error instanceof StoreUnavailableError) return error.message;
    throw error;
  }
}

function behind({ followerLagMs }: Asked): string | null {
  if (followerLagMs <= LONGEST_LAG_MS) return null;
  return `what is served is as the database was ${Math.round(followerLagMs / 1000)} s ago`;
}

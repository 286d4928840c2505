/** Registers the conditions of the store with `/readyz`: it cannot be read, it takes no writes, what is served is old. */
import { deadline } from '@underpass/wire';
import type { Logger } from 'pino';
import type { StoreNotices } from '../store/databases/open.ts';
import type { ObservedStore } from '../store/observed.ts';
import { StoreUnavailableError } from '../store/store.ts';
import type { Readiness } from './readiness.ts';

/** A follower reads the log every five seconds at least; this much later it is behind, in milliseconds. */
const LONGEST_LAG_MS = 15_000;
/** A database that is silent for so long counts as away, in milliseconds: less than a source of `Readiness` has. */
const ANSWER_MS = 1_000;

/** Long enough for people to see it, in milliseconds. */
const HISTORY_MS = 3_600_000;

type Asked = Pick<ObservedStore, 'findName' | 'followerLagMs' | 'sinceUnreadableMs' | 'writeFailure'>;

export function registerStore(readiness: Readiness, store: Asked, answerMs = ANSWER_MS): void {
  readiness.registerForApi('store_away', () => unreadable(store, answerMs));
  readiness.register('follower_behind', () => behind(store, answerMs));
  readiness.registerWarning('writes_refused', () => store.writeFailure);
}

/** Receives what the store reports by itself. */
export function storeNotices(
  readiness: Readiness,
  log: Pick<Logger, 'error' | 'info' | 'warn'>,
  now = () => performance.now(),
): StoreNotices {
  let removed: string | null = null;
  let history: { readonly message: string; readonly atMs: number } | null = null;
  readiness.registerForApi('database_removed', () => removed);
  readiness.registerWarning('other_history', () =>
    history !== null && now() - history.atMs < HISTORY_MS ? history.message : null,
  );
  return {
    onOtherDaemons: (others) => log.info(neighboursOf(others)),
    onNotAlone: (message) => log.error(message),
    onOtherServer: () =>
      log.info('another server of the database is the primary now: everything is listed anew'),
    onOtherHistory: (message) => {
      history = { message, atMs: now() };
      log.error(message);
    },
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

function neighboursOf(others: number): string {
  if (others === 0) return 'no other daemon uses this database any more';
  return others === 1 ? 'another daemon uses this database' : `${others} other daemons use this database`;
}

/** Queries the database itself, whatever is known here. Null when it answers. */
async function unreadable(store: Asked, answerMs: number): Promise<string | null> {
  const { promise: silence, resolve } = Promise.withResolvers<string>();
  const late = deadline(answerMs, () => resolve('the database cannot be read: it does not answer'));
  const answer = store.findName({ kind: 'readiness', value: '' }).then(() => null);
  try {
    return await Promise.race([answer, silence]);
  } catch (error) {
    if (error instanceof StoreUnavailableError) return error.message;
    throw error;
  } finally {
    late.met();
  }
}

/**
 * Followers that are stuck although the database can be read are this daemon's own fault. While it is away, and until followers had time to
 * read again after it came back, all daemons of the database are behind.
 */
async function behind(store: Asked, answerMs: number): Promise<string | null> {
  const { followerLagMs } = store;
  if (followerLagMs <= LONGEST_LAG_MS) return null;
  if ((await unreadable(store, answerMs)) !== null) return null;
  if (store.sinceUnreadableMs <= LONGEST_LAG_MS) return null;
  return `what is served is as the database was ${Math.round(followerLagMs / 1000)} s ago`;
}

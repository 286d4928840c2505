/** Wires the sessions of the console, and the operations about them and the caller. */
import { findSignIn } from '../access/console-links.ts';
import { ConsoleSessions } from '../access/console-sessions.ts';
import type { ConsoleAccess } from '../api/callers.ts';
import { localLimiter } from '../api/rate-limit.ts';
import { namesOf, showMe } from '../console/me.ts';
import { consoleOperations } from '../console/operations.ts';
import { sessionEntry } from '../console/session-entries.ts';
import { consoleUrl } from '../core/service-names.ts';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { createRef } from '../resources/show.ts';
import type { StandaloneRuns } from '../resources/standalone/definition.ts';
import type { Deciding } from './deciding.ts';
import type { Foundation } from './foundation.ts';

/** Requests of a user by console sessions in any 60 s, unless accounts may send more. */
const CONSOLE_LIMIT = 600;

export interface Console extends ConsoleAccess {
  readonly sessions: ConsoleSessions;
}

/** Starts to follow sessions. */
export async function startConsole({ config, store, log, parts }: Foundation): Promise<Console> {
  const { apiRateLimit, baseUrl } = config.settings;
  const ref = createRef(resourceSurfaces, baseUrl);
  const now = Date.now;
  const sessions = await parts.start({
    start: () => ConsoleSessions.start({ store, now, log, entryOf: sessionEntry }),
    stop: (it) => it.stop(),
  });
  const limit = apiRateLimit === 0 ? 0 : Math.max(CONSOLE_LIMIT, apiRateLimit);
  return {
    ...{ sessions, limit, limiter: localLimiter(limit, () => performance.now()) },
    findSignIn: (token, hash) => findSignIn(store, token, hash, now()),
    begin: (signIn, browser) => sessions.begin(signIn, browser),
    authenticate: (token, hash, address) => sessions.authenticate(token, hash, address),
    end: (id, by) => sessions.end(id, by),
    describe: (grant) => namesOf({ store, ref }, grant),
  };
}

/** Returns what runs the operations. */
export function consoleRuns(
  { config, store, version }: Foundation,
  { limiter }: Pick<Deciding, 'limiter'>,
  bySessions: Console,
): StandaloneRuns {
  const { baseUrl, apiRateLimit: limit } = config.settings;
  const ref = createRef(resourceSurfaces, baseUrl);
  const { sessions } = bySessions;
  const me = { store, version, ref, byKeys: { limiter, limit }, bySessions };
  return {
    me_get: (call) => showMe(me, call),
    ...consoleOperations({ store, sessions, ref, pagesUrl: consoleUrl(config.settings), now: Date.now }),
  };
}

/** Runs `GET /me`. */
import type { SessionFacts } from '../access/tokens.ts';
import type { RateLimiter } from '../core/limits/rate-limiter.ts';
import { formatTime } from '../core/time-text.ts';
import type { DocumentStore } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import type { Principal, ShowContext } from '../resources/definition.ts';
import type { StandaloneCall } from '../resources/standalone/definition.ts';
import type { JsonObject } from '../store/store.ts';

export interface Limit {
  readonly limiter: RateLimiter;
  /** Requests in any 60 s; 0 for no limit. */
  readonly limit: number;
}

export interface MeDeps {
  readonly store: Pick<DocumentStore, 'get'>;
  readonly ref: ShowContext['ref'];
  /** The requests of an account by API keys. */
  readonly byKeys: Limit;
  /** The requests of a user by console sessions. */
  readonly bySessions: Limit;
  /** Version of the daemon. */
  readonly version: string;
}

/** Shows the caller. Raises Problem. */
export async function showMe(deps: MeDeps, { principal, baseUrl }: StandaloneCall): Promise<JsonObject> {
  const { ref, version } = deps;
  const { owner, role, key, session, address } = principal;
  return {
    uri: `${baseUrl}/me`,
    ...(await namesOf(deps, principal)),
    ...{ role, address, version },
    api_key: key === owner ? null : ref(key),
    session: session === undefined ? null : shownSession(session, baseUrl),
    rate_limit: await rateLimitOf(deps, principal),
  };
}

/** Shows the account and the user of a caller. Raises Problem if the user was deleted a moment ago. */
export async function namesOf(
  deps: Pick<MeDeps, 'store' | 'ref'>,
  { account, owner }: Pick<Principal, 'account' | 'owner'>,
): Promise<JsonObject> {
  const [own, user] = await Promise.all([deps.store.get(account), shownUser(deps, owner)]);
  return { account: { id: account, name: own?.kind === 'account' ? own.body.name : '' }, user };
}

async function shownUser({ store, ref }: Pick<MeDeps, 'store' | 'ref'>, id: string): Promise<JsonObject> {
  const document = await store.get(id);
  switch (document?.kind) {
    case 'user':
      return { ...ref(id), name: document.body.name, email: document.body.email };
    case 'bot_user':
      return { ...ref(id), name: document.body.name, email: '' };
    default:
      throw new Problem('apiKeyOwnerInactive');
  }
}

function shownSession({ id, expiresAt }: SessionFacts, baseUrl: string): JsonObject {
  return { id, uri: `${baseUrl}/console/sessions/${id}`, expires_at: formatTime(new Date(expiresAt)) };
}

async function rateLimitOf(
  { byKeys, bySessions }: MeDeps,
  { account, owner, session }: Principal,
): Promise<JsonObject> {
  const isOfConsole = session !== undefined;
  const { limiter, limit } = isOfConsole ? bySessions : byKeys;
  const used = limit === 0 ? 0 : await limiter.used(isOfConsole ? owner : account);
  return {
    limit,
    remaining: limit === 0 ? null : Math.max(0, limit - used),
    scope: isOfConsole ? 'console' : 'account',
  };
}

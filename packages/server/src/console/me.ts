/** Runs `GET /me`. */
import type { RateLimiter } from '../core/limits/rate-limiter.ts';
import type { DocumentStore } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import type { Principal, ShowContext } from '../resources/definition.ts';
import type { StandaloneCall } from '../resources/standalone/definition.ts';
import type { JsonObject } from '../store/store.ts';

export interface MeDeps {
  readonly store: Pick<DocumentStore, 'get'>;
  readonly ref: ShowContext['ref'];
  readonly limiter: RateLimiter;
  /** Requests of an account in any 60 s; 0 for no limit. */
  readonly limit: number;
  /** Version of the daemon. */
  readonly version: string;
}

/** Shows the caller. Raises Problem. */
export async function showMe(deps: MeDeps, { principal, baseUrl }: StandaloneCall): Promise<JsonObject> {
  const { store, ref, version } = deps;
  const { account, owner, role, key, address } = principal;
  const [own, user] = await Promise.all([store.get(account), shownUser(deps, owner)]);
  return {
    uri: `${baseUrl}/me`,
    account: { id: account, name: own?.kind === 'account' ? own.body.name : '' },
    ...{ user, role, address, version },
    api_key: ref(key),
    session: null,
    rate_limit: await rateLimitOf(deps, principal),
  };
}

/** Raises Problem if the user was deleted a moment ago. */
async function shownUser({ store, ref }: MeDeps, id: string): Promise<JsonObject> {
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

async function rateLimitOf({ limiter, limit }: MeDeps, { account }: Principal): Promise<JsonObject> {
  const remaining = limit === 0 ? null : Math.max(0, limit - (await limiter.used(account)));
  return { limit, remaining, scope: 'account' };
}

/** Runs the operations about the console. */
import type { ConsoleStore } from '../access/console-children.ts';
import { createConsoleLink, signInUrl } from '../access/console-links.ts';
import { type ConsoleSessions, isOver } from '../access/console-sessions.ts';
import { createdAt } from '../core/id.ts';
import { formatTime } from '../core/time-text.ts';
import type { StoredDocument } from '../documents/index.ts';
import { Problem } from '../errors/problem.ts';
import type { Principal, ShowContext } from '../resources/definition.ts';
import type { StandaloneCall, StandaloneRuns } from '../resources/standalone/definition.ts';
import type { JsonObject } from '../store/store.ts';

type Session = StoredDocument<'console_session'>;

export interface ConsoleRunsDeps {
  readonly store: ConsoleStore;
  readonly sessions: Pick<ConsoleSessions, 'end'>;
  readonly ref: ShowContext['ref'];
  /** Base of the URL that signs in. */
  readonly pagesUrl: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const MOST = 100;

/** Returns what runs the operations. */
export function consoleOperations(deps: ConsoleRunsDeps): StandaloneRuns {
  return {
    console_link_create: (call) => createLink(deps, call),
    console_sessions_list: (call) => listSessions(deps, call),
    console_sessions_delete: (call) => endSession(deps, call),
  };
}

async function createLink(
  { store, pagesUrl, now }: ConsoleRunsDeps,
  { principal: { account, key } }: StandaloneCall,
): Promise<JsonObject> {
  const { token, expiresAt } = await createConsoleLink(store, { account, parent: key }, now());
  return { url: signInUrl(pagesUrl, token), expires_at: textOf(expiresAt) };
}

async function listSessions(deps: ConsoleRunsDeps, call: StandaloneCall): Promise<JsonObject> {
  const { query, baseUrl, principal } = call;
  const limit = Number(query.limit ?? MOST);
  const found: Session[] = [];
  for await (const session of sessionsOf(deps, principal, String(query.before_id ?? ''))) {
    found.push(session);
    if (found.length > limit) break;
  }
  const page = found.slice(0, limit);
  const uri = `${baseUrl}/console/sessions`;
  const last = page.at(-1)?.id ?? '';
  return {
    console_sessions: page.map((session) => shown(deps, session, call)),
    uri,
    next_page_uri: found.length > limit ? `${uri}?before_id=${last}&limit=${limit}` : null,
  };
}

/** Ends a session. Sessions of others answer members like an unknown id. Raises Problem. */
async function endSession(
  { store, sessions, now }: ConsoleRunsDeps,
  { principal, path: { id = '' } }: StandaloneCall,
): Promise<null> {
  const session = await store.get(id);
  const isThere = session?.kind === 'console_session' && isVisible(session, principal);
  if (!isThere || isOver(session.body, now())) throw new Problem('resourceNotFound');
  await sessions.end(id, principal);
  return null;
}

/** Lists what the caller may see and what is not over, newest first. */
async function* sessionsOf(
  { store, now }: ConsoleRunsDeps,
  principal: Principal,
  before: string,
): AsyncGenerator<Session> {
  const { account } = principal;
  for (let last = before; ; ) {
    const found = await store.page({
      ...{ account, kind: 'console_session', limit: MOST },
      ...(last === '' ? {} : { before: last }),
    });
    for (const session of found)
      if (isVisible(session, principal) && !isOver(session.body, now())) yield session;
    if (found.length < MOST) return;
    last = found.at(-1)?.id ?? '';
  }
}

function isVisible({ account, body }: Session, principal: Principal): boolean {
  if (account !== principal.account) return false;
  return principal.role === 'admin' || body.owner_id === principal.owner;
}

function shown({ ref }: ConsoleRunsDeps, { id, parent, body }: Session, call: StandaloneCall): JsonObject {
  return {
    ...{ id, uri: `${call.baseUrl}/console/sessions/${id}`, owner_id: body.owner_id },
    api_key: parent?.startsWith('ak_') === true ? ref(parent) : null,
    created_at: formatTime(createdAt(id)),
    expires_at: textOf(body.expires_at),
    last_used_at: textOf(body.seen_at),
    ...{ address: body.address, last_address: body.seen_from, user_agent: body.user_agent },
    is_current: call.principal.session?.id === id,
  };
}

/** `at`: milliseconds since 1970. */
function textOf(at: number): string {
  return formatTime(new Date(at));
}

/**
 * Lists and ends logins of visitors.
 * Invariant: a login is ended on every reachable daemon before the response.
 */
import { createdAt } from '../../core/id.ts';
import { formatTime } from '../../core/time-text.ts';
import type { DocumentStore } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { type LoginBody, loginBody } from '../../login/listed-login.ts';
import type { LoginRecords } from '../../login/records.ts';
import { actorOf, changeOperations } from '../../resources/change-entry.ts';
import type { QueryValues, StandaloneCall } from '../../resources/standalone/definition.ts';
import type { JsonObject, Note } from '../../store/store.ts';
import { pageUri } from '../list-page.ts';

export interface VisitorLoginsOptions {
  readonly store: Pick<DocumentStore, 'notes' | 'notesAt'>;
  readonly records: Pick<LoginRecords, 'isEnded' | 'endListed'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Logins in one read, and in one request, at most. */
const PART = 200;
const MOST_READ = 4_000;

export async function listVisitorLogins(
  options: VisitorLoginsOptions,
  { principal: { account }, query, baseUrl }: StandaloneCall,
): Promise<JsonObject> {
  const limit = Number(query.limit);
  const matches = matcherOf(query);
  const found: Note[] = [];
  let before = typeof query.before_id === 'string' ? query.before_id : undefined;
  let isEnd = false;
  for (let read = 0; !isEnd && found.length <= limit && read < MOST_READ; read += PART) {
    const page = { kind: 'visit', account, limit: PART } as const;
    const notes = await options.store.notes(before === undefined ? page : { ...page, before });
    for (const note of notes) {
      const body = loginBody(note.body);
      if (found.length <= limit && matches(body) && isLasting(options, body)) found.push(note);
    }
    isEnd = notes.length < PART;
    before = notes.at(-1)?.key ?? before;
  }
  const shown = found.slice(0, limit);
  const next = found.length > limit ? shown.at(-1)?.key : isEnd ? undefined : before;
  return {
    visitor_logins: shown.map(showLogin),
    uri: pageUri(baseUrl, '/visitor_logins', query),
    next_page_uri:
      next === undefined ? null : pageUri(baseUrl, '/visitor_logins', { ...query, before_id: next }),
  };
}

/** Raises Problem. */
export async function endVisitorLogin(
  options: VisitorLoginsOptions,
  { principal, path }: StandaloneCall,
): Promise<null> {
  const { store, records } = options;
  const { account } = principal;
  const id = path.id ?? '';
  const [note] = await store.notesAt('visit', account, [id]);
  const body = note === undefined ? null : loginBody(note.body);
  if (body === null || !isLasting(options, body)) throw new Problem('resourceNotFound');
  const { session, ends_at, user, hostname } = body;
  await records.endListed(account, { id, session, ends_at }, (newId) =>
    changeOperations(newId, {
      ...{ account, actor: actorOf(principal), operation: principal.operation ?? '' },
      ...{
        operationId: principal.operationId ?? '',
        kind: 'visitor_login',
        id,
        parent: '',
        action: 'deleted',
      },
      fields: [
        { field: 'user_id', old: user.id, new: null },
        { field: 'hostname', old: hostname, new: null },
      ],
    }),
  );
  return null;
}

function isLasting(
  { records, now }: Pick<VisitorLoginsOptions, 'records' | 'now'>,
  { session, handles, begun_at, ends_at }: LoginBody,
): boolean {
  const isEnded = records.isEnded(session, 0) || handles.some((handle) => records.isEnded(handle, begun_at));
  return !isEnded && now() < ends_at;
}

function matcherOf({ user, hostname, resource_id }: QueryValues): (body: LoginBody) => boolean {
  return (body) =>
    (user === undefined || body.user.id === user || body.user.email === user) &&
    (hostname === undefined || body.hostname === hostname) &&
    (resource_id === undefined || body.at === resource_id);
}

function showLogin({ key, body: stored }: Note): JsonObject {
  const { user, module, provider, at, hostname, ends_at, address } = loginBody(stored);
  return {
    ...{ id: key, created_at: formatTime(createdAt(key)), ends_at: formatTime(new Date(ends_at)) },
    ...{ user_id: user.id, email: user.email, name: user.name },
    ...{ module, provider, hostname, resource_id: at, address },
  };
}

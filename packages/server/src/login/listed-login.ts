/**
 * Logins of visitors in the list of their account. Sessions are in cookies only, so each login leaves a note, which
 * stays until the latest end of the session.
 * Invariant: an account has a bounded number of notes.
 */
import type { JsonObject, WriteOperation } from '../store/store.ts';
import type { LoginUser, Session } from './session.ts';

export const LOGIN_PREFIX = 'vl';
/** Logins of an account in the list, apart from some that wait to be removed: the newest. */
export const MOST_LOGINS = 20_000;
/** One of so many logins removes those of its account beyond the limit. */
const TRIM_EVERY = 500;

/** Body of a note. Times are milliseconds since 1970. */
export type LoginBody = {
  /** The id in the cookie, by which it is ended. */
  readonly session: string;
  readonly handles: readonly string[];
  readonly user: Pick<LoginUser, 'id' | 'email' | 'name'>;
  readonly module: string;
  /** The issuer, or the name of the provider. */
  readonly provider: string;
  /** Id of the resource with the module. */
  readonly at: string;
  readonly hostname: string;
  readonly begun_at: number;
  readonly ends_at: number;
  /** Source address of the login. */
  readonly address: string;
};

export interface ListedLogin {
  readonly account: string;
  readonly session: Pick<Session, 'id' | 'handles' | 'user' | 'begunAt' | 'endsAt'>;
  readonly of: Pick<LoginBody, 'module' | 'provider' | 'at' | 'hostname' | 'address'>;
}

/** A login that is ended. */
export interface ListedEnd extends Pick<LoginBody, 'session' | 'ends_at'> {
  /** Id in the list. */
  readonly id: string;
}

/** Characters of a text of the provider. */
const LONGEST = 500;

/** Returns the operations that list a login. */
export function listingOf(
  newId: (prefix: string) => string,
  { account, session, of }: ListedLogin,
): readonly WriteOperation[] {
  const { id, email, name } = session.user;
  const user = { id: short(id), email: short(email), name: short(name) };
  const times = { begun_at: session.begunAt, ends_at: session.endsAt };
  const body: LoginBody = { session: session.id, handles: session.handles, user, ...of, ...times };
  const note: WriteOperation = {
    ...{ op: 'note', kind: 'visit', account, key: newId(LOGIN_PREFIX), at: session.endsAt },
    ...{ text: JSON.stringify(body), needsDocument: false },
  };
  if (Math.random() * TRIM_EVERY >= 1) return [note];
  return [note, { op: 'trim', kind: 'visit', account, keep: MOST_LOGINS, most: 2 * TRIM_EVERY }];
}

/** Returns the body of a note of the kind `visit`. */
export function loginBody(body: JsonObject): LoginBody {
  return body as LoginBody;
}

function short(text: string): string {
  return text.slice(0, LONGEST).toWellFormed();
}

/** The session of the browser: begun with a link or an API key, and over at sign-out. */
import { effect, signal } from '@preact/signals';
import { replace } from '../router.ts';
import { forgetAll } from './cache.ts';
import { ApiError, csrf, refusals, send } from './http.ts';

export interface Session {
  /** Name or e-mail address of the user; '' for none. */
  readonly user: string;
  readonly role: 'admin' | 'member' | 'viewer';
  readonly account: string;
}

/** `unknown`: the request for it is under way; null: there is none. */
export const session = signal<Session | null | 'unknown'>('unknown');

/** True if the user may change something. The API checks it again. */
export function mayWrite(): boolean {
  const { value } = session;
  return value !== null && value !== 'unknown' && value.role !== 'viewer';
}

const PATH = '/ui/session';

/** Reason why the link of the address did not sign in; '' for none. */
export const refusedLink = signal('');

/** Token of a link of another user than that of the session, until the user has decided; '' for none. */
export const otherLink = signal('');

/** Resumes the session of the cookie, or uses the token in the address. Never rejects. */
export async function startSession(): Promise<void> {
  effect(() => {
    if (refusals.value > 0) session.value = null;
  });
  const token = takeToken();
  try {
    if (token !== '') await signIn({ token });
    else await resume();
  } catch (error) {
    session.value = null;
    const isOther = token !== '' && error instanceof ApiError && error.status === 409;
    if (isOther) otherLink.value = token;
    else if (token !== '') refusedLink.value = error instanceof Error ? error.message : String(error);
  }
}

/** Uses the link of another user, or stays with the session of the browser. Never rejects. */
export async function decideLink(choice: 'use' | 'stay'): Promise<void> {
  const token = otherLink.value;
  otherLink.value = '';
  try {
    if (choice === 'use') await signIn({ token, replace: true });
    else await resume();
  } catch (error) {
    refusedLink.value = error instanceof Error ? error.message : String(error);
  }
}

type Proof = { readonly token: string; readonly replace?: true } | { readonly api_key: string };

/** Rejects with ApiError. */
export async function signIn(proof: Proof): Promise<void> {
  csrf.value = '';
  enter((await send<SessionReply>({ method: 'POST', path: PATH, body: proof })).data);
}

export async function signOut(): Promise<void> {
  await send({ method: 'DELETE', path: PATH });
  csrf.value = '';
  session.value = null;
  forgetAll();
}

interface SessionReply {
  readonly csrf_token?: string;
  readonly user?: { readonly name?: string; readonly email?: string } | null;
  readonly role?: Session['role'];
  readonly account?: { readonly name?: string } | null;
}

async function resume(): Promise<void> {
  enter((await send<SessionReply>({ method: 'GET', path: PATH })).data);
}

function enter({ csrf_token = '', user, role = 'admin', account }: SessionReply): void {
  csrf.value = csrf_token;
  session.value = { user: user?.name || user?.email || '', role, account: account?.name ?? '' };
}

/** The token after the # of a sign-in link. It leaves the address and the history at once. '' for none. */
function takeToken(): string {
  if (!location.pathname.endsWith('/sign-in')) return '';
  const token = location.hash.slice(1);
  replace('');
  return token;
}

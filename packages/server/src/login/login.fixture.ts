/** The machinery of logins on a store of its own, with a clock that a test moves. */
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import { defaultUserHeaders } from '../core/modules/user-headers.ts';
import type { Hostname } from '../core/names/hostname.ts';
import type { Profile } from '../core/profile.ts';
import type { DocumentStore } from '../documents/index.ts';
import { documentsIn } from '../documents/store.ts';
import { Sealer } from '../pki/seal.ts';
import { openOnSqlite } from '../store/sqlite/open.fixture.ts';
import { type Login, startLogin } from './login.ts';

export interface TestLogin {
  readonly login: Login;
  readonly store: DocumentStore;
  readonly clock: { now: number };
  /** Log lines as objects. */
  readonly logged: Record<string, unknown>[];
}

/** Names of a profile. */
export type TestNames = Partial<Pick<Profile, 'cookiePrefix' | 'userHeaders'>>;

export async function startTestLogin(t: TestContext, names: TestNames = {}): Promise<TestLogin> {
  const { cookiePrefix = '', userHeaders = defaultUserHeaders } = names;
  const opened = await openOnSqlite();
  const store = documentsIn(opened.store);
  const clock = { now: Date.parse('2026-01-01') };
  const logged: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const login = await startLogin({
    store,
    sealer: new Sealer(randomBytes(32)),
    settings: {
      domain: 'tunnels.example.com' as Hostname,
      publicPort: 443,
      oauthClients: new Map([['google', { clientId: 'of the operator', clientSecret: 's3cret' }]]),
      allowPrivate: [],
      userHeaders,
      profile: { cookiePrefix },
    },
    log,
    now: () => clock.now,
  });
  t.after(async () => {
    await login.records.stop();
    await opened.dispose();
  });
  return { login, store, clock, logged };
}

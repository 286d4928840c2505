/** The machinery of logins on a store of its own, with a clock that a test moves. */
import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';
import { pino } from 'pino';
import type { Hostname } from '../core/hostname.ts';
import { documentsIn } from '../documents/store.ts';
import { Sealer } from '../pki/seal.ts';
import { openOnDisk } from '../store/sqlite/open.fixture.ts';
import { type Login, startLogin } from './login.ts';

export interface TestLogin {
  readonly login: Login;
  readonly clock: { now: number };
  /** What was logged, as objects. */
  readonly logged: Record<string, unknown>[];
}

/** `cookiePrefix`: of a profile. */
export async function startTestLogin(t: TestContext, cookiePrefix?: string): Promise<TestLogin> {
  const opened = await openOnDisk();
  const clock = { now: Date.parse('2026-01-01') };
  const logged: Record<string, unknown>[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(JSON.parse(line)) });
  const words = { path: '', versionHeader: '', errorPrefix: '', operationIdHeader: '', errorCodeHeader: '' };
  const login = await startLogin({
    store: documentsIn(opened.store),
    sealer: new Sealer(randomBytes(32)),
    settings: {
      domain: 'tunnels.example.com' as Hostname,
      publicPort: 443,
      oauthClients: new Map([['google', { clientId: 'of the operator', clientSecret: 's3cret' }]]),

      allowPrivate: [],
      profile: cookiePrefix === undefined ? null : { ...words, cookiePrefix, words: [] },
    },
    log,
    now: () => clock.now,
  });
  t.after(async () => {
    await login.records.stop();
    await opened.dispose();
  });
  return { login, clock, logged };
}

/** Gates of a login module, with browsers and a fake provider. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { startTestLogin, type TestNames } from '../../../login/login.fixture.ts';
import type { LoginUser } from '../../../login/session.ts';
import type { Preview, RequestFacts, RequestVerdict } from '../../sites/site.ts';
import { loginParts } from '../login-parts.ts';
import { type Browser, refusalOf, type Sent } from './browser.fixture.ts';
import type { LoginConfig } from './config.ts';
import type { LoginMethod } from './method.ts';

export const ada: LoginUser = {
  id: 'ada',
  email: 'ada@example.com',
  isEmailVerified: true,
  name: 'Ada Löve',
  groups: ['staff', 'math'],
};
const config: LoginConfig = {
  options_passthrough: false,
  cookie_prefix: '',
  inactivity_timeout: 0,
  maximum_duration: 0,
  generation: '',
};

/** A provider whose user the test sets. */
export function provider(changes: Partial<LoginMethod> = {}): LoginMethod & { user: LoginUser } {
  const method: LoginMethod & { user: LoginUser } = {
    module: 'oidc',
    denial: 'loginNotAllowed',
    user: ada,
    begin: async ({ state }, isForced) => `https://idp.example.net/?state=${state}&forced=${isForced}`,
    finish: async () => ({ user: method.user, handles: ['idp-session'], token: 'a token' }),
    takesUnsolicited: false,
    refusalOf: (user) => (user.groups.includes('staff') ? null : 'not of the staff'),
    logoutUrl: async () => null,
    ...changes,
  };
  return method;
}

interface Options {
  readonly config?: Partial<LoginConfig>;
  readonly method?: LoginMethod & { user: LoginUser };
  readonly place?: string;
  readonly issuedBy?: readonly string[];
}

/** A preview has no status for decisions of the provider. */
function assertTrue({ verdict, why }: Preview, real: RequestVerdict): void {
  assert.ok(why.endsWith('.'), why);
  if (verdict === null) assert.ok(real === null || why.includes('at the provider again'), why);
  else if (typeof verdict === 'string') assert.equal(real, verdict);
  else if (verdict.kind === 'refusal') assert.equal(refusalOf(real), verdict.error, why);
  else if (verdict.status === 0 || real === null || typeof real === 'string' || real.kind !== 'reply')
    assert.notEqual(real, null, why);
  else assert.equal(real.status, verdict.status, why);
}

export async function gates(t: TestContext, named?: TestNames) {
  const on = await startTestLogin(t, named);
  const gate = (options: Options = {}) => {
    const { method = provider(), place = 'edghtsrt_1', issuedBy = ['1'] } = options;
    const parts = loginParts({
      ...{ login: on.login, account: 'ac_1', method, place, issuedBy },
      config: { ...config, ...options.config },
    });
    const [guard] = parts.guards ?? [];
    assert.ok(guard?.reads === 'request');
    /** Checks a request after a preview, which must be true and have no effect. */
    const check = async (request: RequestFacts): Promise<RequestVerdict> => {
      const preview = await guard.preview(request);
      assert.deepEqual(await guard.preview(request), preview);
      const verdict = await guard.check(request);
      assertTrue(preview, verdict);
      return verdict;
    };
    const ask = (browser: Browser, target = '/', sent: Sent = {}) => check(browser.request(target, sent));
    /** Returns the fields that the backend gets besides the request's own, and the cookie of the response. */
    const passed = async (browser: Browser, request = browser.request('/')) => {
      assert.equal(await check(request), null);
      const removed = new Set(parts.requestEdits?.flatMap((edit) => [...edit.remove]));
      const sent = (parts.requestEdits ?? []).flatMap((edit) => [...edit.add(request, null)]);
      const answer = { status: 200, length: 0, isOwn: false, isReused: false, field: () => '' };
      const set = (parts.responseEdits ?? []).flatMap((edit) => [...edit.add(request, answer)]);
      browser.keep(set);
      return { removed, sent, set };
    };
    const logIn = async (browser: Browser, target = '/') => {
      const state = browser.sentTo(await ask(browser, target)).searchParams.get('state');
      return await ask(browser, `/underpass/callback?state=${state}`);
    };
    const isOver = (request: RequestFacts) => guard.isOver?.(request);
    const visitorOf = (request: RequestFacts) => guard.visitorOf?.(request);
    return { ask, check, passed, logIn, isOver, visitorOf, method };
  };
  return { ...on, gate };
}

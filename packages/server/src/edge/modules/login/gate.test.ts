import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { startTestLogin, type TestNames } from '../../../login/login.fixture.ts';
import { LoginFault } from '../../../login/login-fault.ts';
import type { LoginUser } from '../../../login/session.ts';
import type { RequestFacts, RequestVerdict } from '../../sites/site.ts';
import { loginParts } from '../login-parts.ts';
import { Browser, refusalOf, type Sent } from './browser.fixture.ts';
import type { LoginConfig } from './config.ts';
import type { Identity, LoginMethod } from './method.ts';

const ada: LoginUser = { id: 'ada', email: 'ada@example.com', name: 'Ada Löve', groups: ['staff', 'math'] };
const config: LoginConfig = {
  options_passthrough: false,
  cookie_prefix: '',
  inactivity_timeout: 0,
  maximum_duration: 0,
  generation: '',
};

/** A provider that vouches for whoever the test says. */
function provider(changes: Partial<LoginMethod> = {}): LoginMethod & { user: LoginUser } {
  const method: LoginMethod & { user: LoginUser } = {
    module: 'oidc',
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

async function gates(t: TestContext, named?: TestNames) {
  const on = await startTestLogin(t, named);
  const gate = (options: Options = {}) => {
    const { method = provider(), place = 'edghtsrt_1', issuedBy = ['1'] } = options;
    const parts = loginParts({
      ...{ login: on.login, method, place, issuedBy },
      config: { ...config, ...options.config },
    });
    const [guard] = parts.guards ?? [];
    assert.ok(guard?.reads === 'request');
    const check = async (request: RequestFacts): Promise<RequestVerdict> => await guard.check(request);
    const ask = (browser: Browser, target = '/', sent: Sent = {}) => check(browser.request(target, sent));
    /** What the backend is sent beside what came, and the cookie that the answer sets. */
    const passed = async (browser: Browser, request = browser.request('/')) => {
      assert.equal(await check(request), null);
      const removed = new Set(parts.requestEdits?.flatMap((edit) => [...edit.remove]));
      const sent = (parts.requestEdits ?? []).flatMap((edit) => [...edit.add(request, null)]);
      const answer = { status: 200, length: 0, field: () => '' };
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

test('who has logged in is served at the page that was wanted, and the backend reads who it is', async (t) => {
  const { gate } = await gates(t);
  const { logIn, passed } = gate();
  const browser = new Browser();
  const to = browser.sentTo(await logIn(browser, '/a//b?c=%20d'));
  assert.equal(to.href, 'https://app.example.com/a//b?c=%20d');
  const { sent, set } = await passed(browser);
  assert.deepEqual(sent, [
    ['underpass-auth-user-id', 'ada'],
    ['underpass-auth-user-email', 'ada@example.com'],
    ['underpass-auth-user-name', 'Ada Löve'],
    ['underpass-auth-user-groups', 'staff,math'],
  ]);
  assert.deepEqual(set, [], 'without an inactivity timeout the cookie stays as it is');
});

test('the record has who was let in, and who was not', async (t) => {
  const { gate } = await gates(t);
  const visitorOf = async (of: ReturnType<typeof gate>, browser: Browser) => {
    const request = browser.request('/');
    await of.check(request);
    return of.visitorOf(request);
  };
  const allowing = gate({ method: provider({ clientId: 'app' }) });
  const browser = new Browser();
  assert.deepEqual(await visitorOf(allowing, browser), { id: '', name: '', clientId: 'app' });
  browser.answered(await allowing.logIn(browser));
  const user = { id: 'ada', name: 'Ada Löve' };
  assert.deepEqual(await visitorOf(allowing, browser), { ...user, clientId: 'app' });
  const refusing = gate({ method: provider({ refusalOf: () => 'not on the list' }) });
  assert.equal(refusalOf(await refusing.ask(browser)), 'loginNotAllowed');
  assert.deepEqual(await visitorOf(refusing, browser), { ...user, clientId: '' });
});

test('cookies are for HTTPS, for one name and for no script, and none of them goes to the backend', async (t) => {
  const { gate } = await gates(t);
  const { ask, logIn, passed } = gate();
  const browser = new Browser();
  const { headers } = browser.answered(await ask(browser));
  const cookies = [...headers, ...browser.answered(await logIn(browser)).headers].filter(
    ([name]) => name === 'set-cookie',
  );
  assert.equal(cookies.length, 2);
  for (const [, value] of cookies)
    assert.match(
      value,
      /^__Host-underpass\.\w+=[\w-]+; Path=\/; Max-Age=\d+; Secure; HttpOnly; SameSite=Lax$/,
    );
  assert.deepEqual([...browser.cookies.keys()], ['__Host-underpass.nonce', '__Host-underpass.session']);
  browser.cookies.set('theme', 'dark');
  const { removed, sent } = await passed(browser);
  assert.ok(removed.has('cookie'));
  assert.deepEqual(
    sent.filter(([name]) => name === 'cookie'),
    [['cookie', 'theme=dark']],
  );
});

test('names of cookies follow the module, else the profile', async (t) => {
  const { gate } = await gates(t, { cookiePrefix: 'acme.' });
  const names = async (prefix: string) => {
    const browser = new Browser();
    await gate({ config: { cookie_prefix: prefix } })
      .ask(browser)
      .then((verdict) => browser.answered(verdict));
    return [...browser.cookies.keys()];
  };
  assert.deepEqual(await names(''), ['acme.nonce']);
  assert.deepEqual(await names('shop.'), ['shop.nonce']);
});

test('no name of a group reads as two groups', async (t) => {
  const { gate } = await gates(t);
  const groups = ['staff', 'CN=guests,OU=50%,staff'];
  const { logIn, passed } = gate({ method: Object.assign(provider(), { user: { ...ada, groups } }) });
  const browser = new Browser();
  browser.sentTo(await logIn(browser));
  const { sent } = await passed(browser);
  assert.equal(new Map(sent).get('underpass-auth-user-groups'), 'staff,CN=guests%2COU=50%25%2Cstaff');
});

test('the backend reads users by the names of the profile', async (t) => {
  const userHeaders = { id: 'acme-id', email: 'acme-mail', name: 'acme-name', groups: 'acme-teams' };
  const { gate } = await gates(t, { userHeaders });
  const { logIn, passed } = gate();
  const browser = new Browser();
  browser.sentTo(await logIn(browser));
  const { sent } = await passed(browser);
  assert.deepEqual(sent, [
    ['acme-id', 'ada'],
    ['acme-mail', 'ada@example.com'],
    ['acme-name', 'Ada Löve'],
    ['acme-teams', 'staff,math'],
  ]);
});

test('only who waits for a page is sent to log in; all else is told to', async (t) => {
  const { gate } = await gates(t);
  const { ask } = gate();
  const isSent = async (sent: Sent) => {
    const verdict = await ask(new Browser(), '/', sent);
    if (typeof verdict === 'object' && verdict?.kind === 'reply') return true;
    assert.equal(refusalOf(verdict), 'loginNeeded');
    return false;
  };
  assert.equal(await isSent({ method: 'HEAD' }), true);
  assert.equal(await isSent({ headers: { accept: 'text/html' } }), true);
  assert.equal(await isSent({ method: 'POST' }), false);
  assert.equal(await isSent({ headers: { accept: '*/*' } }), false);
  assert.equal(await isSent({ headers: { accept: 'text/html', 'sec-fetch-mode': 'cors' } }), false);
  assert.equal(await isSent({ headers: { accept: 'text/html', 'sec-fetch-mode': 'websocket' } }), false);
  assert.equal(await isSent({ method: 'OPTIONS' }), false);
});

test('OPTIONS passes where it may, and nothing that only says it is OPTIONS', async (t) => {
  const { gate } = await gates(t);
  const { ask } = gate({ config: { options_passthrough: true } });
  const headers = { 'x-http-method-override': 'OPTIONS' };
  assert.equal(await ask(new Browser(), '/', { method: 'OPTIONS' }), null);
  const callback = await ask(new Browser(), '/underpass/callback?code=c', { method: 'OPTIONS' });
  assert.equal(refusalOf(callback), 'loginUnfinished', 'a path that no backend sees');
  assert.equal(refusalOf(await ask(new Browser(), '/', { method: 'DELETE', headers })), 'loginNeeded');
});

test('a login is good in the browser that began it, for half an hour, once', async (t) => {
  const { gate, clock, logged } = await gates(t);
  const { ask } = gate();
  const browser = new Browser();
  const state = browser.sentTo(await ask(browser)).searchParams.get('state');
  const callback = `/underpass/callback?state=${state}`;
  const checks = () => logged.splice(0).flatMap(({ check }) => check ?? []);
  const other = new Browser();
  await ask(other).then((verdict) => other.answered(verdict));
  for (const stranger of [other, new Browser()])
    assert.equal(refusalOf(await ask(stranger, callback)), 'loginUnfinished');
  assert.deepEqual(checks(), ['browser', 'browser']);
  for (const wrong of ['', `${state}A`, 'x'])
    assert.equal(refusalOf(await ask(browser, `/underpass/callback?state=${wrong}`)), 'loginUnfinished');
  assert.deepEqual(checks(), ['state', 'state', 'state']);
  clock.now += 30 * 60_000;
  assert.equal(refusalOf(await ask(browser, callback)), 'loginUnfinished');
  assert.deepEqual(checks(), ['time']);
  clock.now -= 1;
  browser.answered(await ask(browser, callback));
  assert.equal(refusalOf(await ask(browser, callback)), 'loginUsed');
  assert.deepEqual(checks(), ['replay']);
});

test('P5: neither a session nor a login is good for another route or for another generation of the module', async (t) => {
  const { gate } = await gates(t);
  const first = gate();
  const browser = new Browser();
  browser.answered(await first.logIn(browser));
  assert.equal(await first.ask(browser), null);
  for (const options of [
    { place: 'edghtsrt_2' },
    { issuedBy: ['2'] },
    { config: { generation: 'of a module that is new' } },
    { method: provider({ module: 'oauth' }) },
  ]) {
    const other = gate(options);
    const state = browser.sentTo(await other.ask(browser)).searchParams.get('state');
    assert.equal(
      refusalOf(await first.ask(browser, `/underpass/callback?state=${state}`)),
      'loginUnfinished',
    );
  }
});

test('who may come in is asked for each request: a session of somebody who no longer may is refused', async (t) => {
  const { gate, logged } = await gates(t);
  const browser = new Browser();
  browser.answered(await gate().logIn(browser));
  const refused = gate({ method: provider({ refusalOf: () => 'not on the list' }) });
  assert.equal(refusalOf(await refused.ask(browser)), 'loginNotAllowed');
  assert.equal(refusalOf(await refused.logIn(new Browser())), 'loginNotAllowed');
  const { check, reason, request, at } = logged.at(-1) ?? {};
  assert.deepEqual({ check, reason, at }, { check: 'user', reason: 'not on the list', at: 'edghtsrt_1' });
  assert.match(String(request), /^[0-9a-f-]{36}$/);
});

test('a session is over when the provider says so, and when who has vouched for it may no longer', async (t) => {
  const { gate, clock } = await gates(t);
  const until = clock.now + 5_000;
  const finish = async () => ({ user: ada, handles: ['key 1'], token: '', until });
  const { ask, logIn, passed } = gate({ method: provider({ finish }) });
  const browser = new Browser();
  browser.answered(await logIn(browser));
  const other = gate({ method: provider({ vouchesStill: ({ handles }) => handles.includes('key 2') }) });
  browser.sentTo(await other.ask(browser));
  clock.now = until - 1;
  await passed(browser);
  clock.now = until;
  browser.sentTo(await ask(browser));
});

test('a session ends after its time, and without a request for as long as it may be without one', async (t) => {
  const { gate, clock } = await gates(t);
  const { logIn, passed, ask } = gate({ config: { inactivity_timeout: 10, maximum_duration: 25 } });
  const browser = new Browser();
  browser.answered(await logIn(browser));
  clock.now += 9_999;
  const { set } = await passed(browser);
  assert.match(set[0]?.[1] ?? '', /^__Host-underpass\.session=.*Max-Age=16;/);
  clock.now += 9_999;
  // Another daemon knows no more than the cookie.
  const other = gate({ config: { inactivity_timeout: 10, maximum_duration: 25 } });
  await other.passed(browser);
  clock.now += 5_002;
  browser.sentTo(await ask(browser));
  browser.answered(await logIn(browser));
  clock.now += 10_000;
  browser.sentTo(await ask(browser));
});

test('a slow answer does not put back when a session was last used', async (t) => {
  const { gate, clock } = await gates(t);
  const { logIn, passed, check } = gate({ config: { inactivity_timeout: 10 } });
  const browser = new Browser();
  browser.answered(await logIn(browser));
  clock.now += 1000;
  const slow = browser.request('/slow');
  assert.equal(await check(slow), null);
  clock.now += 8000;
  await passed(browser);
  clock.now += 8000;
  await passed(browser, browser.request('/'));
});

test('who logs out is out on every daemon, also with a cookie that was kept', async (t) => {
  const { gate } = await gates(t);
  const { logIn, ask } = gate();
  const browser = new Browser();
  browser.answered(await logIn(browser));
  const stolen = new Browser();
  for (const [name, value] of browser.cookies) stolen.cookies.set(name, value);
  assert.equal(browser.answered(await ask(browser, '/underpass/logout')).status, 200);
  assert.equal(browser.cookies.has('__Host-underpass.session'), false);
  stolen.sentTo(await gate().ask(stolen));
});

test('who logs out is led to the provider to end the session there, and is out here whatever the provider says', async (t) => {
  const { gate, logged } = await gates(t);
  const logoutUrl: LoginMethod['logoutUrl'] = async ({ token }, host) =>
    `https://idp.example.net/end?of=${token}&to=${host}`;
  const leading = gate({ method: provider({ logoutUrl }) });
  const browser = new Browser();
  browser.answered(await leading.logIn(browser));
  const to = browser.sentTo(await leading.ask(browser, '/underpass/logout'));
  assert.equal(to.href, 'https://idp.example.net/end?of=a%20token&to=app.example.com');
  assert.equal(browser.cookies.has('__Host-underpass.session'), false);
  assert.equal(browser.answered(await leading.ask(browser, '/underpass/logout?state=back')).status, 200);
  const failing = gate({
    method: provider({
      logoutUrl: () => Promise.reject(new LoginFault('loginProviderFailed', 'discovery', 'gone')),
    }),
  });
  browser.answered(await failing.logIn(browser));
  assert.equal(browser.answered(await failing.ask(browser, '/underpass/logout')).status, 200);
  browser.sentTo(await failing.ask(browser));
  assert.ok(logged.some(({ msg }) => msg === 'a provider was not told of a logout'));
});

test('a session ends, too, when the provider ends its own', async (t) => {
  const { gate, login, clock } = await gates(t);
  const { logIn, ask } = gate();
  const browser = new Browser();
  browser.answered(await logIn(browser));
  await login.records.end('idp-session', clock.now + 1000);
  browser.sentTo(await ask(browser));
  clock.now += 1;
  browser.answered(await logIn(browser));
  assert.equal(await ask(browser), null);
});

test('/underpass/login has somebody who is logged in log in anew', async (t) => {
  const { gate } = await gates(t);
  const { logIn, ask } = gate();
  const browser = new Browser();
  browser.answered(await logIn(browser));
  assert.equal(browser.sentTo(await ask(browser, '/underpass/login')).searchParams.get('forced'), 'true');
});

test('nobody is sent anywhere but to the name that was asked', async (t) => {
  const { gate } = await gates(t);
  const { logIn } = gate();
  for (const target of [
    '//evil.example/',
    '/\\evil.example',
    'https://app.example.com//evil.example',
    '/@evil',
  ]) {
    const browser = new Browser();
    assert.equal(browser.sentTo(await logIn(browser, target)).host, 'app.example.com', target);
  }
  const browser = new Browser();
  assert.equal(browser.sentTo(await logIn(browser, `/${'a'.repeat(5000)}`)).pathname, '/');
});

test('without TLS nobody logs in', async (t) => {
  const { gate } = await gates(t);
  assert.equal(refusalOf(await gate().ask(new Browser(), '/', { isPlain: true })), 'loginNeedsTls');
});

test('what does not fit into a cookie is left out, groups that come last first; who does not fit is refused', async (t) => {
  const { gate } = await gates(t);
  const groups = ['staff', ...Array.from({ length: 2000 }, (_, at) => `group-${at}`)];
  const { logIn, passed } = gate({ method: Object.assign(provider(), { user: { ...ada, groups } }) });
  const browser = new Browser();
  const [, cookie = ''] =
    browser.answered(await logIn(browser)).headers.find(([name]) => name === 'set-cookie') ?? [];
  assert.ok(cookie.length <= 4096 && cookie.length > 2000, String(cookie.length));
  const { sent } = await passed(browser);
  assert.match(sent.find(([name]) => name.endsWith('-groups'))?.[1] ?? '', /^staff,group-0,/);
  const endless = provider();
  endless.user = { ...ada, name: 'a'.repeat(5000) };
  assert.equal(refusalOf(await gate({ method: endless }).logIn(new Browser())), 'loginRefused');
});

test('the provider is asked again after a while, and a user whom it no longer knows has to log in', async (t) => {
  const { gate, clock } = await gates(t);
  let answer: Identity | null = null;
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return answer;
  };
  const { logIn, passed, ...on } = gate({ method: provider({ recheck: { seconds: 60, ask } }) });
  const browser = new Browser();
  browser.answered(await logIn(browser));
  clock.now += 59_999;
  await passed(browser);
  assert.equal(asked, 0);
  clock.now += 1;
  answer = { user: { ...ada, name: 'Countess' }, handles: [], token: '' };
  const { sent } = await passed(browser);
  assert.ok(sent.some(([, value]) => value === 'Countess'));
  await passed(browser);
  assert.equal(asked, 1, 'the cookie says when it was asked');
  clock.now += 60_000;
  answer = { ...answer, user: { ...ada, groups: [] } };
  assert.equal(refusalOf(await on.ask(browser)), 'loginNotAllowed');
  answer = null;
  browser.sentTo(await on.ask(browser));
});

test('what the visitor is told says nothing of what the operator reads', async (t) => {
  const { gate, logged } = await gates(t);
  const fault = new LoginFault('loginRefused', 'audience', 'the audience is "other"');
  const { logIn } = gate({ method: provider({ finish: () => Promise.reject(fault) }) });
  const verdict = await logIn(new Browser());
  assert.equal(refusalOf(verdict), 'loginRefused');
  assert.equal(JSON.stringify(verdict).includes('audience'), false);
  assert.equal(logged.at(-1)?.check, 'audience');
  const broken = gate({ method: provider({ finish: () => Promise.reject(new Error('a fault of ours')) }) });
  assert.equal(refusalOf(await broken.logIn(new Browser())), 'loginFailed');
});

test('one address cannot have the provider asked without end', async (t) => {
  const { gate, clock } = await gates(t);
  const { ask } = gate({
    method: provider({ finish: () => Promise.reject(new LoginFault('loginRefused', 'code', 'wrong')) }),
  });
  const browser = new Browser();
  const state = browser.sentTo(await ask(browser)).searchParams.get('state');
  const outcomes: string[] = [];
  for (let attempt = 0; attempt < 21; attempt += 1)
    outcomes.push(refusalOf(await ask(browser, `/underpass/callback?state=${state}`)));
  assert.deepEqual(new Set(outcomes.slice(0, 20)), new Set(['loginRefused']));
  assert.equal(outcomes[20], 'loginBusy');
  clock.now += 5000;
  assert.equal(refusalOf(await ask(browser, `/underpass/callback?state=${state}`)), 'loginRefused');
});

test('as many users as a company has log in from one address, and no more than that', async (t) => {
  const { gate, clock } = await gates(t);
  const { logIn } = gate();
  for (let user = 0; user < 200; user += 1) {
    const browser = new Browser();
    browser.sentTo(await logIn(browser));
  }
  assert.equal(refusalOf(await logIn(new Browser())), 'loginBusy');
  clock.now += 200;
  const next = new Browser();
  next.sentTo(await logIn(next));
});

test('one address cannot have requests to the provider signed without end', async (t) => {
  const { gate, clock } = await gates(t);
  const { ask } = gate();
  for (let begun = 0; begun < 500; begun += 1) new Browser().sentTo(await ask(new Browser()));
  assert.equal(refusalOf(await ask(new Browser())), 'loginBusy');
  clock.now += 20;
  new Browser().sentTo(await ask(new Browser()));
});

test('a login is finished at the name where it was begun', async (t) => {
  const { gate, logged } = await gates(t);
  const { ask } = gate();
  const browser = new Browser();
  const state = browser.sentTo(await ask(browser)).searchParams.get('state');
  const callback = `/underpass/callback?state=${state}`;
  const other = { host: 'other.example.com' };
  assert.equal(refusalOf(await ask(browser, callback, other)), 'loginUnfinished');
  assert.equal(logged.at(-1)?.check, 'host');
  browser.sentTo(await ask(browser, callback));
});

test('who logs out is out on a daemon whose clock is behind, too', async (t) => {
  const { gate, clock } = await gates(t);
  const { logIn, ask } = gate();
  const browser = new Browser();
  browser.sentTo(await logIn(browser));
  const kept = new Browser();
  for (const [name, value] of browser.cookies) kept.cookies.set(name, value);
  clock.now -= 1000;
  browser.answered(await ask(browser, '/underpass/logout'));
  kept.sentTo(await ask(kept));
});

test('R4: a request under way ends with its session, by its age or because it was ended, and not for want of others', async (t) => {
  const { gate, clock } = await gates(t);
  const limits = { inactivity_timeout: 10, maximum_duration: 60 };
  const { logIn, check, ask, isOver } = gate({ config: limits });
  const browser = new Browser();
  browser.answered(await logIn(browser));
  const stream = browser.request('/stream');
  assert.equal(await check(stream), null);
  clock.now += 59_999;
  assert.equal(isOver(stream), false);
  clock.now += 1;
  assert.equal(isOver(stream), true);
  browser.answered(await logIn(browser));
  const other = browser.request('/stream');
  assert.equal(await check(other), null);
  assert.equal(isOver(other), false);
  await ask(browser, '/underpass/logout');
  assert.equal(isOver(other), true);
  assert.equal(isOver(browser.request('/')), false, 'nobody was let in by it');
});

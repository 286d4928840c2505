/** Sessions: their lifetime, and their place. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoginFault } from '../../../login/login-fault.ts';
import { Browser, refusalOf } from './browser.fixture.ts';
import { ada, gates, provider } from './gate.fixture.ts';
import type { Identity, LoginMethod } from './method.ts';

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

test('permission is checked for each request: a session of a user without it is refused', async (t) => {
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
  assert.ok(logged.some(({ msg }) => msg === 'a provider was not notified of a logout'));
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

test('/underpass/login makes a user with a session log in again', async (t) => {
  const { gate } = await gates(t);
  const { logIn, ask } = gate();
  const browser = new Browser();
  browser.answered(await logIn(browser));
  assert.equal(browser.sentTo(await ask(browser, '/underpass/login')).searchParams.get('forced'), 'true');
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

test('V9: a clock that is put back by a day brings no session back, for new requests and for those under way', async (t) => {
  const { gate, clock } = await gates(t);
  let asked = 0;
  const ask = async () => {
    asked += 1;
    return null;
  };
  const recheck = { seconds: 60, ask };
  const on = gate({ config: { maximum_duration: 60 }, method: provider({ recheck }) });
  const browser = new Browser();
  browser.answered(await on.logIn(browser));
  const stream = browser.request('/stream');
  assert.equal(await on.check(stream), null);
  clock.now += 60_000;
  browser.sentTo(await on.ask(browser));
  clock.now -= 86_400_000;
  browser.sentTo(await on.ask(browser));
  assert.equal(on.isOver(stream), true);
  assert.equal(asked, 0);
});

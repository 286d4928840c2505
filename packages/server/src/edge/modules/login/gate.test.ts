import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LoginFault } from '../../../login/login-fault.ts';
import type { Refusal } from '../../sites/site.ts';
import { Browser, refusalOf, type Sent } from './browser.fixture.ts';
import { ada, gates, provider } from './gate.fixture.ts';

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

test('a GET or HEAD is redirected to log in unless Fetch Metadata denies that it is a navigation', async (t) => {
  const { gate } = await gates(t);
  const { ask } = gate();
  const isSent = async (sent: Sent) => {
    const verdict = await ask(new Browser(), '/', sent);
    if (typeof verdict === 'object' && verdict?.kind === 'reply') return true;
    assert.equal(refusalOf(verdict), 'loginNeeded');
    return false;
  };
  const get = (headers: Record<string, string>) => isSent({ headers });
  const fetched = (mode: string, destination: string) =>
    get({ accept: 'text/html', 'sec-fetch-mode': mode, 'sec-fetch-dest': destination });
  assert.equal(await isSent({ method: 'HEAD' }), true);
  assert.equal(await isSent({ method: 'HEAD', headers: { accept: '*/*' } }), true);
  for (const accept of ['text/html', '*/*', 'application/json', 'image/png', ''])
    assert.equal(await get({ accept }), true, accept);
  assert.equal(await get({}), true, 'no Accept at all');
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])
    assert.equal(await isSent({ method }), false, method);
  for (const destination of ['document', 'iframe', 'frame', 'embed', 'object', 'Document', ''])
    assert.equal(await fetched('navigate', destination), true, destination);
  for (const destination of ['empty', 'image', 'script', 'style', 'serviceworker', 'x'])
    assert.equal(await fetched('navigate', destination), false, destination);
  for (const mode of ['cors', 'no-cors', 'same-origin', 'websocket', 'x'])
    assert.equal(await fetched(mode, 'document'), false, mode);
  assert.equal(await get({ 'sec-fetch-mode': 'navigate' }), true);
  assert.equal(await get({ 'sec-fetch-mode': 'cors' }), false);
  assert.equal(await get({ 'sec-fetch-dest': 'empty' }), false);
  assert.equal(await get({ 'sec-fetch-dest': 'document' }), true);
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

test('redirects lead only to the name of the request', async (t) => {
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

test('no login works without TLS', async (t) => {
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

test("the visitor's text has nothing of the details for the operator and the owner", async (t) => {
  const { gate, logged } = await gates(t);
  const fault = new LoginFault('loginRefused', 'audience', 'the audience is "other"');
  const { logIn } = gate({ method: provider({ finish: () => Promise.reject(fault) }) });
  const verdict = await logIn(new Browser());
  assert.equal(refusalOf(verdict), 'loginRefused');
  const { values, reason } = verdict as Refusal;
  assert.equal(JSON.stringify(values).includes('audience'), false);
  assert.equal(reason, 'the audience is "other"');
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

/** R17: attacks on the console from pages of tenants at the same site, and on its tokens and cookies. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, EventStream, freePorts, Platform, underpassd } from '../harness/index.ts';
import { addAccount } from './attacks.fixture.ts';
import { ConsoleBrowser, cookieOf, foreign, linkToken } from './console.fixture.ts';

let platform: Platform;
let victim: ConsoleBrowser;
let plainPort: number;

before(async () => {
  [plainPort = 0] = await freePorts(1);
  platform = await Platform.start({ apiRateLimit: 120, args: ['--http-listen', `127.0.0.1:${plainPort}`] });
  victim = await ConsoleBrowser.signedIn(platform, await linkToken(platform));
});
after(() => platform.stop());

function refused({ status, json, headers }: Answer, code: number, about: string): void {
  assert.deepEqual([status, json.error_code], [code === 60953 ? 401 : 403, `ERR_SERVICE_${code}`], about);
  assert.equal(headers['access-control-allow-origin'], undefined, about);
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin', about);
}

test('a page of a tenant can neither read nor change anything with the cookie of a visitor', async () => {
  for (const headers of foreign) {
    const about = JSON.stringify(headers);
    for (const path of ['/me', '/users', '/nowhere', '/ui/session', '/stream'])
      refused(await victim.request('GET', path, undefined, headers), 60954, `${path} ${about}`);
    assert.equal((await victim.request('HEAD', '/users', undefined, headers)).status, 403, about);
    refused(await victim.request('POST', '/ip_policies', {}, headers), 60954, about);
    refused(await victim.request('POST', '/console/links', {}, headers), 60954, about);
    refused(await victim.request('DELETE', '/ui/session', undefined, headers), 60954, about);
    refused(await new ConsoleBrowser(platform).signIn('x', headers), 60954, `sign-in ${about}`);
  }
  assert.equal((await victim.request('GET', '/me')).status, 200);
  assert.deepEqual((await victim.request('GET', '/ip_policies')).json.ip_policies, []);
  const { origin } = new URL(platform.bootstrap.base_url);
  const old = { 'sec-fetch-site': '', origin };
  assert.equal(
    (await victim.request('GET', '/me', undefined, old)).status,
    200,
    'an old browser of this origin',
  );
});

test('a change needs the token of the session, and that of another one does not count', async () => {
  const other = await ConsoleBrowser.signedIn(platform, await linkToken(platform));
  for (const token of ['', 'x', other.csrf, victim.csrf.slice(1)]) {
    const headers = { 'x-csrf-token': token };
    refused(await victim.request('POST', '/ip_policies', {}, headers), 60955, token);
    refused(await victim.request('DELETE', '/ui/session', undefined, headers), 60955, token);
  }
  const made = await victim.request('POST', '/ip_policies', {});
  assert.equal(made.status, 201);
  assert.equal((await victim.request('DELETE', `/ip_policies/${made.json.id}`)).status, 204);
});

test('a key in the request counts, and not the cookie beside it', async () => {
  const { api_key } = platform.bootstrap;
  const page = { 'sec-fetch-site': 'cross-site', origin: 'https://app.example' };
  const byKey = await victim.request('GET', '/me', undefined, {
    ...page,
    authorization: `Bearer ${api_key}`,
  });
  assert.deepEqual([byKey.status, byKey.json.session], [200, null]);
  assert.equal(byKey.headers['access-control-allow-origin'], 'https://app.example');
  const wrong = await victim.request('GET', '/me', undefined, { authorization: 'Bearer wrong' });
  assert.equal(wrong.status, 401);
});

test('a sign-in makes a new session whatever cookie the browser has, and ends the former one', async () => {
  const attacker = await ConsoleBrowser.signedIn(platform, await linkToken(platform));
  const browser = new ConsoleBrowser(platform);
  browser.cookie = attacker.cookie;
  assert.equal((await browser.signIn(await linkToken(platform))).status, 200);
  assert.notEqual(browser.cookie, attacker.cookie);
  assert.equal((await attacker.request('GET', '/me')).status, 401);

  const chosen = `__Host-underpass.console=${'a'.repeat(27)}_${'b'.repeat(22)}`;
  browser.cookie = chosen;
  assert.equal((await browser.request('GET', '/me')).status, 401);
  assert.notEqual(cookieOf(await browser.signIn(await linkToken(platform))), chosen);
});

test('a cookie is good whole and alone, and no other token is one', async () => {
  const token = victim.cookie.split('=')[1] ?? '';
  const link = await linkToken(platform);
  const name = '__Host-underpass.console';
  for (const cookie of [
    `${name}=${token.slice(0, -1)}`,
    `${name}=${token}x`,
    `${name}=`,
    `${name}=${platform.bootstrap.api_key}`,
    `${name}=${platform.bootstrap.authtoken}`,
    `${name}=${link}`,
    `${name}=${victim.csrf}`,
    `${victim.cookie}; ${name}=${link}`,
    `${victim.cookie}, ${victim.cookie}`,
    `underpass.console=${token}`,
  ])
    assert.equal((await victim.request('GET', '/me', undefined, { cookie })).status, 401, cookie);
  for (const authorization of [`Bearer ${token}`, `Bearer ${link}`])
    assert.equal((await victim.request('GET', '/me', undefined, { authorization })).status, 401);
  const others = await victim.request('GET', '/me', undefined, { cookie: `a=1; ${victim.cookie}; b=2` });
  assert.equal(others.status, 200);
});

test('the cookie does not count over plain HTTP, and nothing is set there', async () => {
  const { base_url } = platform.bootstrap;
  const { hostname } = new URL(base_url);
  const headers = { host: hostname, cookie: victim.cookie, 'sec-fetch-site': 'same-origin' };
  for (const path of ['/me', '/ui/session']) {
    const url = new URL(path, `http://${hostname}:${plainPort}`);
    const answer = await platform.client.unchecked(url, { headers });
    assert.equal(answer.status, 403, path);
    assert.equal(answer.headers['set-cookie'], undefined);
  }
});

test('a console of an account shows nothing of another one', async () => {
  const place = ['--data-dir', platform.dataDir, '--json'];
  const { stdout } = await underpassd(['account', 'create', '--name', 'Other', ...place]);
  const json = JSON.parse(stdout);
  const other = await ConsoleBrowser.signedIn(platform, json.api_key);
  assert.equal((await other.request('GET', '/me')).json.account.id, json.account_id);
  const { session } = (await victim.request('GET', '/ui/session')).json;
  const { console_sessions: listed } = (await other.request('GET', '/console/sessions')).json;
  assert.equal(listed.length, 1);
  assert.notEqual(listed[0].id, session.id);
  const foreignId = await other.request('DELETE', `/console/sessions/${session.id}`);
  const unknown = await other.request('DELETE', `/console/sessions/cs_${'a'.repeat(27)}`);
  assert.deepEqual([foreignId.status, foreignId.json.msg], [unknown.status, unknown.json.msg]);
  const crossed = await victim.request('POST', '/ip_policies', {}, { 'x-csrf-token': other.csrf });
  assert.equal(crossed.status, 403);
});

test('a link of an attacker does not replace the session of another user, until the user confirms it', async () => {
  const attacker = await addAccount(platform);
  const browser = await ConsoleBrowser.signedIn(platform, await linkToken(platform));
  const { cookie } = browser;
  const token = await linkToken(platform, attacker.api_key);
  const planted = await browser.signIn(token);
  assert.deepEqual([planted.status, planted.json.error_code], [409, 'ERR_SERVICE_60960']);
  assert.deepEqual([planted.headers['set-cookie'], planted.json.details.field], [undefined, '/replace']);
  assert.equal((await browser.request('GET', '/me')).status, 200, 'the session stays');
  const confirmed = await browser.request('POST', '/ui/session', { token, replace: true });
  assert.deepEqual([confirmed.status, confirmed.json.account.id], [200, attacker.account_id]);
  browser.cookie = cookieOf(confirmed);
  const former = await browser.request('GET', '/me', undefined, { cookie });
  assert.equal(former.status, 401, 'a confirmed link ends the former session, also of another account');
  const pasted = await browser.request('POST', '/ui/session', { api_key: platform.bootstrap.api_key });
  assert.equal(pasted.status, 200, 'a pasted key needs no confirmation');
});

test('IP restrictions hold at the sign-in, on each request and on open streams', async () => {
  const other = await addAccount(platform);
  const call = (method: string, path: string, body?: unknown) =>
    platform.api(method, path, body, { authorization: `Bearer ${other.api_key}` });
  const browser = await ConsoleBrowser.signedIn(platform, other.api_key);
  const identity = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' };
  const stream = await EventStream.open(platform, { identity });
  await stream.first('ready');
  const { json: policy } = await call('POST', '/ip_policies', {});
  await call('POST', '/ip_policy_rules', { ip_policy_id: policy.id, cidr: '10.0.0.0/8', action: 'allow' });
  const restriction = { type: 'dashboard', enforced: true, ip_policy_ids: [policy.id] };
  const made = await call('POST', '/ip_restrictions', restriction);
  assert.equal(made.status, 201, made.text);
  refused(await browser.request('GET', '/me'), 60956, 'a request');
  refused(await browser.request('GET', '/ui/session'), 60956, 'the session');
  const token = await linkToken(platform, other.api_key);
  refused(await new ConsoleBrowser(platform).signIn(token), 60956, 'a link');
  refused(await new ConsoleBrowser(platform).signIn(other.api_key), 60956, 'a key');
  await stream.until(() => stream.isEnded, 'the end with the restriction');
  assert.equal((await call('GET', '/me')).status, 200, 'the API is another restriction');

  const lifted = await underpassd([
    ...['restriction', 'lift', '--account', other.account_id, '--data-dir', platform.dataDir],
  ]);
  assert.equal(lifted.code, 0, lifted.stderr);
  assert.equal((await browser.request('GET', '/me')).status, 200);
  await ConsoleBrowser.signedIn(platform, token);
});

test('sign-in tokens cannot be guessed at speed, and a signed-in browser of the same address goes on', async () => {
  const token = await linkToken(platform);
  const browser = new ConsoleBrowser(platform);
  const id = token.slice(0, 28);
  let status = 401;
  let guesses = 0;
  for (; status === 401 && guesses < 1000; guesses += 1)
    ({ status } = await browser.signIn(`${id}${String(guesses).padStart(22, '0')}`));
  assert.equal(status, 429);
  assert.ok(guesses <= 130, `${guesses} guesses`);
  assert.equal((await browser.signIn(token)).status, 429, 'a right guess is answered like a wrong one');
  assert.equal((await victim.request('GET', '/me')).status, 200);
});

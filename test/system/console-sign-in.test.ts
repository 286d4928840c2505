/** Tests of the sign-in to the console, and of its sessions. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EventStream, Platform } from '../harness/index.ts';
import { ConsoleBrowser, cookieOf, linkToken } from './console.fixture.ts';

let platform: Platform;

before(async () => {
  platform = await Platform.start();
});
after(() => platform.stop());

test('a link signs in once, and the browser then uses the API without a key', async () => {
  const token = await linkToken(platform);
  const browser = new ConsoleBrowser(platform);
  const answer = await browser.signIn(token, { 'user-agent': 'Browser/1' });
  assert.equal(answer.status, 200);
  const [set] = [answer.headers['set-cookie'] ?? []].flat();
  assert.match(
    set ?? '',
    /^__Host-underpass\.console=\w{27}_\w{22}; Max-Age=604800; Path=\/; Secure; HttpOnly; SameSite=Strict$/,
  );
  assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin');
  assert.equal(answer.headers['cache-control'], 'no-store');

  const me = await browser.request('GET', '/me');
  assert.equal(me.json.session.id, answer.json.session.id);
  assert.equal(me.json.api_key.uri, `${platform.bootstrap.base_url}/api_keys/${me.json.api_key.id}`);
  assert.deepEqual([me.json.role, me.json.rate_limit.scope], ['admin', 'console']);
  assert.equal(me.headers['access-control-allow-origin'], undefined);
  const made = await browser.request('POST', '/ip_policies', { description: 'by the console' });
  assert.equal(made.status, 201);
  assert.equal((await browser.request('DELETE', `/ip_policies/${made.json.id}`)).status, 204);
  const again = await browser.request('GET', '/ui/session');
  assert.deepEqual(again.json, answer.json);

  const replayed = await new ConsoleBrowser(platform).signIn(token);
  assert.deepEqual([replayed.status, replayed.json.error_code], [401, 'ERR_SERVICE_60951']);
  assert.equal((await browser.request('GET', '/me')).status, 200, 'the session stays');
});

test('of two browsers that use one link at once, one is signed in', async () => {
  const token = await linkToken(platform);
  const statuses = await Promise.all(
    Array.from({ length: 6 }, async () => (await new ConsoleBrowser(platform).signIn(token)).status),
  );
  assert.deepEqual(
    statuses.sort((a, b) => a - b),
    [200, 401, 401, 401, 401, 401],
  );
});

test('each sign-in and each end of a session by a user is in the audit trail, without secrets', async () => {
  const { json: key } = await platform.api('POST', '/api_keys', {});
  const token = await linkToken(platform);
  const browser = await ConsoleBrowser.signedIn(platform, token);
  const idOf = async () => (await browser.request('GET', '/ui/session')).json.session.id as string;
  const first = await idOf();
  const cookies = [browser.cookie];
  assert.equal((await browser.signIn(key.token)).status, 200);
  cookies.push(browser.cookie);
  const second = await idOf();
  assert.equal((await browser.request('DELETE', '/ui/session')).status, 204);
  const ended = await ConsoleBrowser.signedIn(platform, key.token);
  const { id: third } = (await ended.request('GET', '/ui/session')).json.session;
  assert.equal((await platform.api('DELETE', `/console/sessions/${third}`)).status, 204);
  const { json, text } = await platform.api('GET', '/changes?kind=console_session&limit=100');
  const of = (id: string) =>
    json.changes
      .filter(({ resource_id }: { resource_id: string }) => resource_id === id)
      .map(({ action, operation }: { action: string; operation: string }) => `${action} ${operation}`);
  assert.deepEqual(of(first), ['deleted console_sign_in', 'created console_sign_in']);
  assert.deepEqual(of(second), ['deleted console_sign_out', 'created console_sign_in']);
  assert.deepEqual(of(third), ['deleted console_sessions_delete', 'created console_sign_in']);
  const begun = json.changes.find(
    ({ resource_id, action }: { resource_id: string; action: string }) =>
      resource_id === second && action === 'created',
  );
  assert.deepEqual(
    [begun.actor.user_id, begun.actor.credential_id, begun.actor.address],
    [platform.bootstrap.user_id, key.id, '127.0.0.1'],
  );
  const ways = begun.fields.map((field: { field: string; new: string }) => `${field.field} ${field.new}`);
  assert.ok(ways.includes('way api_key'), String(ways));
  assert.match(begun.operation_id, /^\w+$/);
  for (const secret of [...cookies.map((cookie) => cookie.split('=')[1] ?? ''), token, key.token])
    assert.equal(text.includes(secret), false);
  assert.match(platform.daemon.output, /"way":"link".*a user has signed in to the console/);
  assert.equal((await platform.api('DELETE', `/api_keys/${key.id}`)).status, 204);
});

test('a pasted API key signs in, and the session ends with the key', async () => {
  const { json: key } = await platform.api('POST', '/api_keys', {});
  const browser = await ConsoleBrowser.signedIn(platform, key.token);
  assert.equal((await browser.request('GET', '/me')).json.api_key.id, key.id);
  assert.equal((await platform.api('DELETE', `/api_keys/${key.id}`)).status, 204);
  const after = await browser.request('GET', '/me');
  assert.deepEqual([after.status, after.json.error_code], [401, 'ERR_SERVICE_60953']);
  const { json } = await platform.api('GET', '/console/sessions');
  const keys = json.console_sessions.map((one: { api_key: { id: string } }) => one.api_key.id);
  assert.equal(keys.includes(key.id), false, 'nothing is left of it');
});

test('sessions are listed with their use, and each can be ended', async () => {
  const one = await ConsoleBrowser.signedIn(platform, await linkToken(platform));
  const other = await ConsoleBrowser.signedIn(platform, await linkToken(platform));
  const { json } = await one.request('GET', '/console/sessions');
  const [newest, second] = json.console_sessions;
  assert.deepEqual([newest.is_current, second.is_current], [false, true]);
  assert.deepEqual([newest.address, newest.last_address], ['127.0.0.1', '127.0.0.1']);
  const page = await one.request('GET', '/console/sessions?limit=1');
  assert.equal(page.json.console_sessions.length, 1);
  const next = await one.request('GET', page.json.next_page_uri.slice(platform.bootstrap.base_url.length));
  assert.equal(next.json.console_sessions[0].id, second.id);
  assert.equal((await one.request('DELETE', `/console/sessions/${newest.id}`)).status, 204);
  assert.equal((await other.request('GET', '/me')).status, 401);
  assert.equal((await one.request('DELETE', `/console/sessions/${newest.id}`)).status, 404);

  const out = await one.request('DELETE', '/ui/session');
  assert.deepEqual([out.status, cookieOf(out)], [204, '__Host-underpass.console=']);
  assert.equal((await one.request('GET', '/ui/session')).status, 401, 'the cookie is of no use any more');
});

test('members and viewers have sessions of their own role, and see only those', async () => {
  const { json: user } = await platform.api('POST', '/users', { name: 'Vi', role: 'viewer' });
  const { json: key } = await platform.api('POST', '/api_keys', { owner_id: user.id });
  const viewer = await ConsoleBrowser.signedIn(platform, await linkToken(platform, key.token));
  const admin = await ConsoleBrowser.signedIn(platform, await linkToken(platform));
  const { json } = await viewer.request('GET', '/console/sessions');
  assert.deepEqual(
    json.console_sessions.map(({ owner_id }: { owner_id: string }) => owner_id),
    [user.id],
  );
  const refused = await viewer.request('POST', '/ip_policies', {});
  assert.deepEqual([refused.status, refused.json.error_code], [403, 'ERR_SERVICE_60950']);
  const { session } = (await admin.request('GET', '/ui/session')).json;
  assert.equal((await viewer.request('DELETE', `/console/sessions/${session.id}`)).status, 404);
  assert.equal((await admin.request('GET', '/me')).status, 200);

  assert.equal((await platform.api('PATCH', `/users/${user.id}`, { active: false })).status, 200);
  assert.equal((await viewer.request('GET', '/me')).status, 403);
  await platform.api('PATCH', `/users/${user.id}`, { active: true });
  const own = json.console_sessions[0].id;
  assert.equal((await viewer.request('DELETE', `/console/sessions/${own}`)).status, 204);
});

test('an account with sessions keeps its requests for the API', async () => {
  const { used } = await rateOf();
  const browser = await ConsoleBrowser.signedIn(platform, await linkToken(platform));
  for (let at = 0; at < 20; at += 1) await browser.request('GET', '/users');
  assert.ok((await rateOf()).used - used < 5);

  async function rateOf() {
    const { limit, remaining } = (await platform.api('GET', '/me')).json.rate_limit;
    return { used: limit - remaining };
  }
});

test('an open stream ends with its session, with its key, and with the sign-out of its browser', async () => {
  const open = async (browser: ConsoleBrowser) => {
    const identity = { cookie: browser.cookie, 'sec-fetch-site': 'same-origin' };
    const stream = await EventStream.open(platform, { identity });
    assert.equal(stream.status, 200);
    await stream.first('ready');
    return stream;
  };
  const { json: key } = await platform.api('POST', '/api_keys', {});
  const browsers = [
    await ConsoleBrowser.signedIn(platform, await linkToken(platform)),
    await ConsoleBrowser.signedIn(platform, await linkToken(platform)),
    await ConsoleBrowser.signedIn(platform, key.token),
    await ConsoleBrowser.signedIn(platform, await linkToken(platform)),
  ] as const;
  const streams = [];
  for (const browser of browsers) streams.push(await open(browser));
  const [first, second, third, fourth] = streams as [EventStream, EventStream, EventStream, EventStream];
  await browsers[0].request('DELETE', '/ui/session');
  await first.until(() => first.isEnded, 'the end with the sign-out');
  const { session } = (await browsers[1].request('GET', '/ui/session')).json;
  await browsers[3].request('DELETE', `/console/sessions/${session.id}`);
  await second.until(() => second.isEnded, 'the end with the session');
  await platform.api('DELETE', `/api_keys/${key.id}`);
  await third.until(() => third.isEnded, 'the end with the key');
  assert.equal(fourth.isEnded, false);
  fourth.close();

  for (const site of ['same-site', 'cross-site', 'none']) {
    const identity = { cookie: browsers[3].cookie, 'sec-fetch-site': site };
    const refused = await EventStream.open(platform, { identity });
    assert.equal(refused.status, 403, site);
    refused.close();
  }
});

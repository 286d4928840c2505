/** Sign-in to the console by OpenID Connect, at a real provider and in a real browser. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import {
  browserMissing,
  ClientCertificates,
  freePorts,
  OidcProvider,
  Platform,
  startBrowser,
  underpassd,
} from '../harness/index.ts';
import { openPage } from './dashboard.fixture.ts';

/** The status of a request of the console's own page. */
const SESSION = "fetch('/ui/session', {headers: {'Service-Version': '2'}}).then(({ status }) => status)";

describe('the sign-in to the console at a provider', { skip: browserMissing }, () => {
  const certificates = new ClientCertificates();
  const folder = mkdtempSync(join(tmpdir(), 'underpass-console-oidc-'));
  const teams = new Map([
    ['ada@example.com', ['staff']],
    ['eve@example.com', ['guests']],
  ]);
  let platform: Platform;
  let provider: OidcProvider;
  let browser: Browser;

  before(async () => {
    const identity = certificates.make('localhost', undefined, {
      extensions: ['subjectAltName=DNS:localhost'],
    });
    const [port = 0] = await freePorts(1);
    provider = await OidcProvider.start({
      identity,
      redirectUris: [`https://panel.underpass.localhost:${port}/ui/oidc/callback`],
      groupsOf: (email) => teams.get(email) ?? [],
    });
    const secret = join(folder, 'secret');
    writeFileSync(secret, `${provider.clientSecret}\n`);
    const args = [
      // The API has a second name then.
      ...['--base-url', `https://panel.underpass.localhost:${port}`],
      ...['--dashboard-oidc', provider.issuer, '--dashboard-oidc-client-id', provider.clientId],
      ...['--dashboard-oidc-client-secret-file', secret, '--dashboard-oidc-groups-claim', 'teams'],
      ...['--dashboard-oidc-role', 'viewer=staff', '--dashboard-oidc-role', 'admin=ops'],
    ];
    platform = await Platform.start({
      port,
      args,
      through: ['env', `NODE_EXTRA_CA_CERTS=${identity.pemFile}`],
    });
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await platform?.stop();
    await provider?.stop();
    certificates.remove();
    rmSync(folder, { recursive: true });
  });

  const urlOf = (path: string) => new URL(path, platform.bootstrap.base_url);

  /** Signs in on the page of the provider, which a new browser has opened. */
  async function signIn(email: string) {
    const opened = await openPage(browser, platform, '/ui/');
    const { page } = opened;
    const { host } = new URL(provider.issuer);
    await page.getByRole('link', { name: `Sign in with ${host}` }).click();
    await page.fill('input[name=login]', email);
    await page.fill('input[name=password]', 'any');
    await page.click('form:has(input[name=login]) button[type=submit]');
    await page.click('form:not(:has(input[name=login])) button[type=submit]');
    await page.waitForURL((at) => !at.href.startsWith(provider.issuer));
    return opened;
  }

  test('a member of a group signs in with its role, and deleting the user ends the session', async () => {
    const { page, faults } = await signIn('ada@example.com');
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    assert.equal(page.url(), urlOf('/ui/').href);
    const { users } = (await platform.api('GET', '/users')).json;
    const [ada] = users.filter(({ email }: { email: string }) => email === 'ada@example.com');
    assert.deepEqual([ada.name, ada.role, ada.active], ['ada', 'viewer', true]);
    const cookies = await page.context().cookies(urlOf('/').href);
    assert.deepEqual(
      cookies.map(({ name, httpOnly, secure, sameSite }) => [name, httpOnly, secure, sameSite]),
      [['__Host-underpass.console', true, true, 'Strict']],
    );
    const status = () => page.evaluate(SESSION);
    assert.equal(await status(), 200);
    const { changes } = (await platform.api('GET', `/changes?kind=console_session&actor_id=${ada.id}`)).json;
    const ways = changes.flatMap(({ fields }: { fields: readonly { new: string }[] }) =>
      fields.map((field) => field.new),
    );
    assert.ok(ways.includes('oidc'), JSON.stringify(changes));
    const keys = (await platform.api('GET', '/api_keys')).json.keys;
    assert.equal(keys.length, 1, 'no API key is made');
    assert.equal((await platform.api('DELETE', `/users/${ada.id}`)).status, 204);
    assert.equal(await status(), 401);
    // The provider's page loads a font from elsewhere.
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('ERR_NAME_NOT_RESOLVED')),
      [],
    );
    await page.context().close();
  });

  test('a user without a role gets a page that says why, and gets in once the provider names a group', async () => {
    const { page } = await signIn('eve@example.com');
    const alert = page.getByRole('alert');
    assert.match((await alert.textContent()) ?? '', /none of your groups there has a role here/);
    assert.match(platform.daemon.output, /"check":"groups"/);
    teams.set('eve@example.com', ['ops']);
    await page.getByRole('link', { name: 'Back to the sign-in' }).click();
    await page.getByRole('link', { name: /Sign in with/ }).click();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    const me = "fetch('/me', {headers: {'Service-Version': '2'}}).then((answer) => answer.json())";
    assert.equal(((await page.evaluate(me)) as { role: string }).role, 'admin');
    const eves = async () =>
      (await platform.api('GET', '/users')).json.users.filter(
        ({ email }: { email: string }) => email === 'eve@example.com',
      );
    const [eve] = await eves();
    assert.equal((await platform.api('PATCH', `/users/${eve.id}`, { name: 'Eve' })).status, 200);
    // The provider knows the user still.
    await page.goto(urlOf('/ui/oidc').href);
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    assert.deepEqual(await eves(), [{ ...eve, name: 'Eve' }], 'a changed user is found again');
    const former = await page.context().newPage();
    await former.goto(urlOf('/ui/').href);
    await former.getByRole('navigation', { name: 'Pages' }).waitFor();
    teams.set('eve@example.com', ['guests']);
    await page.goto(urlOf('/ui/oidc').href);
    assert.match((await alert.textContent()) ?? '', /none of your groups there has a role here/);
    assert.equal(await former.evaluate(SESSION), 401, 'the lost group ends what is open');
    // The stream of the open page ends, too.
    await former.getByRole('link', { name: /Sign in with/ }).waitFor();
    const { changes } = (await platform.api('GET', `/changes?kind=console_session&actor_id=${eve.id}`)).json;
    const [{ action, operation }] = changes;
    assert.deepEqual([action, operation], ['deleted', 'console_oidc_refusal']);
    teams.set('eve@example.com', ['ops']);
    assert.equal((await platform.api('PATCH', `/users/${eve.id}`, { active: false })).status, 200);
    await page.goto(urlOf('/ui/oidc').href);
    assert.match((await alert.textContent()) ?? '', /is not active here/);
    await page.context().close();
  });

  test('another site begins no sign-in, and answers for no browser sign nobody in', async () => {
    const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
      platform.client.unchecked(urlOf(path), { headers, method });
    for (const site of ['cross-site', 'same-site']) {
      const { status, headers } = await get('/ui/oidc', { 'sec-fetch-site': site });
      assert.deepEqual([status, headers.location, headers['set-cookie']], [303, '/ui/', undefined], site);
    }
    const second = `https://api.underpass.localhost:${platform.port}/ui/oidc`;
    const moved = await get(second, { 'sec-fetch-site': 'same-origin' });
    assert.deepEqual([moved.headers.location, moved.headers['set-cookie']], [urlOf('/ui/').href, undefined]);
    const begun = await get('/ui/oidc?target=https://evil.example', { 'sec-fetch-site': 'same-origin' });
    const to = new URL(String(begun.headers.location));
    assert.equal(to.origin, provider.issuer);
    assert.equal(begun.headers['cache-control'], 'no-store');
    assert.equal(to.searchParams.get('redirect_uri'), urlOf('/ui/oidc/callback').href);
    assert.equal(to.searchParams.get('code_challenge_method'), 'S256');
    const cookie = String(begun.headers['set-cookie']);
    assert.match(
      cookie,
      /^__Host-underpass\.console-login=[\w-]{22}; Max-Age=1800; Path=\/; Secure; HttpOnly; SameSite=Lax$/,
    );
    const state = to.searchParams.get('state') ?? '';
    const own = { cookie: cookie.split(';')[0] ?? '' };
    for (const [query, headers, status] of [
      [`code=x&state=${state}`, {}, 400],
      [`code=x&state=${state}`, { cookie: `__Host-underpass.console-login=${'a'.repeat(22)}` }, 400],
      [`code=x&state=made-up`, own, 400],
      [`code=x&state=${state}`, own, 403],
      [`error=access_denied&error_description=<script>x</script>&state=${state}`, own, 403],
      ['', own, 400],
    ] as const) {
      const answer = await get(`/ui/oidc/callback?${query}`, headers);
      assert.equal(answer.status, status, `${query} ${answer.text}`);
      assert.equal(answer.headers['set-cookie'], undefined);
      assert.equal(answer.headers.location, undefined);
      assert.doesNotMatch(answer.text, /<script/);
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.match(String(answer.headers['content-security-policy']), /^default-src 'none'/);
    }
    assert.equal((await get('/ui/oidc', {}, 'POST')).status, 405);
    // The callback of visitors' logins does not redirect to a name that the state does not have.
    const idp = await get(`https://idp.underpass.localhost:${platform.port}/oauth2/callback?state=${state}`);
    assert.deepEqual([idp.status, idp.headers.location], [400, undefined]);
    assert.equal(platform.daemon.output.includes(state), false, 'no state is in the log');
  });

  test('an enforced IP restriction shuts the sign-in, and so does a second account without a choice', async () => {
    const { json: policy } = await platform.api('POST', '/ip_policies', {});
    await platform.api('POST', '/ip_policy_rules', {
      ...{ ip_policy_id: policy.id, cidr: '10.0.0.0/8', action: 'allow' },
    });
    const restriction = { type: 'dashboard', enforced: true, ip_policy_ids: [policy.id] };
    const { json } = await platform.api('POST', '/ip_restrictions', restriction);
    const refused = await platform.client.unchecked(urlOf('/ui/oidc'), {});
    assert.equal(refused.status, 403, refused.text);
    assert.match(refused.text, /IP restrictions/);
    assert.equal((await platform.api('DELETE', `/ip_restrictions/${json.id}`)).status, 204);
    const place = ['--data-dir', platform.dataDir];
    await underpassd(['account', 'create', '--name', 'Other', ...place]);
    const several = await platform.client.unchecked(urlOf('/ui/oidc'), {});
    assert.equal(several.status, 503, several.text);
    assert.match(several.text, /--dashboard-oidc-account/);
  });
});

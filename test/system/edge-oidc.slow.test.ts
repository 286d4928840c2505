/** Logins by OpenID Connect, at a real provider and in a real browser. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import {
  browserMissing,
  ClientCertificates,
  eventually,
  OidcProvider,
  Platform,
  startBrowser,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { signedIn } from './dashboard.fixture.ts';
import { logIn } from './oidc-visitor.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

describe('a login by OpenID Connect', { skip: browserMissing }, () => {
  const certificates = new ClientCertificates();
  const name = 'inside.underpass.localhost';
  const bound = 'bound.underpass.localhost';
  const folder = mkdtempSync(join(tmpdir(), 'underpass-profile-'));
  const profile = join(folder, 'profile.yaml');
  let platform: Platform;
  let provider: OidcProvider;
  let browser: Browser;
  let upstream: Upstream;
  let route: string;
  let settings: Readonly<Record<string, unknown>>;

  before(async () => {
    const identity = certificates.make('localhost', undefined, {
      extensions: ['subjectAltName=DNS:localhost'],
    });
    writeFileSync(profile, 'version-header: Acme-Version\nrequest-headers:\n  user-name: Acme-User-Name\n');
    platform = await Platform.start({
      args: ['--allow-private', '127.0.0.0/8', '--allow-private', '::1/128', '--profile', profile],
      through: ['env', `NODE_EXTRA_CA_CERTS=${identity.pemFile}`],
    });
    const redirectUris = [name, bound].map((host) => `https://${host}:${platform.port}/underpass/callback`);
    const logoutUris = [urlOf('/underpass/logout')];
    provider = await OidcProvider.start({ identity, redirectUris, logoutUris });
    upstream = await startUpstream((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<pre>${JSON.stringify({ path: request.url, headers: request.headers })}</pre>`);
    });
    browser = await startBrowser();
    const { issuer, clientId: client_id, clientSecret: client_secret } = provider;
    settings = { issuer, client_id, client_secret };
    await create('/reserved_domains', { name });
    const backend_id = await create('/backends/static', { address: `127.0.0.1:${upstream.port}` });
    const edge = await create('/edges/https', { hostports: [`${name}:443`] });
    const backend = { backend_id };
    await create(`/edges/https/${edge}/routes`, { match_type: 'path_prefix', match: '/', backend });
    route = await create(`/edges/https/${edge}/routes`, {
      ...{ match_type: 'path_prefix', match: '/admin', backend },
      oidc: { ...settings, inactivity_timeout: 3600 },
    });
    route = `/edges/https/${edge}/routes/${route}/oidc`;
  });
  after(async () => {
    await browser?.close();
    await platform.stop();
    await provider?.stop();
    await upstream?.stop();
    certificates.remove();
    rmSync(folder, { recursive: true });
  });

  async function create(path: string, body: object): Promise<string> {
    const { status, json } = await platform.api('POST', path, body);
    assert.equal(status, 201, JSON.stringify(json));
    return json.id as string;
  }

  const urlOf = (path: string, host = name) => `https://${host}:${platform.port}${path}`;

  /** A browser of a visitor without a login. */
  async function newVisitor(): Promise<{ context: BrowserContext; page: Page }> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    return { context, page: await context.newPage() };
  }

  async function seen(page: Page): Promise<{ path: string; headers: Record<string, string> }> {
    return JSON.parse((await page.textContent('pre')) ?? '');
  }

  test('who logs in gets the page that was wanted, and the backend reads who it is and no cookie of ours', async () => {
    const { context, page } = await newVisitor();
    await logIn(page, urlOf('/admin/users?page=2'), provider.issuer, 'ada@example.com');
    assert.equal(page.url(), urlOf('/admin/users?page=2'), (await page.textContent('body')) ?? '');
    const { path, headers } = await seen(page);
    assert.equal(path, '/admin/users?page=2');
    assert.equal(headers['underpass-auth-user-id'], 'ada@example.com');
    assert.equal(headers['underpass-auth-user-email'], 'ada@example.com');
    assert.equal(headers['acme-user-name'], 'ada', 'by the name of the profile');
    assert.equal(headers.cookie, undefined);
    const cookies = await context.cookies(urlOf('/'));
    assert.deepEqual(cookies.map((cookie) => cookie.name).sort(), [
      '__Host-underpass.nonce',
      '__Host-underpass.session',
    ]);
    for (const { secure, httpOnly, sameSite, domain } of cookies)
      assert.deepEqual(
        { secure, httpOnly, sameSite, domain },
        { secure: true, httpOnly: true, sameSite: 'Lax', domain: name },
      );
    await page.goto(urlOf('/'));
    const elsewhere = await seen(page);
    assert.equal(elsewhere.headers.cookie, undefined, 'nor does a route without a login');
    assert.equal(elsewhere.headers['underpass-auth-user-id'], undefined);
    await context.close();
  });

  test('a login is ended in the dashboard, and the visitor has to log in again', async () => {
    const { context, page } = await newVisitor();
    await logIn(page, urlOf('/admin'), provider.issuer, 'eve@example.com');
    const status = () => page.evaluate("fetch('/admin').then(({ status }) => status)");
    assert.equal(await status(), 200);
    const console = await signedIn(browser, platform, { path: '/ui/access/logins' });
    const row = console.page.getByRole('row', { name: 'eve@example.com' });
    await row.getByText(name).waitFor();
    await row.getByRole('button', { name: 'End login of eve@example.com' }).click();
    await console.page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await row.waitFor({ state: 'detached' });
    assert.equal(await status(), 401);
    assert.deepEqual(console.faults, []);
    await console.page.context().close();
    await context.close();
  });

  test('no visitor becomes a user by headers, and what is no navigation gets 401', async () => {
    const headers = {
      'underpass-auth-user-id': 'root',
      underpass_auth_user_email: 'root@example.com',
      'ACME-User_Name': 'root',
      cookie: '__Host-underpass.session=x; theme=dark',
    };
    const open = await platform.visit(urlOf('/'), { headers });
    assert.doesNotMatch(open.text, /root|underpass\.session/);
    assert.match(open.text, /theme=dark/);
    const script = { ...headers, 'sec-fetch-mode': 'cors' };
    const shut = await platform.visit(urlOf('/admin'), { headers: script });
    assert.equal(shut.status, 401);
    assert.equal(shut.headers['underpass-error-code'], 'ERR_SERVICE_60690');
    assert.equal(shut.headers['www-authenticate'], 'Cookie');
    for (const accept of ['text/html', '*/*', 'application/json'])
      assert.equal((await platform.visit(urlOf('/admin'), { headers: { accept } })).status, 302, accept);
    const image = { 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' };
    assert.equal((await platform.visit(urlOf('/admin'), { headers: image })).status, 401);
    assert.equal((await platform.visit(urlOf('/admin'), { method: 'POST' })).status, 401);
  });

  test('a change of the secret ends sessions for good, one of timeouts does not, and logging out does', async () => {
    const { context, page } = await newVisitor();
    const isIn = async () => (await page.evaluate("fetch('/admin').then(({ status }) => status)")) === 200;
    // The provider knows the user already.
    const goBackIn = async () => {
      await page.goto(urlOf('/admin'));
      assert.equal(await isIn(), true);
    };
    const configure = async (change: object) => {
      const { status, json } = await platform.api('PUT', route, { ...settings, ...change });
      assert.equal(status, 200);
      assert.equal(json.client_secret, '');
    };
    await logIn(page, urlOf('/admin'), provider.issuer, 'grace@example.com');
    assert.equal(await isIn(), true);
    await configure({ client_secret: '', maximum_duration: 60 });
    assert.equal(await isIn(), true);
    await configure({ client_secret: 'another' });
    assert.equal(await isIn(), false);
    await configure({});
    assert.equal(await isIn(), false, 'nor is it good when the secret is what it was');
    await goBackIn();
    await configure({});
    assert.equal(await isIn(), true, 'the same settings change nothing');
    assert.equal((await platform.api('DELETE', route)).status, 204);
    await configure({});
    assert.equal(await isIn(), false, 'a module that is put back is another one');
    await goBackIn();
    await page.goto(urlOf('/underpass/logout'));
    assert.ok(page.url().startsWith(provider.issuer), 'the provider asks whether its session is to end, too');
    await page.click('button[name=logout]');
    await page.waitForURL(urlOf('/underpass/logout**'));
    assert.match((await page.textContent('body')) ?? '', /logged out/);
    await page.goto(urlOf('/'));
    assert.equal(await isIn(), false);
    await page.goto(urlOf('/admin'));
    assert.ok(await page.isVisible('input[name=password]'), 'the provider has forgotten who it was');
    await context.close();
  });

  test('an error is a page that says what to do, and the log says which check failed', async () => {
    const { page, context } = await newVisitor();
    await page.goto(urlOf('/underpass/callback?code=x&state=made-up'));
    const text = (await page.textContent('body')) ?? '';
    assert.match(text, /Open the page that you wanted once more/);
    const [id = ''] = /[0-9a-f-]{36}/.exec(text) ?? [];
    await eventually(() =>
      assert.match(platform.daemon.output, new RegExp(`"request":"${id}".*"check":"state"`)),
    );
    await context.close();
  });

  test('an agent has visitors of its tunnel log in, and lets in whom it lists', async () => {
    const agent = await StockAgent.connect(platform, (request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<pre>${JSON.stringify({ path: request.url, headers: request.headers })}</pre>`);
    });
    const { issuer, client_id, client_secret } = settings as Record<string, string>;
    const client = { issuer_url: issuer, client_id, client_secret };
    await agent.bind({ Domain: bound, OIDC: { ...client, allow_emails: ['Ada@Example.com'] } });
    const ada = await newVisitor();
    await logIn(ada.page, urlOf('/', bound), provider.issuer, 'ada@example.com');
    assert.equal((await seen(ada.page)).headers['underpass-auth-user-email'], 'ada@example.com');
    const bob = await newVisitor();
    await logIn(bob.page, urlOf('/', bound), provider.issuer, 'bob@example.com');
    assert.match((await bob.page.textContent('body')) ?? '', /not as a user who may see this page/);
    await Promise.all([ada.context.close(), bob.context.close()]);
    await agent.stop();
  });
});

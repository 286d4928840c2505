/** Logins by SAML at a real provider and in a real browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  browserMissing,
  ClientCertificates,
  eventually,
  Platform,
  SamlProvider,
  samlProviderMissing,
  startBrowser,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';

const name = 'rota.underpass.localhost';
const authorized_groups = ['staff'];

describe('a login by SAML', { skip: browserMissing || samlProviderMissing }, () => {
  const certificates = new ClientCertificates();
  let platform: Platform;
  let provider: SamlProvider;
  let browser: Browser;
  let upstream: Upstream;
  let path: string;
  let entity: string;

  before(async () => {
    const identity = certificates.make('localhost', undefined, {
      extensions: ['subjectAltName=DNS:localhost'],
      key: 'rsa',
    });
    platform = await Platform.start({
      args: ['--allow-private', '127.0.0.0/8', '--allow-private', '::1/128'],
      through: ['env', `NODE_EXTRA_CA_CERTS=${identity.pemFile}`],
    });
    provider = await SamlProvider.start(identity);
    upstream = await startUpstream((request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<pre>${JSON.stringify({ path: request.url, headers: request.headers })}</pre>`);
    });
    browser = await startBrowser();
    await create('/reserved_domains', { name });
    const backend_id = await create('/backends/static', { address: `127.0.0.1:${upstream.port}` });
    const edge = await create('/edges/https', { hostports: [`${name}:443`] });
    const route = { match_type: 'path_prefix', match: '/', backend: { backend_id } };
    path = `/edges/https/${edge}/routes/${await create(`/edges/https/${edge}/routes`, route)}/saml`;
    entity = await configure();
    await provider.trust((await platform.visit(entity)).text);
  });
  after(async () => {
    await browser?.close();
    await platform.stop();
    await provider?.stop();
    await upstream?.stop();
    certificates.remove();
  });

  async function create(at: string, body: object): Promise<string> {
    const { status, json } = await platform.api('POST', at, body);
    assert.equal(status, 201, JSON.stringify(json));
    return json.id as string;
  }

  /** The entity id of the service. */
  async function configure(change: object = {}): Promise<string> {
    const body = { idp_metadata_url: provider.metadataUrl, authorized_groups, ...change };
    const { status, json } = await platform.api('PUT', path, body);
    assert.equal(status, 200, JSON.stringify(json));
    return json.entity_id as string;
  }

  const urlOf = (target: string) => `https://${name}:${platform.port}${target}`;

  /** A browser of a visitor without a login. */
  async function newVisitor(): Promise<Page> {
    const context = await browser.newContext({ ignoreHTTPSErrors: true });
    return await context.newPage();
  }

  /** Selects the user at the provider, and waits for the page after it. */
  async function choose(page: Page, user: string): Promise<void> {
    assert.match(page.url(), new RegExp(`^${provider.url}/`));
    await page.click(`button[value=${user}]`);
    await page.waitForURL((url) => url.hostname === name);
  }

  async function logIn(page: Page, target: string, user = 'alice'): Promise<void> {
    await page.goto(urlOf(target));
    await choose(page, user);
  }

  async function seen(page: Page): Promise<{ path: string; headers: Record<string, string> }> {
    return JSON.parse((await page.textContent('pre')) ?? '');
  }

  const isIn = async (page: Page) =>
    (await page.evaluate("fetch('/any').then(({ status }) => status)")) === 200;
  const sessionsOf = async (page: Page) =>
    (await page.context().cookies(urlOf('/'))).flatMap(({ name: cookie, value }) =>
      cookie === '__Host-underpass.session' ? value : [],
    );
  const textOf = async (page: Page) => (await page.textContent('body')) ?? '';

  test('a user is let in by a signature of the response, of the assertion, and of both', async () => {
    for (const what of ['response', 'both', 'assertion'] as const) {
      await provider.sign(what);
      const page = await newVisitor();
      await logIn(page, `/${what}`);
      const { path: asked, headers } = await seen(page);
      assert.deepEqual([asked, headers['underpass-auth-user-email']], [`/${what}`, 'alice@example.com']);
      await page.context().close();
    }
  });

  test('who logs in gets the page that was wanted, and the backend reads who it is and no cookie of ours', async () => {
    const page = await newVisitor();
    await logIn(page, '/week?number=2');
    assert.equal(page.url(), urlOf('/week?number=2'));
    const { path: asked, headers } = await seen(page);
    assert.equal(asked, '/week?number=2');
    assert.notEqual(headers['underpass-auth-user-id'], undefined);
    assert.equal(headers['underpass-auth-user-email'], 'alice@example.com');
    assert.equal(headers['underpass-auth-user-name'], 'Alice Adams');
    assert.equal(headers['underpass-auth-user-groups'], 'staff');
    assert.equal(headers.cookie, undefined);
    await page.context().close();
  });

  test('a provider that takes requests by POST alone gets them', async () => {
    const both = await provider.metadata();
    const postOnly = both.replace(/<\w+:SingleSignOnService [^>]*HTTP-Redirect[^>]*\/>/, '');
    assert.notEqual(postOnly, both);
    await configure({ idp_metadata: postOnly, idp_metadata_url: '' });
    const page = await newVisitor();
    await page.goto(urlOf('/'));
    await page.waitForURL(`${provider.url}/**`);
    await choose(page, 'alice');
    assert.equal((await seen(page)).headers['underpass-auth-user-groups'], 'staff');
    await configure();
    await page.context().close();
  });

  test('who is in none of the groups is turned away, and told what to do', async () => {
    const page = await newVisitor();
    await logIn(page, '/', 'bob');
    assert.match(await textOf(page), /in none of the groups whose members may see this page/);
    assert.deepEqual(await sessionsOf(page), []);
    await page.context().close();
  });

  test('a session is over after its time, and the next visit goes by the provider, who knows the user', async () => {
    const page = await newVisitor();
    await logIn(page, '/');
    assert.equal(await isIn(page), true);
    await configure({ maximum_duration: 3 });
    await eventually(async () => assert.equal(await isIn(page), false));
    const [over] = await sessionsOf(page);
    await page.goto(urlOf('/next'));
    await page.waitForURL(urlOf('/next'));
    assert.notDeepEqual(await sessionsOf(page), [over]);
    await configure();
    await page.context().close();
  });

  test('who is made to prove it anew is asked again, though the provider knows', async () => {
    const page = await newVisitor();
    await logIn(page, '/');
    await page.context().clearCookies({ name: '__Host-underpass.session' });
    await page.goto(urlOf('/again'));
    await page.waitForURL(urlOf('/again'));
    await page.context().clearCookies({ name: '__Host-underpass.session' });
    await configure({ force_authn: true });
    await logIn(page, '/once-more');
    assert.equal((await seen(page)).path, '/once-more');
    await configure();
    await page.context().close();
  });

  test('who logs out is out at the provider, too', async () => {
    const page = await newVisitor();
    await logIn(page, '/');
    await page.goto(urlOf('/underpass/logout'));
    await page.waitForURL(urlOf('/underpass/logout**'));
    assert.match(await textOf(page), /logged out/);
    assert.deepEqual(await sessionsOf(page), []);
    await logIn(page, '/');
    assert.equal(await isIn(page), true, 'the provider has asked who it is');
    await page.context().close();
  });

  test('who logs out at the provider is out here', async () => {
    const page = await newVisitor();
    await logIn(page, '/');
    const other = await page.context().newPage();
    await other.goto(`${provider.url}/leave`);
    assert.match(await textOf(other), /Logged out everywhere/);
    assert.equal(await isIn(page), false);
    await page.context().close();
  });

  test('a login may begin at the provider, where the module lets it', async () => {
    const page = await newVisitor();
    await page.goto(provider.startUrl(entity, urlOf('/from-outside')));
    await choose(page, 'alice');
    assert.equal((await seen(page)).path, '/from-outside');
    await configure({ allow_idp_initiated: false });
    const later = await newVisitor();
    await later.goto(provider.startUrl(entity, urlOf('/from-outside')));
    await later.click('button[value=alice]');
    await later.waitForURL(/\/acs$/);
    assert.match(await textOf(later), /have to begin here/);
    await configure();
    await Promise.all([page.context().close(), later.context().close()]);
  });
});

/** The first steps in the dashboard: an agent is added, its URL responds, and a request is explained. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { browserMissing, Platform, startBrowser, startUpstream, type Upstream } from '../harness/index.ts';
import { type OpenedPage, openPath, signedIn } from './dashboard.fixture.ts';
import { settled } from './dashboard-routes.fixture.ts';
import { faultsOfForms, picture } from './page-check.fixture.ts';

const NAME = 'demo.underpass.localhost';

describe('the first steps in the dashboard', { skip: browserMissing }, () => {
  let platform: Platform;
  let browser: Browser;
  let upstream: Upstream;
  let opened: OpenedPage;
  let page: Page;
  before(async () => {
    upstream = await startUpstream((_, response) => response.end('hello'));
    platform = await Platform.start();
    browser = await startBrowser();
    opened = await signedIn(browser, platform);
    page = opened.page;
  });
  after(async () => {
    await browser?.close();
    await platform?.stop();
    await upstream?.stop();
  });

  test('the first run leads to trust, and turns green when the first agent responds', async () => {
    await page.getByText('No name is served yet.').waitFor();
    const trust = page.getByRole('region', { name: 'Trust the authority' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      trust.getByRole('link', { name: 'Download the certificate' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), 'underpass-ca.crt');
    const authority = new X509Certificate(readFileSync(await download.path()));
    assert.ok(authority.ca);
    const fingerprint = authority.fingerprint256.replaceAll(':', '').toLowerCase();
    await trust.getByText(`sha256:${fingerprint}`).waitFor();
    await trust.getByLabel('The system or browser is').selectOption('macOS');
    await trust.getByText('security add-trusted-cert').waitFor();

    // Nothing is created by opening the page.
    const before = (await platform.api('GET', '/credentials')).json.credentials.length;
    assert.equal(await page.getByText('waiting for your agent').count(), 0);
    await page.getByRole('button', { name: 'Create the credential' }).click();
    await page.getByText('waiting for your agent').waitFor();
    assert.equal((await platform.api('GET', '/credentials')).json.credentials.length, before + 1);
    const token = await page.getByRole('region', { name: 'Commands' }).locator('code').first().innerText();
    // Each command is one line, which breaks in no word.
    await page.setViewportSize({ width: 390, height: 844 });
    const commands = page.getByRole('region', { name: 'Commands' }).locator('code');
    const boxes = await Promise.all((await commands.all()).map((code) => code.boundingBox()));
    for (const box of boxes) assert.ok(box !== null && box.height < 40, `${box?.height} pixels high`);
    await page.getByLabel('This machine is').selectOption('Docker');
    await page.getByText('--env UNDERPASS_AUTHTOKEN').waitFor();
    assert.deepEqual(await faultsOfForms(page, 'first-run'), []);
    const { url } = await platform.agent(['http', String(upstream.port), '--authtoken', token]);
    await page.getByText('● online').waitFor();
    assert.equal((await platform.visit(url)).status, 200);
    await page.getByText('answers 200').waitFor();
    await picture(page, 'first-run-green');
    await page.getByRole('button', { name: 'Go to Home' }).click();
    await page.getByRole('link', { name: '1 agents' }).waitFor();
  });

  test('an agent is added with the shown commands, and turns online, and its URL responds', async () => {
    // A visit before the agent is none of its responses.
    await platform.api('POST', '/reserved_domains', { domain: NAME });
    assert.equal((await platform.visit(NAME)).status, 404);
    await page.getByRole('link', { name: 'Add an agent' }).click();
    const name = page.getByLabel('It may bind');
    const create = page.getByRole('button', { name: 'Create the credential' });
    await name.fill('not a name');
    await create.click();
    await page.getByRole('status').getByText('not a name').waitFor();
    assert.equal(await page.getByText('underpass http').count(), 0);
    await name.fill(NAME);
    await create.click();
    const waiting = page.getByText('waiting for your agent');
    await waiting.waitFor();
    const commands = page.getByRole('region', { name: 'Commands' }).locator('code');
    const [token = '', login = '', http = ''] = await commands.allInnerTexts();
    assert.match(
      login,
      /^underpass login --server connect\.underpass\.localhost:\d+ --ca-fingerprint sha256:\w{64} --authtoken -$/,
    );
    assert.equal(http, `underpass http 3000 --domain ${NAME}`);
    const { json } = await platform.api('GET', '/credentials');
    assert.ok(json.credentials.some(({ acl }: { acl: readonly string[] }) => acl.includes(`bind:${NAME}`)));

    // An agent with another credential is not the one that is awaited.
    const looked = page.waitForResponse((response) => response.url().includes('/tunnel_sessions'));
    await platform.agent(['http', String(upstream.port), '--domain', 'other.underpass.localhost']);
    await looked;
    await waiting.waitFor();

    await platform.agent(['http', String(upstream.port), '--domain', NAME, '--authtoken', token]);
    await page.getByText('● online').waitFor();
    await page.getByText('Open it: its first response appears here.').waitFor();
    assert.equal(await page.getByText('answers').count(), 0);
    assert.equal((await platform.visit(NAME)).status, 200);
    await page.getByText('answers 200').waitFor();
  });

  test('an agent for any name is awaited, whatever other agents serve', async () => {
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Agents' }).click();
    await page.getByRole('link', { name: 'Add an agent' }).click();
    await page.getByRole('button', { name: 'Create the credential' }).click();
    const waiting = page.getByText('waiting for your agent');
    await waiting.waitFor();
    const looked = page.waitForResponse((response) => response.url().includes('/tunnel_sessions'));
    await platform.agent(['http', String(upstream.port), '--domain', 'third.underpass.localhost']);
    await looked;
    assert.ok(await waiting.isVisible());
  });

  test('Home has warnings and figures, and a request leads to its explanation', async () => {
    const entries = page.getByRole('navigation', { name: 'Pages' });
    await entries.getByRole('link', { name: 'Traffic' }).click();
    await page.getByRole('heading', { level: 1, name: 'Traffic' }).waitFor();
    assert.equal((await platform.visit(`https://${NAME}:${platform.port}/orders`)).status, 200);
    await page
      .getByRole('row', { name: `GET ${NAME}/orders` })
      .getByRole('link')
      .click();
    await page.getByRole('heading', { level: 1, name: `GET ${NAME}/orders` }).waitFor();
    await page.getByRole('link', { name: 'Explain' }).click();
    await page.getByRole('region', { name: 'Explanation' }).getByText('served', { exact: true }).waitFor();
    await page.getByText('only the network 127.0.0.0/24 of the visitor').waitFor();
    await entries.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: '4 agents' }).waitFor();
    await page.getByRole('region', { name: 'Last minute' }).getByText('Requests a second').waitFor();
    assert.deepEqual(await faultsOfForms(page, 'home-with-traffic'), []);
    assert.deepEqual(opened.faults, []);
  });

  test('bodies are recorded after a confirmation, shown, saved as HAR, and no longer after a stop', async () => {
    const url = `https://${NAME}:${platform.port}`;
    const post = async (path: string) => {
      const headers = { 'content-type': 'text/html' };
      const { status } = await platform.visit(`${url}${path}`, { method: 'POST', headers, body: HOSTILE });
      assert.equal(status, 200);
    };
    await openPath(page, `names/${NAME}`);
    await page.getByRole('button', { name: 'Record bodies for 15 minutes' }).click();
    const dialog = page.getByRole('dialog', { name: 'Record bodies?' });
    await dialog.getByText('All members and admins of').waitFor();
    await dialog.getByRole('button', { name: 'Record bodies' }).click();
    await page.getByText('Bodies are recorded until').waitFor();
    await post('/recorded');
    await openPath(page, 'traffic');
    await page.getByRole('region', { name: 'Recordings of bodies' }).getByText('recorded until').waitFor();
    const row = page.getByRole('row', { name: `POST ${NAME}/recorded` });
    await row.waitFor();
    const [{ entries }] = [await saved()];
    const { request, response } = entries.find((entry) => entry.request.url.endsWith('/recorded'))!;
    assert.deepEqual([request.postData?.text, response.content.text], [HOSTILE, 'hello']);
    await row.getByRole('link').click();
    const bodies = page.getByRole('region', { name: 'Bodies' });
    await bodies.getByText(HOSTILE, { exact: true }).waitFor();
    await bodies.getByText('hello', { exact: true }).waitFor();
    assert.equal(await page.locator('main img').count(), 0);
    assert.equal((await saved()).entries.length, 1);

    const { json: user } = await platform.api('POST', '/users', { name: 'Vi', role: 'viewer' });
    const { json: made } = await platform.api('POST', '/api_keys', { owner_id: user.id });
    const path = new URL(page.url()).pathname;
    const viewer = await signedIn(browser, platform, { path, key: made.token });
    await viewer.page.getByText('Viewers cannot read them.').waitFor();
    await viewer.page.getByText('Bodies are recorded until').waitFor();
    assert.equal(await viewer.page.getByRole('button', { name: /[Rr]ecord/ }).count(), 0);
    await viewer.page.context().close();

    await page.getByRole('button', { name: 'Stop recording' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Stop recording' }).click();
    await page.getByRole('button', { name: 'Record bodies for 15 minutes' }).waitFor();
    await post('/later');
    await openPath(page, 'traffic');
    await page
      .getByRole('row', { name: `POST ${NAME}/later` })
      .getByRole('link')
      .click();
    await page.getByRole('heading', { level: 1, name: `POST ${NAME}/later` }).waitFor();
    assert.equal(await bodies.count(), 0);
    assert.deepEqual(opened.faults, []);
  });

  test('an open Home spends one request, and reads the overview where no stream is', async () => {
    const entries = page.getByRole('navigation', { name: 'Pages' });
    await page.clock.install();
    await entries.getByRole('link', { name: 'Certificates' }).click();
    await page.getByRole('heading', { level: 1, name: 'Certificates' }).waitFor();
    await settled(page);
    const paths: string[] = [];
    page.on('request', (request) => {
      const { pathname, search } = new URL(request.url());
      // Files of the page count for no account.
      if (!/^\/(ui|docs)\//.test(pathname)) paths.push(`${pathname}${search}`);
    });
    await entries.getByRole('link', { name: 'Home' }).click();
    const agents = page.getByRole('link', { name: / agents$/ });
    await agents.waitFor();
    const line = page.getByRole('img', { name: /requests in the last hour/ });
    const before = await line.getAttribute('aria-label');
    // All timers of a minute, in less time.
    await page.clock.runFor(60_000);
    assert.equal((await platform.visit(NAME)).status, 200);
    const shown = Number.parseInt(before ?? '', 10) + 1;
    await page.getByRole('img', { name: `${shown} requests in the last hour` }).waitFor();
    assert.deepEqual(paths, ['/stream?topics=overview']);

    assert.deepEqual(opened.faults, []);
    await page.route('**/stream?topics=overview', (route) => route.abort());
    await entries.getByRole('link', { name: 'Certificates' }).click();
    await entries.getByRole('link', { name: 'Home' }).click();
    await agents.waitFor();
    assert.ok(paths.includes('/overview'));
  });

  /** The requests of the page as the browser saves them. */
  async function saved(): Promise<HarLog> {
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as HAR' }).click();
    return JSON.parse(readFileSync(await (await download).path(), 'utf8')).log;
  }
});

const HOSTILE = '<img src=x onerror=ran=1>';

interface HarLog {
  readonly entries: readonly {
    readonly request: { readonly url: string; readonly postData?: { readonly text: string } };
    readonly response: { readonly content: { readonly text?: string } };
  }[];
}

/** The first steps in the dashboard: an agent is added, its URL responds, and a request is explained. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { browserMissing, Platform, startBrowser, startUpstream, type Upstream } from '../harness/index.ts';
import { type OpenedPage, signedIn } from './dashboard.fixture.ts';

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

  test('an agent is added with the shown commands, and turns online, and its URL responds', async () => {
    await page.getByText('No name is served yet.').waitFor();
    await page.getByRole('link', { name: 'Add an agent' }).click();
    await page.getByLabel('It may bind').fill(NAME);
    await page.getByRole('button', { name: 'Create the credential' }).click();
    await page.getByText('waiting for your agent').waitFor();
    const commands = page.getByRole('region', { name: 'Commands' }).locator('code');
    const [token = '', login = '', http = ''] = await commands.allInnerTexts();
    assert.match(
      login,
      /^underpass login --server connect\.underpass\.localhost:\d+ --ca-fingerprint sha256:\w{64} --authtoken -$/,
    );
    assert.equal(http, `underpass http 3000 --domain ${NAME}`);
    const { json } = await platform.api('GET', '/credentials');
    assert.ok(json.credentials.some(({ acl }: { acl: readonly string[] }) => acl.includes(`bind:${NAME}`)));

    await platform.agent(['http', String(upstream.port), '--domain', NAME, '--authtoken', token]);
    await page.getByText('● online').waitFor();
    assert.equal((await platform.visit(NAME)).status, 200);
    await page.getByText('answers 200').waitFor();
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
    await entries.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: '1 agents' }).waitFor();
    await page.getByRole('region', { name: 'Last minute' }).getByText('Requests a second').waitFor();
    assert.deepEqual(opened.faults, []);
  });
});

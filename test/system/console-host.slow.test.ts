/** A console at a name of its own, in a browser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { linkToken } from './console.fixture.ts';
import { openPage } from './dashboard.fixture.ts';

const HOST = 'console.example.net';

describe('the console at a name of its own', { skip: browserMissing }, () => {
  let platform: Platform;
  let browser: Browser;
  before(async () => {
    platform = await Platform.start({ args: ['--console-host', HOST] });
    browser = await startBrowser({ args: [`--host-resolver-rules=MAP ${HOST} 127.0.0.1`] });
  });
  after(async () => {
    await browser?.close();
    await platform.stop();
  });

  test('a link signs in there, every page works, and browsers at the API are led there', async () => {
    const consoleUrl = `https://${HOST}:${platform.port}`;
    const link = `${consoleUrl}/ui/sign-in#${await linkToken(platform)}`;
    const { page, hosts, faults } = await openPage(browser, platform, link);
    const pages = page.getByRole('navigation', { name: 'Pages' });
    await pages.waitFor();
    assert.ok(!page.url().includes('#'), 'the token is gone');
    const [cookie, ...others] = await page.context().cookies();
    assert.deepEqual([cookie?.domain, cookie?.sameSite, others.length], [HOST, 'Strict', 0]);
    const entries = pages.getByRole('link');
    for (const name of await entries.allInnerTexts()) {
      await entries.filter({ hasText: new RegExp(`^${name}$`) }).click();
      const title = name === 'Access' ? 'Credentials' : name;
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
    }
    assert.deepEqual([...hosts], [`${HOST}:${platform.port}`], 'it needs no other host');
    assert.deepEqual(faults, []);

    for (const from of ['/', '/ui/agents']) {
      const { page: other } = await openPage(browser, platform, from);
      await other.getByLabel('API key').waitFor();
      assert.equal(new URL(other.url()).origin, consoleUrl, from);
      await other.context().close();
    }
    const former = await openPage(browser, platform, `/ui/sign-in#${await linkToken(platform)}`);
    await former.page.getByRole('navigation', { name: 'Pages' }).waitFor();
    assert.equal(new URL(former.page.url()).origin, consoleUrl, 'a link of the time before');
    await page.goto(`${consoleUrl}/docs`);
    assert.equal(page.url(), `${platform.bootstrap.base_url}/docs`);
    const seen = await page.evaluate(
      "fetch('/me', { headers: { 'service-version': '2' } }).then(({ status }) => status)",
    );
    assert.equal(seen, 401, 'a page of the API has no session');
  });
});

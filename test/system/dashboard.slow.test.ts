/** The dashboard in a browser: sign-in, navigation, keys, themes and widths, without a breach of its policy. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { openPage, signedIn } from './dashboard.fixture.ts';

describe('the dashboard', { skip: browserMissing }, () => {
  let platform: Platform;
  let browser: Browser;
  before(async () => {
    platform = await Platform.shared();
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await platform.stop();
  });

  test('a user signs in, and every entry of the navigation opens a page', async () => {
    const { page, faults, hosts } = await signedIn(browser, platform);
    const entries = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    for (const name of await entries.allInnerTexts()) {
      await entries.filter({ hasText: new RegExp(`^${name}$`) }).click();
      await page.getByRole('heading', { level: 1, name }).waitFor();
      assert.equal(await page.title(), `${name} · Underpass`);
    }
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Resources' }).waitFor();
    assert.deepEqual([...hosts], [new URL(platform.bootstrap.base_url).host]);
    assert.deepEqual(faults, []);
  });

  test('the keys open the palette and the help, and the theme changes', async () => {
    const { page, faults } = await signedIn(browser, platform, { colorScheme: 'light' });
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page, name or id' }).fill('cert');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Certificates' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: 'Theme: system' }).click();
    await page.getByRole('button', { name: 'Theme: light' }).click();
    assert.notEqual(await background(), light);
    assert.deepEqual(faults, []);
  });

  test('a wrong key is refused with a reason, and a token leaves the address', async () => {
    const { page } = await openPage(browser, platform, '/ui/sign-in#0123456789abcdef');
    await page.getByRole('heading', { name: 'Underpass' }).waitFor();
    assert.equal(new URL(page.url()).hash, '');
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    assert.match((await page.getByRole('alert').filter({ hasText: /./ }).textContent()) ?? '', /key/i);
  });
});

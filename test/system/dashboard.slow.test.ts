/** The dashboard in a browser: sign-in, navigation, keys, themes and widths, without a breach of its policy. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { openPage, openPath, signedIn } from './dashboard.fixture.ts';

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

  test('of 10,000 rows those in sight are drawn, and keys go through all of them', async () => {
    const { page, faults } = await signedIn(browser, platform);
    const policies = Array.from({ length: 10_000 }, (_, at) => ({
      ...{ id: `ipp_${String(at).padStart(27, '0')}`, description: `Policy ${at}` },
      created_at: '2026-01-01T00:00:00Z',
    }));
    const body = JSON.stringify({ ip_policies: policies, uri: '', next_page_uri: null });
    await page.route('**/ip_policies?*', (route) => route.fulfill({ body, contentType: 'application/json' }));
    await openPath(page, 'resources/ip_policy');
    const table = page.getByRole('table', { name: 'IP policies' });
    await table.getByRole('link', { name: 'Policy 0', exact: true }).waitFor();
    assert.equal(await table.getAttribute('aria-rowcount'), '10001');
    assert.ok((await table.getByRole('row').count()) < 100);
    await page.keyboard.press('j');
    for (let presses = 0; presses < 60; presses++) await page.keyboard.press('j');
    const focused = table.getByRole('link', { name: 'Policy 60', exact: true });
    await focused.and(page.locator(':focus')).waitFor();
    assert.ok((await table.getByRole('row').count()) < 100);
    await table.locator('tbody').evaluate('(element) => element.scrollTo(0, element.scrollHeight)');
    await page.mouse.wheel(0, 1);
    await focused.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/ipp_0+60$/);
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

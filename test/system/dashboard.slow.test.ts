/** The dashboard in a browser: sign-in, navigation, keys, themes and widths, without a breach of its policy. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { linkToken } from './console.fixture.ts';
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
      // The first part of the page has a name of its own.
      const title = name === 'Access' ? 'Credentials' : name;
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      assert.equal(await page.title(), `${title} · Underpass`);
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
    await page.evaluate(`document.querySelector('main tbody').scrollTo(0, 1e9)`);
    await table.getByRole('link', { name: 'Policy 9999', exact: true }).waitFor();
    await page.mouse.wheel(0, 1);
    await focused.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForURL(/ipp_0+60$/);
    assert.deepEqual(faults, []);
  });

  test('a wrong key is refused with a reason', async () => {
    const { page } = await openPage(browser, platform, '/ui/');
    await page.getByLabel('API key').fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    assert.match((await page.getByRole('alert').filter({ hasText: /./ }).textContent()) ?? '', /key/i);
  });

  test('a link signs in once, its token leaves the address, and the session ends at sign-out', async () => {
    const path = `/ui/sign-in#${await linkToken(platform)}`;
    const { page, faults } = await openPage(browser, platform, path);
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/ui/');
    assert.equal(new URL(page.url()).hash, '');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
    assert.equal(await page.evaluate('JSON.stringify(localStorage)'), '{"theme":"system"}');
    const { json: eve } = await platform.api('POST', '/users', { name: 'Eve' });
    const { json: key } = await platform.api('POST', '/api_keys', { owner_id: eve.id });
    const other = `${platform.bootstrap.base_url}/ui/sign-in#${await linkToken(platform, key.token)}`;
    for (const [choice, user] of [
      ['Stay signed in', 'Administrator'],
      ['Sign in with the link', 'Eve'],
    ] as const) {
      await page.goto(other);
      await page.getByRole('alert').filter({ hasText: 'another user' }).waitFor();
      await page.getByRole('button', { name: choice }).click();
      await page.getByText(`· ${user}`).waitFor();
    }
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await page.reload();
    await page.getByLabel('API key').waitFor();
    assert.deepEqual(faults, []);
    const { page: again } = await openPage(browser, platform, path);
    assert.match(
      (await again.getByRole('alert').filter({ hasText: /./ }).textContent()) ?? '',
      /link|token/i,
    );
    assert.equal(new URL(again.url()).hash, '');
  });

  test('a viewer sees no button that changes something', async () => {
    const { base_url, api_key } = platform.bootstrap;
    const admin = {
      authorization: `Bearer ${api_key}`,
      'service-version': '2',
      'content-type': 'application/json',
    };
    const post = async (path: string, body: object) => {
      const init = { method: 'POST', headers: admin, body: JSON.stringify(body) };
      return (await platform.client.request(new URL(path, base_url), init)).json;
    };
    const user = await post('/users', { name: 'Vera', role: 'viewer' });
    const key = await post('/api_keys', { owner_id: user.id });
    const policy = await post('/ip_policies', { description: 'Seen' });
    const { page, faults } = await signedIn(browser, platform, { path: '/ui/resources', key: key.token });
    await page.getByRole('link', { name: 'IP policies' }).waitFor();
    assert.equal(await page.getByRole('link', { name: /^New/ }).count(), 0);
    await openPath(page, `resources/ip_policy/${policy.id}`);
    await page.getByRole('heading', { level: 1, name: 'Seen' }).waitFor();
    for (const name of ['Save', 'Delete']) assert.equal(await page.getByRole('button', { name }).count(), 0);
    await openPath(page, 'resources/ip_policy/new');
    await page.getByText('This page creates nothing that you may create.').waitFor();
    assert.deepEqual(faults, []);
  });
});

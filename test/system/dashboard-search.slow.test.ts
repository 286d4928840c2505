/** Search and filters of the dashboard: the API finds, so what is found does not depend on what the page has loaded. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Request } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { openPath, signedIn } from './dashboard.fixture.ts';
import { picture } from './page-check.fixture.ts';

const COUNT = 130;
/** Lists that the palette searches. */
const LISTS = 14;

describe('search in the dashboard', { skip: browserMissing }, () => {
  let platform: Platform;
  let browser: Browser;
  const post = async (path: string, body: object) => (await platform.api('POST', path, body)).json;
  before(async () => {
    platform = await Platform.shared();
    browser = await startBrowser();
    await post('/ip_policies', { description: 'The oldest' });
    for (let at = 0; at < COUNT; at++) await post('/ip_policies', { description: `Policy ${at}` });
  });
  after(async () => {
    await browser?.close();
    await platform.stop();
  });

  test('a list searches and filters at the API, with its state in the address and errors at the field', async () => {
    const { page, faults } = await signedIn(browser, platform);
    await openPath(page, 'resources/ip_policy');
    const table = page.getByRole('table', { name: 'IP policies' });
    const rows = table.getByRole('row');
    await table.getByRole('link', { name: `Policy ${COUNT - 1}`, exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('OLDEST');
    await table.getByRole('link', { name: 'The oldest' }).waitFor();
    await page.waitForURL(/\?q=OLDEST$/);
    await page.getByRole('searchbox', { name: 'Search these resources' }).fill('');
    const filter = page.getByRole('textbox', { name: 'Filter' });
    await filter.fill('description starts_with "policy 12"');
    await filter.press('Enter');
    await rows.nth(12).waitFor({ state: 'detached' });
    await table.getByRole('link', { name: 'Policy 129' }).waitFor();
    assert.equal(await rows.count(), 1 + 11);
    await page.reload();
    await table.getByRole('link', { name: 'Policy 12', exact: true }).waitFor();
    assert.equal(await filter.inputValue(), 'description starts_with "policy 12"');
    await filter.fill('colour = red');
    await filter.press('Enter');
    await page.locator('[aria-invalid=true]').waitFor();
    assert.equal(await filter.getAttribute('aria-invalid'), 'true');
    assert.match((await page.getByRole('alert').textContent()) ?? '', /"colour".*description/);
    await filter.fill('description = nothing');
    await filter.press('Enter');
    await page.getByText('No resource matches "description = nothing".').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await table.getByRole('link', { name: `Policy ${COUNT - 1}`, exact: true }).waitFor();
    assert.equal(new URL(page.url()).search, '');
    assert.equal(await filter.inputValue(), '');
    assert.deepEqual(faults, []);
  });

  test('the palette finds names, ports and ids, and drops requests for earlier texts', async () => {
    await post('/reserved_domains', { name: 'palette-shop.underpass.localhost' });
    const edge = await post('/edges/https', { description: 'The palette edge' });
    await post('/credentials', { description: 'palette agent' });
    const { page, faults } = await signedIn(browser, platform);
    let searches = 0;
    const running: string[] = [];
    const searched = (request: Request) => {
      const { pathname, searchParams } = new URL(request.url());
      return searchParams.has('q') ? pathname : '';
    };
    page.on('request', (request) => {
      const path = searched(request);
      if (path === '') return;
      searches++;
      assert.ok(!running.includes(path), `one request at a time: ${path}`);
      running.push(path);
    });
    for (const end of ['requestfinished', 'requestfailed'] as const)
      page.on(end as 'requestfinished', (request) => {
        const at = running.indexOf(searched(request));
        if (at >= 0) running.splice(at, 1);
      });
    const field = page.getByRole('searchbox', { name: 'Page, name or id' });
    const dialog = page.getByRole('dialog', { name: 'Go to' });
    await page.keyboard.press('Control+k');
    await field.pressSequentially('palette');
    for (const name of [/palette-shop/, /The palette edge/, /palette agent/])
      await dialog.getByRole('link', { name }).waitFor();
    assert.ok(
      searches > 0 && searches % LISTS === 0 && searches < LISTS * 'palette'.length,
      String(searches),
    );
    assert.equal(
      await dialog.getByRole('link', { name: /palette-shop/ }).count(),
      1,
      'a name and its reservation',
    );
    await field.fill('policy');
    await dialog.getByRole('link', { name: 'More ip policies' }).waitFor();
    await picture(page, 'palette-wide');
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'palette-390');
    await page.setViewportSize({ width: 1280, height: 720 });
    for (let row = 0; row < 5; row++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/resources\/ip_policy\?q=policy$/);
    await page.keyboard.press('Control+k');
    await field.fill(String(edge.id));
    await dialog.getByRole('link', { name: /The palette edge/ }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'The palette edge' }).waitFor();
    await page.keyboard.press('Control+k');
    await field.fill('nothing is like this');
    await dialog.getByText('Nothing has this name.').waitFor();
    assert.deepEqual(faults, []);
  });

  test('a module is removed only from the version that the form shows', async () => {
    const edge = await post('/edges/tls', { tls_termination: { terminate_at: 'edge' } });
    const { page, faults } = await signedIn(browser, platform);
    await openPath(page, `resources/tls_edge/${edge.id}`);
    await page.getByRole('switch', { name: 'tls termination' }).click();
    const { json } = await platform.api('PATCH', `/edges/tls/${edge.id}`, { description: 'theirs' });
    assert.equal(json.description, 'theirs');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').filter({ hasText: 'changed meanwhile' }).waitFor();
    const { json: kept } = await platform.api('GET', `/edges/tls/${edge.id}`);
    assert.notEqual(kept.tls_termination, null);
    assert.deepEqual(faults, []);
  });
});

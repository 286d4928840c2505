/** Every kind of resource is created, changed and deleted by its form in the dashboard. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { resourceTables } from '@underpass/client/operations';
import type { Browser, Page } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { openPath, signedIn } from './dashboard.fixture.ts';

/** Kinds with a creation of their own, and without a parent. An alias is the same kind under another name. */
const KINDS = resourceTables.flatMap(({ kind, verbs }) => {
  const create = verbs.find(({ name }) => name === 'create');
  const isRoot = create !== undefined && create.parameters.length === 0;
  return kind === null || !isRoot || kind.aliasOf !== undefined ? [] : [kind.name];
});

describe('resources in the dashboard', { skip: browserMissing }, () => {
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

  const call = async (method: string, path: string, body: object) => {
    const { base_url, api_key } = platform.bootstrap;
    const headers = {
      ...{ authorization: `Bearer ${api_key}`, 'service-version': '2' },
      'content-type': 'application/json',
    };
    const url = new URL(path, base_url);
    return (await platform.client.request(url, { method, headers, body: JSON.stringify(body) })).json;
  };

  const idOnPage = async (page: Page): Promise<string> => {
    await page.getByRole('button', { name: 'Copy id' }).waitFor();
    return decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1) ?? '');
  };

  /** Returns the id; null if the example needs a resource that is not there yet. */
  async function create(page: Page, kind: string): Promise<string | null> {
    await openPath(page, `resources/${kind}/new`);
    await page.getByRole('button', { name: 'Fill in the example' }).click();
    await page.getByRole('status').filter({ hasText: 'The example is filled in' }).waitFor();
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    const fault = page.getByRole('alert').first();
    const done = page.getByRole('button', { name: 'Done' });
    const copy = page.getByRole('button', { name: 'Copy id' });
    await fault.or(done).or(copy).first().waitFor();
    if (await fault.isVisible()) return null;
    if (await done.isVisible()) await done.click();
    return await idOnPage(page);
  }

  async function edit(page: Page, text: string): Promise<void> {
    const field = page.getByLabel('description', { exact: true });
    await field.fill(text);
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('button:disabled', { hasText: 'Save' }).waitFor();
    assert.equal(await page.getByRole('alert').count(), 0, await page.locator('main').innerText());
    assert.equal(await field.inputValue(), text);
  }

  /** Returns false if something still uses it. */
  async function remove(page: Page, kind: string, id: string): Promise<boolean> {
    await openPath(page, `resources/${kind}/${id}`);
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Delete / })
      .click();
    const fault = page.getByRole('alert').first();
    const isGone = page.waitForURL(({ pathname }) => pathname === `/ui/resources/${kind}`).then(() => true);
    const isLeft = fault.waitFor().then(() => false);
    isGone.catch(() => null);
    isLeft.catch(() => null);
    return await Promise.race([isGone, isLeft]);
  }

  test('each kind is created with its example, changed and deleted', async () => {
    const { page, faults } = await signedIn(browser, platform);
    const ids = new Map<string, string>();
    for (let waiting = KINDS; waiting.length > 0; ) {
      const left: string[] = [];
      for (const kind of waiting) {
        const id = await create(page, kind);
        if (id === null) {
          left.push(kind);
          continue;
        }
        ids.set(kind, id);
        if ((await page.getByLabel('description', { exact: true }).count()) > 0)
          await edit(page, `${kind}, edited`);
      }
      assert.ok(left.length < waiting.length, `these cannot be created: ${left}`);
      waiting = left;
    }
    assert.ok(ids.size > 22, String(ids.size));
    for (let waiting = [...ids].reverse(); waiting.length > 0; ) {
      const left: [string, string][] = [];
      for (const [kind, id] of waiting) if (!(await remove(page, kind, id))) left.push([kind, id]);
      assert.ok(left.length < waiting.length, `these cannot be deleted: ${left}`);
      waiting = left;
    }
    assert.deepEqual(faults, []);
  });

  test('an edge is created by keys alone, with a module and an error at its field', async () => {
    const { page, faults } = await signedIn(browser, platform);
    const tabTo = async (name: string) => {
      const wanted = page
        .getByLabel(name, { exact: true })
        .or(page.getByRole('button', { name, exact: true }));
      for (let presses = 0; presses < 80; presses++) {
        await page.keyboard.press('Tab');
        if ((await wanted.and(page.locator(':focus')).count()) > 0) return;
      }
      assert.fail(`the Tab key does not reach ${name}`);
    };
    await openPath(page, 'resources/tls_edge/new');
    await page.getByLabel('description', { exact: true }).waitFor();
    await tabTo('description');
    await page.keyboard.type('By keys');
    await tabTo('Add hostport');
    await page.keyboard.press('Enter');
    await tabTo('hostports 1');
    await page.keyboard.type('not reserved');
    await tabTo('tls termination');
    await page.keyboard.press('Space');
    await tabTo('Create');
    await page.keyboard.press('Enter');
    const field = page.getByLabel('hostports 1', { exact: true });
    await page.locator('[aria-invalid=true]').first().waitFor();
    assert.equal(await field.getAttribute('aria-invalid'), 'true');
    await field.and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await tabTo('Create');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'By keys' }).waitFor();
    assert.ok(await page.getByRole('switch', { name: 'tls termination' }).isChecked());
    assert.deepEqual(faults, []);
  });

  test('a module is removed by its switch, and a change elsewhere is not overwritten', async () => {
    const { page, faults } = await signedIn(browser, platform);
    const edge = await call('POST', '/edges/tls', {
      ...{ description: 'one', tls_termination: { terminate_at: 'edge' } },
    });
    await openPath(page, `resources/tls_edge/${edge.id}`);
    await page.getByRole('switch', { name: 'tls termination' }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.locator('button:disabled', { hasText: 'Save' }).waitFor();
    await page.reload();
    await page.getByLabel('description', { exact: true }).waitFor();
    assert.equal(await page.getByRole('switch', { name: 'tls termination' }).isChecked(), false);
    await page.getByLabel('description', { exact: true }).fill('mine');
    await call('PATCH', `/edges/tls/${edge.id}`, { description: 'theirs' });
    await page.getByText('It was changed elsewhere.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByRole('button', { name: 'Load the new version' }).click();
    assert.equal(await page.getByLabel('description', { exact: true }).inputValue(), 'theirs');
    assert.deepEqual(faults, []);
  });

  test('a resource leads to those that use it, and an edge to its routes', async () => {
    const { page, faults } = await signedIn(browser, platform);
    const backend = await call('POST', '/backends/http_response', { body: 'hello' });
    const edge = await call('POST', '/edges/https', { description: 'With a route' });
    await openPath(page, `resources/https_edge/${edge.id}`);
    await page.getByRole('link', { name: 'New: route of an HTTPS edge' }).click();
    await page.getByLabel('match type').selectOption('path_prefix');
    await page.getByRole('textbox', { name: /^match required/ }).fill('/admin');
    await page.getByRole('switch', { name: 'backend' }).click();
    await page.getByRole('combobox', { name: /^backend id/ }).fill(backend.id);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: '/admin' }).waitFor();
    await openPath(page, `id/${backend.id}`);
    await page.getByRole('region', { name: 'Used by' }).getByRole('link').click();
    await page.getByRole('heading', { level: 1, name: '/admin' }).waitFor();
    assert.deepEqual(faults, []);
  });

  test('texts of tenants are texts on every page', async () => {
    const { page, faults } = await signedIn(browser, platform);
    const hostile = `<img src=x onerror="document.title='run'">"'\`\${7*7}{{7*7}}javascript:`;
    await openPath(page, 'resources/ip_policy/new');
    await page.getByLabel('description', { exact: true }).fill(hostile);
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: hostile }).waitFor();
    await openPath(page, 'resources/ip_policy');
    await page.getByRole('row').filter({ hasText: hostile }).waitFor();
    assert.equal(await page.locator('img').count(), 0);
    assert.notEqual(await page.title(), 'run');
    assert.deepEqual(faults, []);
  });
});

/** The page at /docs, in a browser: it shows the API in groups, on every screen, and what it fills in works. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';

describe('the page of the API', { skip: browserMissing }, () => {
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

  /** Opens a page on which errors fail the test; returns the targets of its requests. */
  async function open(path: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true });
    const page = await context.newPage();
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).host));
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    await page.goto(new URL(path, platform.bootstrap.base_url).href);
    await page.locator('body[data-ready]').waitFor();
    return { page, hosts, faults };
  }

  const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');

  test('everything comes from the daemon', async () => {
    const { page, hosts, faults } = await open('/docs');
    assert.deepEqual([...hosts], [new URL(platform.bootstrap.base_url).host]);
    assert.deepEqual(faults, []);
    assert.equal(await page.locator('h2').first().innerText(), 'Backends');
    assert.equal(await page.locator('h3').first().innerText(), 'HTTP response backends');
    await page.locator('#search').fill('reserved address create');
    assert.deepEqual(await page.locator('details.row:visible .summary').allInnerTexts(), [
      'Create a reserved address',
    ]);
    await page.locator('#search').fill('');
    await page.evaluate("location.hash = '#names_list'");
    const row = page.locator('#names_list');
    await row.getByLabel('name', { exact: true }).fill('shop');
    await row.getByText('As curl, command or TypeScript').click();
    assert.match(await row.getByRole('region', { name: 'curl' }).innerText(), /\/names\?name=shop'/);
    assert.match(
      await row.getByRole('region', { name: 'Command' }).innerText(),
      /underpass api names list --name shop/,
    );
    assert.deepEqual(faults, []);
  });

  test('it is dark for who wants that, and fits a phone', async () => {
    const { page: light } = await open('/docs', { colorScheme: 'light' });
    const { page: dark, faults } = await open('/docs#tls_edge_create', {
      colorScheme: 'dark',
      viewport: { width: 390, height: 844 },
      isMobile: true,
    });
    assert.equal(await background(light), 'rgb(255, 255, 255)');
    assert.equal(await background(dark), 'rgb(18, 22, 28)');
    // An address leads to an operation.
    await dark.locator('#tls_edge_create form').waitFor();
    assert.equal(await dark.evaluate('document.documentElement.scrollWidth'), 390);
    await dark.locator('#contents').click();
    await dark.getByRole('link', { name: 'TLS certificates' }).click();
    await dark.locator('#tls-certificates h3').waitFor();
    // The contents are hidden after a selection.
    await dark.locator('nav').waitFor({ state: 'hidden' });
    assert.deepEqual(faults, []);
  });

  test('what it fills in works: every creation is done by pressing a button, with ids that it finds', async () => {
    const { page, faults } = await open('/docs');
    await page.locator('#key').fill(platform.bootstrap.api_key);
    let waiting = await page
      .locator('details.row[id$="_create"]')
      .evaluateAll((rows) => rows.map(({ id }) => id));
    assert.ok(waiting.length > 25);
    while (waiting.length > 0) {
      const left: string[] = [];
      for (const id of waiting) if (!(await isCreated(page, id))) left.push(id);
      assert.ok(left.length < waiting.length, `these never work: ${left}`);
      waiting = left;
    }
    assert.deepEqual(faults, []);
  });

  /** Returns false if the page requires another resource first. */
  async function isCreated(page: Page, operation: string): Promise<boolean> {
    const row = page.locator(`#${operation}`);
    await row.locator('> summary').click();
    // Until then there is the form of the time before, where there was one.
    await page.waitForURL(({ hash }) => hash === `#${operation}`);
    // It looks for the ids by itself.
    await row.locator('form:not([aria-busy])').waitFor();
    const notice = row.locator('.notice');
    const needs = await notice.innerText();
    if (needs === '') {
      await row.getByRole('button', { name: 'Send' }).click();
      const line = row.locator('.result .good, .result .bad');
      await line.waitFor();
      assert.match(
        await line.innerText(),
        // Creating a link into the console makes no resource, and returns 200.
        /^20[01] /,
        `${operation}: ${await row.locator('.result').innerText()}`,
      );
    }
    await row.locator('> summary').click();
    return needs === '';
  }

  test('a key that is wrong, and text that is no JSON, are answered as the API answers them', async () => {
    const { page } = await open('/docs#ip_policy_create');
    const form = page.locator('#ip_policy_create form');
    await form.getByRole('button', { name: 'Send' }).click();
    assert.match(await form.locator('.notice').innerText(), /API key/);
    await page.locator('#key').fill('wrong');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('.bad').waitFor();
    assert.match(await form.locator('.result').innerText(), /^401 [\s\S]*_202/);
    await page.locator('#key').fill(platform.bootstrap.api_key);
    await form.locator('textarea').fill('{"description": "<img src=x onerror=alert(1)>"');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('.bad', { hasText: '400' }).waitFor();
    assert.match(await form.locator('.result').innerText(), /_213/);
    await form.locator('textarea').fill('{"description": "<img src=x onerror=alert(1)>"}');
    await form.getByRole('button', { name: 'Send' }).click();
    await form.locator('.good').waitFor();
    assert.match(await form.locator('.result pre').innerText(), /<img src=x onerror=alert\(1\)>/);
    assert.equal(await page.locator('img').count(), 0);
  });
});

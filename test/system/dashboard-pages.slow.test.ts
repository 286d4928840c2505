/** Each page of the dashboard in both themes and widths: accessible, without overflow, with a picture of each. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { openPage, openPath, signedIn } from './dashboard.fixture.ts';

/** Evaluated by the debugger, which the policy of the page does not concern. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Path below /ui/ and the heading of the page. */
const PAGES = [
  ['', 'Home'],
  ['resources', 'Resources'],
  ['resources/https_edge', 'HTTPS edges'],
  ['resources/ip_policy', 'IP policies'],
  ['resources/https_edge/new', 'New: HTTPS edge'],
  ['resources/event_destination/new', 'New: event destination'],
] as const;

const FORMS = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
] as const;

describe('the pages of the dashboard', { skip: browserMissing }, () => {
  let platform: Platform;
  let browser: Browser;
  let edge = '';
  before(async () => {
    platform = await Platform.shared();
    browser = await startBrowser();
    const create = async (path: string, body: object): Promise<{ id: string }> => {
      const { base_url, api_key } = platform.bootstrap;
      const headers = { authorization: `Bearer ${api_key}`, 'service-version': '2' };
      const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' } };
      return (await platform.client.request(new URL(path, base_url), { ...init, body: JSON.stringify(body) }))
        .json;
    };
    await create('/ip_policies', { description: 'The office' });
    const { id } = await create('/edges/https', { description: 'The shop', mutual_tls: null });
    await create(`/edges/https/${id}/routes`, { match_type: 'path_prefix', match: '/admin' });
    edge = id;
  });
  after(async () => {
    await browser?.close();
    await platform.stop();
  });

  for (const { width, colorScheme } of FORMS)
    test(`nothing overflows and axe finds nothing at ${width} pixels, ${colorScheme}`, async () => {
      const options = { colorScheme, viewport: { width, height: 844 } };
      const { page: before } = await openPage(browser, platform, '/ui/', options);
      await before.getByLabel('API key').waitFor();
      await picture(before, `sign-in-${width}-${colorScheme}`);
      assert.deepEqual(await seriousFindings(before), [], 'sign-in');
      const { page, faults } = await signedIn(browser, platform, options);
      for (const [path, heading] of [...PAGES, [`resources/https_edge/${edge}`, 'The shop'] as const]) {
        await openPath(page, path);
        await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
        await page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
        await picture(
          page,
          `${path.replace(edge, 'one').replaceAll('/', '-') || 'home'}-${width}-${colorScheme}`,
        );
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, path);
        assert.deepEqual(await seriousFindings(page), [], path);
      }
      assert.deepEqual(faults, []);
    });
});

/** Findings of axe that are serious or critical. */
async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(`${axe}; null`);
  return await page.evaluate(`(async () => {
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).slice(0, 3).join(' '));
  })()`);
}

/** Folder of the pictures; none are taken without it. */
const pictures = process.env.TEST_PICTURES ?? '';

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === '') return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

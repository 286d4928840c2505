/** Each page of the dashboard in both themes and widths: accessible, without overflow, with a picture of each. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { openPage, openPath, signedIn } from './dashboard.fixture.ts';
import { pathsOfPages, settled } from './dashboard-routes.fixture.ts';
import { picture, pictures, seriousFindings } from './page-check.fixture.ts';

/** Each width and theme once; pictures show all combinations. */
const FORMS = [
  { width: 1280, colorScheme: 'light' },
  { width: 390, colorScheme: 'dark' },
  ...(pictures === ''
    ? []
    : ([
        { width: 1280, colorScheme: 'dark' },
        { width: 390, colorScheme: 'light' },
      ] as const)),
] as const;

describe('the pages of the dashboard', { skip: browserMissing }, () => {
  let platform: Platform;
  let browser: Browser;
  let paths: readonly string[] = [];
  before(async () => {
    platform = await Platform.shared();
    browser = await startBrowser();
    const create = async (path: string, body: object) => (await platform.api('POST', path, body)).json;
    const policy = await create('/ip_policies', { description: 'The office' });
    const edge = await create('/edges/https', { description: 'The shop', mutual_tls: null });
    await create(`/edges/https/${edge.id}/routes`, { match_type: 'path_prefix', match: '/admin' });
    const { url } = await platform.agent(['http', '1', '--domain', 'pages.underpass.localhost']);
    for (let visits = 0; visits < 3; visits++) await platform.visit(`${url}/orders/${visits}`);
    paths = await pathsOfPages([
      { kind: 'https_edge', id: edge.id, name: new URL(url).hostname },
      { kind: 'ip_policy', id: policy.id },
      { kind: 'event_destination' },
      { policy: policy.id },
    ]);
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
      for (const path of paths) {
        await openPath(page, path);
        await settled(page);
        await picture(page, `${nameOf(path)}-${width}-${colorScheme}`);
        assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, path);
        assert.deepEqual(await seriousFindings(page), [], path);
      }
      assert.deepEqual(faults, []);
    });

  test('the Tab key leads past the navigation and through each page, with a visible focus', async () => {
    const { page, faults } = await signedIn(browser, platform);
    for (const path of paths) {
      await page.goto(new URL(`/ui/${path}`, platform.bootstrap.base_url).href);
      await settled(page);
      await page.keyboard.press('Tab');
      await page.getByRole('link', { name: 'Skip to the page' }).and(page.locator(':focus')).waitFor();
      await page.keyboard.press('Enter');
      await page.locator('main:focus').waitFor();
      for (let presses = 0; presses < STOPS; presses++) {
        await page.keyboard.press('Tab');
        const stop = await page.evaluate<Stop | null>(FOCUSED);
        if (stop === null) break;
        assert.ok(stop.isVisible, `${path}: the focus cannot be seen at ${stop.html}`);
      }
    }
    assert.deepEqual(faults, []);
  });
});

/** Elements of a page at which the test looks. */
const STOPS = 12;

interface Stop {
  readonly isVisible: boolean;
  readonly html: string;
}

/** The element with the focus, and if an outline shows it; null outside of the page. */
const FOCUSED = `(() => {
  const element = document.activeElement;
  if (element?.closest('main') == null) return null;
  const around = [element, element.parentElement, element.closest('label')].filter((one) => one !== null);
  const styles = [...around.map((one) => getComputedStyle(one)), getComputedStyle(element, '::after')];
  const isVisible = styles.some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && outlineWidth !== '0px');
  return { isVisible, html: element.outerHTML.slice(0, 200) };
})()`;

/** A short name for a file. */
function nameOf(path: string): string {
  const short = path.replaceAll(/_[0-9A-Za-z]{27}/g, '').replaceAll(/[^\w.]+/g, '-');
  return short || 'home';
}

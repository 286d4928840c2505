/** The dashboard under load: ten thousand rows, and hundreds of changes a second, while a user reads. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, CDPSession, Locator, Page } from 'playwright-core';
import { browserMissing, eventually, Platform, startBrowser } from '../harness/index.ts';
import { openPath, signedIn } from './dashboard.fixture.ts';

const ROWS = 10_000;
const PAGE = 100;
const CHANGES = 1_000;
const WRITERS = 5;

describe('the dashboard under load', { skip: browserMissing }, () => {
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

  test('a user keeps the place among 10,000 rows while 1,000 changes arrive', async (t) => {
    const { page, faults } = await signedIn(browser, platform);
    const reads = await serveRows(page);
    const opened = performance.now();
    await openPath(page, 'resources/ip_policy');
    const table = page.getByRole('table', { name: 'IP policies' });
    await table.getByRole('link').first().waitFor();
    t.diagnostic(`first row after ${Math.round(performance.now() - opened)} ms`);
    await eventually(async () => {
      await page.evaluate(`document.querySelector('main tbody').scrollTo(0, 1e9)`);
      assert.ok(Number(await table.getAttribute('aria-rowcount')) > ROWS, 'all rows are there');
    }, 15_000);
    await page.evaluate(`document.querySelector('main tbody').scrollTo(0, ${(ROWS / 2) * 36})`);
    const focused = table.locator('a:focus');
    await table.getByRole('row').nth(20).getByRole('link').focus();
    const name = await focused.innerText();
    const place = await topOf(focused);
    const elements = await countOf(page);
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Performance.enable');
    const before = await figuresOf(cdp);
    const readsBefore = reads();
    const perSecond = await change(platform);
    await eventually(() => assert.ok(reads() > readsBefore));
    const after = await figuresOf(cdp);
    const share = (after.busy - before.busy) / (after.at - before.at);
    t.diagnostic(`${perSecond} changes a second, ${reads() - readsBefore} reads of the list`);
    t.diagnostic(
      `main thread ${Math.round(100 * share)} %, heap ${after.megabytes} MB after ${before.megabytes} MB`,
    );
    assert.ok(reads() - readsBefore < 20, 'changes are gathered');
    assert.equal(await focused.innerText(), name);
    assert.equal(await topOf(focused), place);
    assert.ok((await countOf(page)) < elements + 100);
    assert.ok(Number(await table.getAttribute('aria-rowcount')) > ROWS, 'no row is lost');
    await page.keyboard.press('j');
    await eventually(async () => assert.notEqual(await focused.innerText(), name));
    assert.deepEqual(faults, []);
  });

  test('the first page paints, and is small', async (t) => {
    const { page } = await signedIn(browser, platform);
    await page.reload();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    const { paint, scripts, styles } = await page.evaluate<Record<string, number>>(`(() => {
      const bytes = (type) => performance.getEntriesByType('resource')
        .filter(({ name }) => name.split('?')[0].endsWith(type))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
      const [paint] = performance.getEntriesByName('first-contentful-paint');
      return { paint: Math.round(paint?.startTime ?? -1), scripts: bytes('.js'), styles: bytes('.css') };
    })()`);
    t.diagnostic(`first paint after ${paint} ms, ${scripts} bytes of script, ${styles} bytes of style`);
    assert.ok(Number(scripts) > 0 && Number(scripts) < 70_000, String(scripts));
  });
});

/** Serves a list of the given length in the place of the API's, with a new row at each read. Returns the number of reads of its first page. */
async function serveRows(page: Page): Promise<() => number> {
  let reads = 0;
  const rowAt = (at: number) => ({
    id: idOf(at),
    description: `Policy ${at}`,
    created_at: '2026-01-01T00:00:00Z',
  });
  await page.route('**/ip_policies?*', async (route) => {
    const before = new URL(route.request().url()).searchParams.get('before_id');
    const newest = ROWS + (before === null ? reads++ : reads) - 1;
    const from = before === null ? newest : Number(before.slice(4)) - 1;
    const rows = Array.from({ length: Math.min(PAGE, from + 1) }, (_, at) => rowAt(from - at));
    const last = from - rows.length + 1;
    const next_page_uri =
      last > 0 ? `https://api.invalid/ip_policies?limit=${PAGE}&before_id=${idOf(last)}` : null;
    const body = JSON.stringify({ ip_policies: rows, uri: '', next_page_uri });
    await route.fulfill({ body, contentType: 'application/json' });
  });
  return () => reads;
}

function idOf(at: number): string {
  return `ipp_${String(at).padStart(27, '0')}`;
}

/** Changes resources one after the other, with several writers. Returns the changes a second. */
async function change(platform: Platform): Promise<number> {
  const began = performance.now();
  const writer = async () => {
    const { json } = await platform.api('POST', '/ip_policies', { description: 'changing' });
    for (let turn = 0; turn < CHANGES / WRITERS; turn++)
      await platform.api('PATCH', `/ip_policies/${json.id}`, { description: `changed ${turn}` });
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return Math.round(CHANGES / ((performance.now() - began) / 1000));
}

interface Figures {
  /** Seconds. */
  readonly at: number;
  /** Seconds in which the main thread had work. */
  readonly busy: number;
  readonly megabytes: number;
}

async function figuresOf(cdp: CDPSession): Promise<Figures> {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const of = (name: string) => metrics.find((one) => one.name === name)?.value ?? 0;
  return { at: of('Timestamp'), busy: of('TaskDuration'), megabytes: Math.round(of('JSHeapUsedSize') / 1e6) };
}

/** Pixels below the top of the window. */
async function topOf(element: Locator): Promise<number> {
  return Math.round((await element.boundingBox())?.y ?? -1);
}

async function countOf(page: Page): Promise<number> {
  return await page.evaluate(`document.querySelectorAll('*').length`);
}

/** Opens pages of the dashboard in a browser, and records their faults: breaches of the policy are some. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { Platform } from '../harness/index.ts';

export interface OpenedPage {
  readonly page: Page;
  /** Hosts of all requests. */
  readonly hosts: ReadonlySet<string>;
  /** Errors and warnings of the page. */
  readonly faults: readonly string[];
}

/** The browser logs refused requests, which tests provoke. */
const EXPECTED = /status of (400|401|403|404|409|412)/;

export async function openPage(
  browser: Browser,
  platform: Platform,
  path: string,
  options: BrowserContextOptions = {},
): Promise<OpenedPage> {
  const context = await browser.newContext({ ...options, ignoreHTTPSErrors: true });
  const page = await context.newPage();
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    const isFault = message.type() === 'error' || message.type() === 'warning';
    if (isFault && !EXPECTED.test(message.text())) faults.push(message.text());
  });
  await page.goto(new URL(path, platform.bootstrap.base_url).href);
  return { page, hosts, faults };
}

/** Opens a page with the session of an API key; absent: the first one. */
export async function signedIn(
  browser: Browser,
  platform: Platform,
  options: BrowserContextOptions & { readonly path?: string; readonly key?: string } = {},
): Promise<OpenedPage> {
  const { path = '/ui/', key = platform.bootstrap.api_key, ...context } = options;
  const opened = await openPage(browser, platform, path, context);
  const { page } = opened;
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
  return opened;
}

/** Opens a page by a link, as a user does. `path`: below /ui/. */
export async function openPath(page: Page, path: string): Promise<void> {
  await page.evaluate(`(() => {
    const link = document.createElement('a');
    link.href = '/ui/${path}';
    document.body.append(link);
    link.click();
    link.remove();
  })()`);
}

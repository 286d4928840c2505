/** Debian's Chromium, for tests of pages. It has no profile, and opens no connections of its own. */
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { missing } from './missing.ts';
import { timeoutMs } from './timeouts.ts';

const EXECUTABLE = '/usr/bin/chromium';

/** Milliseconds for its start, and for each expected state of a page. */
const WAIT_MS = 20_000;

/** Reason why tests that need it are skipped; false when it is installed. */
export const browserMissing = missing('Chromium', existsSync(EXECUTABLE), 'chromium');

export interface BrowserOptions {
  /** Returns the path of a program that starts the one at the given path. */
  readonly wrap?: (path: string) => string;
  /** Further arguments of the browser. */
  readonly args?: readonly string[];
}

export async function startBrowser({
  wrap = (path) => path,
  args = [],
}: BrowserOptions = {}): Promise<Browser> {
  // Loaded here: it would cost every other test file a quarter of a second.
  const { chromium } = await import('playwright-core');
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const browser = await chromium.launch({
    ...{ executablePath: wrap(EXECUTABLE), timeout: timeoutMs(WAIT_MS) },
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      ...quiet,
      ...args,
    ],
  });
  browser.on('context', (context) => context.setDefaultTimeout(timeoutMs(WAIT_MS)));
  return browser;
}

/** Debian's Chromium, for tests of pages. It brings nothing of its own along and talks to nobody unasked. */
import { existsSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { missing } from './missing.ts';

const EXECUTABLE = '/usr/bin/chromium';

/** Why tests that need it are skipped; false when it is installed. */
export const browserMissing = missing('Chromium', existsSync(EXECUTABLE), 'chromium');

export async function startBrowser(): Promise<Browser> {
  // Loaded here: it would cost every other test file a quarter of a second.
  const { chromium } = await import('playwright-core');
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  return await chromium.launch({
    executablePath: EXECUTABLE,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', ...quiet],
  });
}

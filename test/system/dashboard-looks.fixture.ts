/** Accessibility, overflow and pictures of pages of the dashboard. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Evaluated by the debugger, which the policy of the page does not concern. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Folder of the pictures; none are taken without it. */
export const pictures = process.env.TEST_PICTURES ?? '';

/** Findings of axe that are serious or critical. */
export async function seriousFindings(page: Page): Promise<readonly string[]> {
  await page.evaluate(`${axe}; null`);
  return await page.evaluate(`(async () => {
    const { violations } = await axe.run();
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).slice(0, 3).join(' '));
  })()`);
}

export async function picture(page: Page, name: string): Promise<void> {
  if (pictures === '') return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

/** Checks the page at a wide and a narrow width, and takes pictures of both themes. Leaves it wide and light. */
export async function lookAt(page: Page, name: string): Promise<void> {
  const themes = pictures === '' ? (['light'] as const) : (['dark', 'light'] as const);
  for (const colorScheme of themes)
    for (const width of [390, 1280]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 844 });
      await picture(page, `${name}-${width}-${colorScheme}`);
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, name);
      assert.deepEqual(await seriousFindings(page), [], `${name} at ${width}`);
    }
}

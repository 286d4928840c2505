/** Checks of one page of the dashboard: findings of axe, overflow, and a picture. */
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** Evaluated by the debugger, which the policy of the page does not concern. */
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

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

/** Folder of the pictures; none are taken without it. */
export const pictures = process.env.TEST_PICTURES ?? '';

/** Takes a picture, if a folder for them is named. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures === '') return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`), fullPage: true });
}

/** Findings on the page in both themes and widths, overflow among them, with a picture of each. */
export async function faultsOfForms(page: Page, name: string): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const width of [1280, 390])
    for (const colorScheme of ['light', 'dark'] as const) {
      const form = `${name}-${width}-${colorScheme}`;
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await picture(page, form);
      const isWider = (await page.evaluate('document.documentElement.scrollWidth')) !== width;
      if (isWider) faults.push(`${form}: overflow`);
      faults.push(...(await seriousFindings(page)).map((finding) => `${form}: ${finding}`));
    }
  await page.setViewportSize({ width: 1280, height: 844 });
  return faults;
}

/** Addresses of all pages of the dashboard, from its table of routes: a new page is tested by being there. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';

/** Values of the parameters of paths. */
export type Sample = Readonly<Record<string, string>>;

interface Routes {
  readonly ROUTES: readonly { readonly path: string }[];
}

const TABLE = import.meta.resolve('../../packages/dashboard/src/routes.ts');
const PARAMETER = /\{(\w+)\}/g;

/** Paths below /ui/ of every page, with each sample that has all of its parameters. Throws if a page has none. */
export async function pathsOfPages(samples: readonly Sample[]): Promise<readonly string[]> {
  // By its address: its pages are none of the sources of this program.
  const { ROUTES } = (await import(TABLE)) as Routes;
  return ROUTES.flatMap(({ path }) => {
    const names = [...path.matchAll(PARAMETER)].map(([, name = '']) => name);
    const suitable = samples.filter((sample) => names.every((name) => name in sample));
    assert.ok(suitable.length > 0, `add a sample for ${path}`);
    const filled = suitable.map((sample) =>
      path.replaceAll(PARAMETER, (_, name) => encodeURIComponent(sample[name] ?? '')),
    );
    return [...new Set(filled)];
  });
}

/** Waits until the page has its heading, and nothing loads any more. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').first().waitFor();
  await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
}

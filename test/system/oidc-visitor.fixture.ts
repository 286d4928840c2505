/** A visitor with a browser who logs in at the provider of `OidcProvider`. */
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from '../harness/index.ts';

/** Opens a page until it requires a login, and logs in at the provider. */
export async function logIn(page: Page, url: string, issuer: string, email: string): Promise<void> {
  await eventually(async () => {
    await page.goto(url);
    assert.ok(page.url().startsWith(issuer), page.url());
  });
  await page.fill('input[name=login]', email);
  await page.fill('input[name=password]', 'any');
  await page.click('form:has(input[name=login]) button[type=submit]');
  // The consent page of the provider.
  await page.click('form:not(:has(input[name=login])) button[type=submit]');
  await page.waitForURL((at) => !at.href.startsWith(issuer));
}

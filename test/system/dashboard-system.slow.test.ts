/** The pages of certificates, events and the system: state, actions, and what viewers see. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { openPath, signedIn } from './dashboard.fixture.ts';
import { faultsOfForms } from './page-check.fixture.ts';

const MARKUP = '<img src=x onerror=alert(1)>';
const DESTINATION = {
  description: MARKUP,
  format: 'json',
  target: {
    stream: {
      stream_identifier: 'arn:aws:kinesis:eu-central-1:123456789012:stream/audit',
      auth: { role: { role_identifier: 'arn:aws:iam::123456789012:role/audit' } },
    },
  },
};

describe('certificates, events and the system in the dashboard', { skip: browserMissing }, () => {
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

  test('each page shows the state, and its actions report their result', async () => {
    await platform.api('POST', '/event_destinations', DESTINATION);
    await platform.api('POST', '/reserved_domains', { domain: 'app.example.com' });
    const { page, faults } = await signedIn(browser, platform, { path: '/ui/certificates' });
    const domain = page.getByRole('region', { name: 'app.example.com' });
    await domain.getByRole('button', { name: 'Check DNS now' }).waitFor();
    assert.deepEqual(await faultsOfForms(page, 'certificates'), []);
    await openPath(page, 'events');
    const destination = page.getByRole('region', { name: MARKUP });
    await destination.getByText('nothing sent yet').waitFor();
    await destination.getByRole('button', { name: 'Send a test event' }).click();
    await destination.getByText('failed', { exact: true }).waitFor();
    assert.deepEqual(await faultsOfForms(page, 'events'), []);
    const other = await signedIn(browser, platform);
    await openPath(page, 'system');
    const sessions = page.getByRole('table', { name: 'Sessions of the console' });
    await sessions.getByText('this one').waitFor();
    assert.deepEqual(await faultsOfForms(page, 'system'), []);
    await sessions.getByRole('button', { name: 'End' }).first().click();
    await page.getByRole('button', { name: 'End session' }).click();
    await sessions.getByRole('button', { name: 'End' }).waitFor({ state: 'detached' });
    await other.page.reload();
    await other.page.getByLabel('API key').waitFor();
    assert.deepEqual(faults, []);
  });

  test('a viewer sees the same without actions', async () => {
    const { json: user } = await platform.api('POST', '/users', { name: 'Vi', role: 'viewer' });
    const { json: key } = await platform.api('POST', '/api_keys', { owner_id: user.id });
    const { page } = await signedIn(browser, platform, { path: '/ui/certificates', key: key.token });
    await page.getByRole('region', { name: 'app.example.com' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /now$/ }).count(), 0);
    await openPath(page, 'events');
    await page.getByRole('region', { name: MARKUP }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send a test event' }).count(), 0);
  });
});

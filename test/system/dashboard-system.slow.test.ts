/** The pages of certificates, events and the system: state, actions, and what viewers see. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserMissing, eventually, Platform, selfSigned, startBrowser } from '../harness/index.ts';
import { openPath, signedIn } from './dashboard.fixture.ts';
import { faultsOfForms } from './page-check.fixture.ts';

/** More than one page of the API. */
const CERTIFICATES = 105;
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
  /** Returns the id of a new certificate, which ends within two days. */
  const uploaded = async (name: string): Promise<string> => {
    const { pem: certificate_pem, key: private_key_pem } = selfSigned(name);
    const { status, json, text } = await platform.api('POST', '/tls_certificates', {
      certificate_pem,
      private_key_pem,
    });
    assert.equal(status, 201, text);
    return String(json.id);
  };
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

  test('certificates and domains are found by the API, beyond the first pages, and the list goes on', async () => {
    const old = await uploaded('old.example.com');
    for (let at = 0; at < CERTIFICATES; at++) await uploaded(`c${at}.example.net`);
    for (let at = 0; at < 30; at++)
      await platform.api('POST', '/reserved_domains', { domain: `d${at}.example.org` });
    const { page, faults } = await signedIn(browser, platform, { path: '/ui/certificates' });
    const table = page.getByRole('table', { name: 'TLS certificates' });
    const rowOf = (name: string) => table.getByRole('link', { name, exact: true });
    await page.getByText('The newest first.').waitFor();
    await rowOf(`c${CERTIFICATES - 1}.example.net`).waitFor();
    assert.equal(await table.getAttribute('aria-rowcount'), '101', 'one page');
    await eventually(async () => {
      await page.evaluate(`document.querySelector('main tbody').scrollTo(0, 1e9)`);
      assert.equal(await table.getAttribute('aria-rowcount'), String(CERTIFICATES + 2));
    });
    await rowOf('old.example.com').waitFor();
    assert.deepEqual(await faultsOfForms(page, 'certificates-many'), []);
    await page.getByRole('link', { name: 'Show those that end within 30 days' }).click();
    await page.getByText('The soonest end first.').waitFor();
    await page.getByRole('combobox', { name: 'Show', exact: true }).selectOption('ended');
    await page.getByText('No certificate matches.').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await page.getByRole('searchbox', { name: 'Search certificates' }).fill('OLD.example');
    await rowOf('old.example.com').click();
    await page.waitForURL(new RegExp(`${old}$`));
    await page.goBack();
    await page.getByText('The soonest end first.').waitFor();
    const domains = page.getByRole('region', { name: 'Domains' });
    await domains.getByRole('region', { name: 'd29.example.org' }).waitFor();
    assert.equal(await domains.getByRole('region').count(), 20);
    await domains.getByRole('button', { name: 'Show more domains' }).click();
    await domains.getByRole('region', { name: 'app.example.com' }).waitFor();
    assert.equal(await domains.getByRole('region').count(), 31);
    await page.getByRole('combobox', { name: 'Show domains' }).selectOption('failed');
    await domains.getByText('No domain is like this.').waitFor();
    assert.deepEqual(faults, []);
  });

  test('a viewer sees the same without actions', async () => {
    const { json: user } = await platform.api('POST', '/users', { name: 'Vi', role: 'viewer' });
    const { json: key } = await platform.api('POST', '/api_keys', { owner_id: user.id });
    const { page } = await signedIn(browser, platform, { path: '/ui/certificates', key: key.token });
    await page.getByRole('region', { name: 'd29.example.org' }).waitFor();
    assert.equal(await page.getByRole('button', { name: /now$/ }).count(), 0);
    await openPath(page, 'events');
    await page.getByRole('region', { name: MARKUP }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send a test event' }).count(), 0);
  });
});

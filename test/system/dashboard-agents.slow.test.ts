/** The pages of agents and of the audit trail: live, by keyboard, for viewers, with texts that are no HTML. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { openPath, signedIn } from './dashboard.fixture.ts';
import { faultsOfForms } from './page-check.fixture.ts';

const MARKUP = '<img src=x onerror=alert(1)>';

describe('agents and audit in the dashboard', { skip: browserMissing }, () => {
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

  async function viewerKey(): Promise<string> {
    const { json: user } = await platform.api('POST', '/users', { name: 'Vi', role: 'viewer' });
    const { json: key } = await platform.api('POST', '/api_keys', { owner_id: user.id });
    return key.token;
  }

  test('an agent appears, its names without another server are listed, and it is stopped', async () => {
    const { page, faults } = await signedIn(browser, platform, { path: '/ui/agents' });
    await page.getByText('No agent is connected.').waitFor();
    const alone = await platform.agent(['http', '1', '--metadata', MARKUP]);
    const name = new URL(alone.url).hostname;
    const row = page.getByRole('row').filter({ hasText: name });
    await row.waitFor();
    assert.deepEqual(await faultsOfForms(page, 'agents'), []);
    await row.getByRole('link').focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '127.0.0.1' }).waitFor();
    const affected = page.getByRole('region', { name: 'Without this agent' });
    await affected.getByRole('link', { name }).waitFor();
    const tunnel = page.getByRole('table', { name: 'Tunnels' }).getByRole('row').filter({ hasText: name });
    await tunnel.getByText(MARKUP).waitFor();
    assert.deepEqual(await faultsOfForms(page, 'agent'), []);
    await page.getByRole('button', { name: 'Stop' }).click();
    const dialog = page.getByRole('dialog', { name: 'Stop the agent?' });
    await dialog.getByRole('link', { name }).waitFor();
    await dialog.getByRole('button', { name: 'Stop agent' }).click();
    await page.getByText('No agent is connected.').waitFor();
    assert.deepEqual((await platform.api('GET', '/tunnel_sessions')).json.tunnel_sessions, []);
    assert.deepEqual(faults, []);
  });

  test('a viewer sees agents and changes, but no action', async () => {
    const key = await viewerKey();
    const { process } = await platform.agent(['http', '1']);
    const { page, faults } = await signedIn(browser, platform, { path: '/ui/agents', key });
    await page.getByRole('link', { name: '127.0.0.1' }).click();
    await page.getByRole('region', { name: 'Without this agent' }).waitFor();
    for (const name of ['Stop', 'Restart', 'Update'])
      assert.equal(await page.getByRole('button', { name }).count(), 0, name);
    await openPath(page, 'audit');
    await page.getByRole('heading', { level: 1, name: 'Audit' }).waitFor();
    assert.deepEqual(faults, []);
    await process.stop();
  });

  test('changes appear with their fields, and filters stay in the address', async () => {
    const { page, faults } = await signedIn(browser, platform, { path: '/ui/audit?kind=ip_policy' });
    await page.getByText('No change matches these filters.').waitFor();
    const { json: policy } = await platform.api('POST', '/ip_policies', { description: 'before' });
    await platform.api('PATCH', `/ip_policies/${policy.id}`, { description: MARKUP });
    const table = page.getByRole('table', { name: 'Changes' });
    await table.getByRole('row').filter({ hasText: 'ip policy updated' }).waitFor();
    assert.deepEqual(await faultsOfForms(page, 'audit'), []);
    await table.getByRole('link', { name: 'ip policy updated' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'ip policy updated' });
    const changed = dialog.getByRole('row').filter({ hasText: 'description' });
    assert.deepEqual(await changed.getByRole('cell').allInnerTexts(), ['before', MARKUP]);
    await dialog.getByRole('link', { name: policy.id }).waitFor();
    assert.deepEqual(await faultsOfForms(page, 'audit-change'), []);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByLabel('Action').fill('deleted');
    await page.keyboard.press('Enter');
    await page.getByText('No change matches these filters.').waitFor();
    assert.equal(new URL(page.url()).search, '?kind=ip_policy&action=deleted');
    await platform.api('DELETE', `/ip_policies/${policy.id}`);
    await table.getByRole('row').filter({ hasText: 'ip policy deleted' }).waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await table.getByRole('row').filter({ hasText: 'ip policy created' }).waitFor();
    assert.equal(new URL(page.url()).search, '');
    assert.deepEqual(faults, []);
  });
});

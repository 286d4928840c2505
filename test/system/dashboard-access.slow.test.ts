/** Access in the dashboard: tests by value, keys, roles, rules and sessions, and viewers on every page. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { openPath, signedIn } from './dashboard.fixture.ts';
import { pathsOfPages, settled } from './dashboard-routes.fixture.ts';
import { picture } from './page-check.fixture.ts';

const HOSTILE = '<img src=x onerror=alert(1)>';

describe('access in the dashboard', { skip: browserMissing }, () => {
  let platform: Platform;
  let browser: Browser;
  const post = async (path: string, body: object) => (await platform.api('POST', path, body)).json;
  before(async () => {
    platform = await Platform.shared();
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await platform?.stop();
  });

  test('a bind is tested with a credential and by rules, with the reason', async () => {
    const { id } = await post('/credentials', { description: HOSTILE, acl: ['bind:*.shop.example.com'] });
    const { page, faults } = await signedIn(browser, platform, { path: '/ui/access' });
    const tester = page.getByRole('region', { name: 'Test a bind' });
    await tester.getByLabel('Rules').fill('bind:*.example.com');
    await tester.getByLabel('Bind').fill('tcp://');
    await tester.getByRole('button', { name: 'Test' }).click();
    await tester.getByRole('status').getByText('refused').waitFor();
    await page.getByRole('link', { name: `Test ${HOSTILE}` }).click();
    assert.equal(await tester.getByLabel('Credential').inputValue(), id);
    await tester.getByLabel('Bind').fill('other.example.org');
    await tester.getByLabel('Bind').press('Enter');
    await tester
      .getByRole('status')
      .getByText(/do not permit other\.example\.org/)
      .waitFor();
    assert.equal(new URL(page.url()).searchParams.get('bind'), 'other.example.org');
    await page.getByRole('button', { name: `Delete ${HOSTILE}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('No agent is connected with it.').waitFor();
    await dialog.getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('link', { name: HOSTILE, exact: true }).waitFor({ state: 'detached' });
    assert.equal((await platform.api('GET', `/credentials/${id}`)).status, 404);
    assert.deepEqual(faults, []);
  });

  test('an address is tested over all policies and restrictions, and rules are added and removed', async () => {
    const { id } = await post('/ip_policies', { description: 'office' });
    const { id: empty } = await post('/ip_policies', { description: 'guests' });
    await post('/ip_policy_rules', { ip_policy_id: empty, action: 'deny', cidr: '198.51.100.0/24' });
    const restriction = await post('/ip_restrictions', {
      ...{ type: 'endpoints', enforced: false, ip_policy_ids: [id] },
    });
    const { page, faults } = await signedIn(browser, platform, { path: `/ui/access/ip-policies/${id}` });
    await page.getByText('It has no rule: it denies all.').waitFor();
    await page.getByRole('region', { name: 'Used by' }).getByRole('link', { name: restriction.id }).waitFor();
    await page.getByLabel('Range').fill('192.0.2.1');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Range').fill('192.0.2.0/24');
    await page.getByRole('button', { name: 'Add rule' }).click();
    await page.getByRole('button', { name: 'Delete allow 192.0.2.0/24' }).waitFor();
    await page.getByRole('navigation', { name: 'Parts of Access' }).getByText('IP policies').click();
    const tester = page.getByRole('region', { name: 'Test an address' });
    await tester.getByLabel('Address').fill('192.0.2.7');
    await tester.getByLabel('Address').press('Enter');
    const line = (text: string) => tester.getByRole('listitem').filter({ hasText: text });
    await line('allowed by office: allow 192.0.2.0/24').waitFor();
    await line('denied by guests: no rule matches').waitFor();
    await line('allowed by restriction of endpoints: allow 192.0.2.0/24 not enforced').waitFor();
    await tester.getByText('These are all policies and all restrictions of the account.').waitFor();
    // A response without room for the older policies, which a real one has from the 501st policy.
    const first = {
      ...{ ip: '192.0.2.8', outcome: 'denied', rule: null, why: '', policies_left_out: 1 },
      policies: [{ ip_policy: { id: empty, uri: '' }, description: 'guests', outcome: 'denied', rule: null }],
    };
    await page.route('**/ip_policies/test', (route) => {
      const { ip_policy_ids: ids } = route.request().postDataJSON() as { ip_policy_ids: readonly string[] };
      return ids.length === 0 ? route.fulfill({ json: first }) : route.continue();
    });
    await tester.getByLabel('Address').fill('192.0.2.8');
    await tester.getByLabel('Address').press('Enter');
    await tester.getByText('1 older policy is not tested yet.').waitFor();
    await line('allowed by office').waitFor({ state: 'detached' });
    await tester.getByRole('button', { name: 'Test the next policies' }).click();
    await line('allowed by office: allow 192.0.2.0/24').waitFor();
    await tester.getByText('These are all policies and all restrictions of the account.').waitFor();
    await picture(page, 'address-wide');
    await page.setViewportSize({ width: 390, height: 844 });
    await picture(page, 'address-390');
    await page.setViewportSize({ width: 1280, height: 844 });
    await page.getByRole('link', { name: 'office' }).first().click();
    await page.getByRole('button', { name: 'Delete allow 192.0.2.0/24' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete it' }).click();
    await page.getByText('It has no rule: it denies all.').waitFor();
    const { json } = await platform.api('GET', '/ip_policy_rules?filter=cidr%3D192.0.2.0/24');
    assert.deepEqual(json.ip_policy_rules, []);
    assert.deepEqual(faults, []);
  });

  test('a role is changed, and a deleted key ends its session', async () => {
    const user = await post('/users', { name: 'Mia', role: 'member' });
    const key = await post('/api_keys', { description: 'key of Mia', owner_id: user.id });
    const mia = await signedIn(browser, platform, { key: key.token, path: '/ui/access/sessions' });
    await mia.page.getByRole('button', { name: 'End this session' }).waitFor();
    await platform.api('POST', '/ip_policies', {}, { authorization: `Bearer ${key.token}` });
    const { page, faults } = await signedIn(browser, platform, { path: '/ui/access/users' });
    await page.getByLabel('Role of Mia').selectOption('viewer');
    await page.getByRole('status').filter({ hasText: 'Mia is now viewer' }).waitFor();
    assert.equal((await platform.api('GET', `/users/${user.id}`)).json.role, 'viewer');
    await openPath(page, 'access/api-keys');
    await page
      .getByRole('row', { name: 'key of Mia' })
      .getByRole('link', { name: 'Mia', exact: true })
      .waitFor();
    await page.getByRole('button', { name: 'Delete key of Mia' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('These sessions of the console end with it:').waitFor();
    assert.equal(await dialog.getByRole('listitem').count(), 1);
    await dialog.getByRole('button', { name: 'Delete it' }).click();
    await page.getByRole('row', { name: 'key of Mia' }).waitFor({ state: 'detached' });
    await mia.page.getByLabel('API key').waitFor();
    await openPath(page, `audit?actor_id=${user.id}&kind=ip_policy`);
    const change = page
      .getByRole('row', { name: /ip policy created Mia/ })
      .getByRole('link')
      .first();
    await change.click();
    await page
      .getByRole('dialog')
      .getByRole('link', { name: String(user.id) })
      .waitFor();
    await page.keyboard.press('Escape');
    await openPath(page, 'access/sessions');
    await page.getByRole('button', { name: 'End this session' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByLabel('API key').waitFor();
    assert.deepEqual(faults, []);
  });

  test('a viewer finds nothing that changes something on any page, and the API refuses', async () => {
    const user = await post('/users', { name: 'Vera', role: 'viewer' });
    const { token } = await post('/api_keys', { owner_id: user.id });
    const policy = await post('/ip_policies', { description: 'seen by viewers' });
    await post('/ip_policy_rules', { ip_policy_id: policy.id, action: 'deny', cidr: '203.0.113.0/24' });
    await post('/credentials', { description: 'seen by viewers' });
    const edge = await post('/edges/https', { description: 'seen by viewers' });
    const { page, faults } = await signedIn(browser, platform, { key: token });
    const paths = await pathsOfPages([
      ...[{ kind: 'https_edge', id: edge.id, name: 'viewed.underpass.localhost' }],
      ...[{ kind: 'ip_policy', id: policy.id }, { policy: policy.id }],
    ]);
    const main = page.getByRole('main');
    const changing =
      /^(New|Create|Save|Delete|Add|Remove|Edit|Stop|Restart|Update|Renew|Protect|Allow|Deny)\b/;
    for (const path of paths) {
      await openPath(page, path);
      // The form of a new resource is none for viewers, so it has no heading.
      if (path.endsWith('/new')) await main.getByText('creates nothing that you may create').waitFor();
      else await settled(page);
      for (const role of ['button', 'link'] as const) {
        const found = await main.getByRole(role, { name: changing, disabled: false }).allTextContents();
        assert.deepEqual(found, [], path);
      }
    }
    await openPath(page, 'access/users');
    await page.getByRole('row', { name: 'Vera' }).waitFor();
    assert.equal(await main.getByRole('combobox').count(), 0);
    const status = await page.evaluate(async (id: string) => {
      const session = (await (await fetch('/ui/session')).json()) as { csrf_token: string };
      const headers = { 'x-csrf-token': session.csrf_token, 'service-version': '2' };
      return (await fetch(`/ip_policies/${id}`, { method: 'DELETE', headers })).status;
    }, policy.id);
    assert.equal(status, 403);
    assert.equal((await platform.api('GET', `/ip_policies/${policy.id}`)).status, 200);
    assert.deepEqual(faults, []);
  });
});

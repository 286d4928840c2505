/** The pages Names and Name in a browser, with a real agent, an edge and visits. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  browserMissing,
  freePorts,
  Platform,
  startBrowser,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { isServed } from './bare-visitor.fixture.ts';
import { openPath, signedIn } from './dashboard.fixture.ts';

const EDGE = 'shop.underpass.localhost';
const AGENT = 'demo.underpass.localhost';

describe('the pages of names', { skip: browserMissing }, () => {
  let platform: Platform;
  let browser: Browser;
  let upstream: Upstream;
  before(async () => {
    upstream = await startUpstream((_, response) => response.end('hello'));
    const [port = 0] = await freePorts(1);
    platform = await Platform.start({ args: ['--tcp-ports', `${port}-${port}`] });
    browser = await startBrowser();
    const create = async (path: string, body: object): Promise<{ id: string }> =>
      (await platform.api('POST', path, body)).json;
    await platform.agent(['http', String(upstream.port), '--domain', AGENT]);
    await platform.agent(['http', String(upstream.port), '--label', 'app=web']);
    const group = await create('/backends/tunnel_group', { labels: { app: 'web' } });
    await create('/reserved_domains', { domain: EDGE });
    await create('/reserved_domains', { domain: 'later.underpass.localhost' });
    const policy = await create('/ip_policies', { description: 'office' });
    const edge = await create('/edges/https', { hostports: [`${EDGE}:443`] });
    const backend = { backend_id: group.id };
    await create(`/edges/https/${edge.id}/routes`, { match_type: 'path_prefix', match: '/', backend });
    await create(`/edges/https/${edge.id}/routes`, {
      ...{ match_type: 'path_prefix', match: '/admin', backend },
      ip_restriction: { ip_policy_ids: [policy.id] },
      compression: {},
    });
    for (const name of [EDGE, AGENT]) assert.equal((await platform.visit(name)).status, 200);
    assert.equal((await platform.visit(`https://${EDGE}:${platform.port}/admin`)).status, 403);
  });
  after(async () => {
    await browser?.close();
    await platform?.stop();
    await upstream?.stop();
  });

  test('each name has its server, its protection and its state, and the address keeps the filter', async () => {
    const { page, faults } = await signedIn(browser, platform, { path: '/ui/names' });
    const row = (name: string) => page.getByRole('row', { name });
    await row(EDGE).getByText('HTTPS edge').waitFor();
    await row(EDGE).getByText('partly: IP restriction').waitFor();
    await row(EDGE).getByText('served').waitFor();
    await row(EDGE)
      .getByRole('img', { name: /[12] requests? in the last hour/ })
      .waitFor();
    await row(AGENT).getByText('agent >').waitFor();
    await row(AGENT)
      .getByRole('link', { name: `Protect ${AGENT}` })
      .waitFor();
    await row('later.underpass.localhost').getByText('no agent').waitFor();
    await picture(page, 'names');
    await page.getByLabel('Show', { exact: true }).selectOption({ label: 'Without protection' });
    await row(EDGE).waitFor({ state: 'detached' });
    await row(AGENT).waitFor();
    await page.getByLabel('Search names').fill('nowhere');
    await page.getByText('No name matches.').waitFor();
    await page.reload();
    await page.getByText('No name matches.').waitFor();
    assert.equal(new URL(page.url()).search, '?show=open&q=nowhere');

    const protect = async (name: string) => {
      await openPath(page, 'names');
      await row(name)
        .getByRole('link', { name: `Protect ${name}` })
        .click();
    };
    await protect(AGENT);
    await page.getByRole('region', { name: 'Protection' }).getByText('--basic-auth').waitFor();
    assert.equal(await page.evaluate('document.activeElement.getAttribute("aria-label")'), 'Protection');
    await protect(EDGE);
    // It has one open route.
    await page.waitForURL(/\/ui\/resources\/https_edge_route\/edghtsrt_\w+\?parent=edghts_/);
    assert.deepEqual(faults, []);
  });

  test('a name shows the way of a request, its traffic, and switches a module', async () => {
    const { page, faults } = await signedIn(browser, platform, { path: `/ui/names/${EDGE}` });
    await page.getByRole('heading', { level: 1, name: EDGE }).waitFor();
    const way = page.getByRole('region', { name: 'Way of a request' });
    await way.getByText('group app=web').first().waitFor();
    await way.getByText('● 1 online').first().waitFor();
    await way.getByRole('switch', { name: 'compression of /admin', checked: true }).waitFor();
    await way.getByRole('link', { name: 'Edit route /admin' }).waitFor();
    await page.getByRole('figure', { name: 'Requests per second' }).waitFor();
    const latest = page.getByRole('table', { name: 'Latest requests' });
    await latest
      .getByRole('row', { name: /403 .*GET \/admin/ })
      .first()
      .waitFor();
    await page.getByRole('link', { name: 'Why?' }).waitFor();
    await picture(page, 'name-edge');

    const rule = way.getByRole('switch', { name: 'IP restriction of /admin' });
    await rule.focus();
    await page.keyboard.press('Space');
    await way.getByRole('switch', { name: 'IP restriction of /admin', checked: false }).waitFor();
    const admin = `https://${EDGE}:${platform.port}/admin`;
    assert.equal((await platform.visit(admin)).status, 200);
    await rule.click();
    await way.getByRole('switch', { name: 'IP restriction of /admin', checked: true }).waitFor();
    assert.equal((await platform.visit(admin)).status, 403);

    await page.getByRole('button', { name: '90 days' }).click();
    await page.getByRole('figure', { name: 'Latency' }).waitFor();
    assert.equal(new URL(page.url()).search, '?range=90d');
    await openPath(page, `names/${AGENT}`);
    await page.getByRole('region', { name: 'Way of a request' }).getByText('agent').waitFor();
    await page.getByText('Everybody is served.').waitFor();
    await page.getByText('No request was recorded yet.').waitFor();
    assert.equal((await platform.visit(AGENT)).status, 200);
    await page.getByRole('table', { name: 'Latest requests' }).waitFor();
    await picture(page, 'name-agent');
    assert.deepEqual(faults, []);
  });

  test('an explanation is tried with a rule off and on, and the address keeps that', async () => {
    const question = new URLSearchParams({ url: `https://${EDGE}/admin`, ip: '203.0.113.9' });
    const { page, faults } = await signedIn(browser, platform, { path: `/ui/explain?${question}` });
    const result = page.getByRole('region', { name: 'Explanation' });
    const outcome = (word: string) => result.getByRole('heading').getByText(word, { exact: true });
    await outcome('refused').waitFor();
    await page.getByRole('button', { name: 'Copy as a check' }).click();
    await page.getByRole('button', { name: 'Copied as a check' }).waitFor();
    await page.getByRole('button', { name: 'Try with ip restriction off' }).click();
    await outcome('served').waitFor();
    await result.getByText('leaves this module out').waitFor();
    await page.reload();
    await outcome('served').waitFor();
    await page.getByRole('button', { name: 'Try with ip restriction on' }).click();
    await outcome('refused').waitFor();
    await page.getByRole('link', { name: 'allow', exact: true }).click();
    await page.getByRole('combobox', { name: 'IP policy' }).locator('option', { hasText: 'office' }).waitFor({
      state: 'attached',
    });
    assert.deepEqual(faults, []);
  });

  test('a refused address is allowed with a difference first, and undone', async () => {
    const admin = `https://${EDGE}:${platform.port}/admin`;
    const { json: list } = await platform.api('GET', '/traffic/requests?filter=status_code%20%3D%20403');
    const [{ id }] = list.requests;
    const { page, faults } = await signedIn(browser, platform, { path: `/ui/traffic/${id}` });
    await page.getByRole('link', { name: 'Allow this address' }).click();
    // The log has a network only, which is no guess of the address.
    await page.getByText('has only the network 127.0.0.0/24 of the visitor').waitFor();
    const address = page.getByLabel('Address', { exact: true });
    const policy = page.getByRole('combobox', { name: 'IP policy' });
    const show = page.getByRole('button', { name: 'Show the difference' });
    assert.equal(await address.inputValue(), '');
    await policy.locator('option:checked', { hasText: 'office' }).waitFor({ state: 'attached' });
    await address.fill('127.0.0.300');
    await show.click();
    await page.locator('.fault', { hasText: '127.0.0.300' }).waitFor();
    assert.equal(await address.getAttribute('aria-invalid'), 'true');
    await address.fill('127.0.0.1');
    await show.click();
    const difference = page.getByRole('region', { name: 'Difference' });
    await difference.getByText('+ allow 127.0.0.1/32').waitFor();
    await difference.getByText('denied now, then allowed').waitFor();
    assert.equal((await platform.visit(admin)).status, 403);

    // Another change meanwhile makes the difference untrue.
    const { ip_policies: policies } = (await platform.api('GET', '/ip_policies')).json;
    const other = { ip_policy_id: policies[0].id, action: 'deny', cidr: '192.0.2.0/24' };
    await platform.api('POST', '/ip_policy_rules', other);
    const add = page.getByRole('button', { name: 'Add the rule' });
    await add.click();
    await page.getByText('The policy was changed meanwhile').waitFor();
    await show.click();
    await difference.getByText('deny 192.0.2.0/24').waitFor();
    await picture(page, 'address-rule');
    await add.click();
    await page.getByText('The rule is in effect.').waitFor();
    assert.equal((await platform.visit(admin)).status, 200);
    await page.getByRole('button', { name: 'Undo' }).click();
    await show.waitFor();
    assert.equal((await platform.visit(admin)).status, 403);
    assert.deepEqual(faults, []);
  });

  test('an address is denied on an open route by a new policy, which the undo removes', async () => {
    const { json: edges } = await platform.api('GET', '/edges/https');
    const [{ id: edge, routes }] = edges.https_edges;
    const open = routes.find(({ match }: { match: string }) => match === '/');
    const link = { ip: '127.0.0.1', site: edge, route: open.id, action: 'deny' };
    const path = `/ui/address-rule?${new URLSearchParams(link)}`;
    const { page, faults } = await signedIn(browser, platform, { path });
    await page
      .getByRole('combobox', { name: 'IP policy' })
      .locator('option:checked', { hasText: 'attached to route /' })
      .waitFor({
        state: 'attached',
      });
    await page.getByRole('button', { name: 'Show the difference' }).click();
    const difference = page.getByRole('region', { name: 'Difference' });
    await difference.getByText('allowed now, then denied').waitFor();
    await difference.getByText('+ allow 0.0.0.0/0').waitFor();
    await page.getByRole('button', { name: 'Create the policy' }).click();
    await page.getByText('The rule is in effect.').waitFor();
    assert.equal((await platform.visit(EDGE)).status, 403);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Show the difference' }).waitFor();
    assert.equal((await platform.visit(EDGE)).status, 200);
    const { json } = await platform.api('GET', '/ip_policies');
    assert.equal(json.ip_policies.length, 1);

    const { id: user } = (await platform.api('POST', '/users', { name: 'Vera', role: 'viewer' })).json;
    const { token } = (await platform.api('POST', '/api_keys', { owner_id: user })).json;
    const viewer = await signedIn(browser, platform, { path, key: token });
    await viewer.page.getByText('Viewers only read.').waitFor();
    assert.equal(await viewer.page.getByLabel('Address').count(), 0);
    assert.deepEqual([...faults, ...viewer.faults], []);
  });

  test('an address is denied and allowed on a TLS edge and a TCP edge, as new connections find at once', async () => {
    const create = async (path: string, body: object) => {
      const { status, json, text } = await platform.api('POST', path, body);
      assert.equal(status, 201, text);
      return json;
    };
    const name = 'secure.underpass.localhost';
    const group = await create('/backends/tunnel_group', { labels: { app: 'web' } });
    const backend = { backend_id: group.id };
    await create('/reserved_domains', { domain: name });
    const { addr } = await create('/reserved_addrs', {});
    const port = Number(addr.split(':')[1]);
    const tls = await create('/edges/tls', {
      ...{ hostports: [`${name}:443`], backend, description: 'secure' },
      tls_termination: { terminate_at: 'edge' },
    });
    const tcp = await create('/edges/tcp', { hostports: [addr], backend });
    const none = await create('/ip_policies', { description: 'nobody' });
    const { page, faults } = await signedIn(browser, platform);
    const button = (label: string) => page.getByRole('button', { name: label });
    const difference = page.getByRole('region', { name: 'Difference' });
    const chosen = (policy: string) =>
      page
        .getByRole('combobox', { name: 'IP policy' })
        .locator('option:checked', { hasText: policy })
        .waitFor({ state: 'attached' });
    /** Adds the rule that the form has, and takes it back. `served`: with the rule. */
    const tried = async (add: string, visit: () => Promise<boolean>, served: boolean) => {
      assert.equal(await visit(), !served);
      await button(add).click();
      await page.getByText('The rule is in effect.').waitFor();
      assert.equal(await visit(), served);
      await button('Undo').click();
      await button('Show the difference').waitFor();
      assert.equal(await visit(), !served);
    };
    for (const { id, path, url, title, visit } of [
      {
        ...{ id: tls.id, path: `/edges/tls/${tls.id}/ip_restriction`, title: 'secure' },
        url: `tls://${name}:${platform.port}`,
        visit: () => isServed({ port: platform.port, servername: name, ca: platform.ca }),
      },
      {
        ...{ id: tcp.id, path: `/edges/tcp/${tcp.id}/ip_restriction`, title: 'the edge' },
        ...{ url: `tcp://${addr}`, visit: () => isServed({ port }) },
      },
    ]) {
      await openPath(
        page,
        `address-rule?${new URLSearchParams({ ip: '127.0.0.1', site: id, action: 'deny' })}`,
      );
      await chosen(`attached to ${title}`);
      await button('Show the difference').click();
      await difference.getByText(`at ${title}: allowed now, then denied`).waitFor();
      await tried('Create the policy', visit, false);
      assert.equal((await platform.api('GET', path)).status, 404, 'the undo leaves no module');

      const attached = await platform.api('PUT', path, { ip_policy_ids: [none.id] });
      assert.equal(attached.status, 200, attached.text);
      await openPath(page, `explain?${new URLSearchParams({ url, ip: '127.0.0.1' })}`);
      await page.getByRole('link', { name: 'allow', exact: true }).click();
      await chosen('nobody');
      await button('Show the difference').click();
      await difference.getByText(`at ${title}: denied now, then allowed`).waitFor();
      await tried('Add the rule', visit, true);
    }
    assert.deepEqual(faults, []);
  });
});

/** Folder of the pictures; none are taken without it. */
const pictures = process.env.TEST_PICTURES ?? '';

async function picture(page: Page, name: string): Promise<void> {
  if (pictures === '') return;
  mkdirSync(pictures, { recursive: true });
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 390]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width, name);
    }
  await page.setViewportSize({ width: 1280, height: 900 });
}

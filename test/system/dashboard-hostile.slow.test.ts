/** Texts of tenants and visitors are texts on every page of the dashboard: no script of theirs runs, and no element of theirs appears. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:https';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { samples } from '../../packages/server/src/resources/samples/index.fixture.ts';
import { browserMissing, Platform, startBrowser } from '../harness/index.ts';
import { Account, documentOf } from './account.fixture.ts';
import { openPath, signedIn } from './dashboard.fixture.ts';
import { pathsOfPages, type Sample } from './dashboard-routes.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

/** Each would run in a place of its own: between tags, in an attribute, in a script, in a link, in a template. */
const CORPUS = [
  '<img/src=x/onerror=ran=1>',
  `"'><svg/onload=ran=1>`,
  '</script><script>ran=1</script>',
  'javascript:ran=1//',
  '{{constructor.constructor("ran=1")()}}',
  '<iframe/srcdoc="<script>parent.ran=1</script>">',
] as const;
const ALL = CORPUS.join('');
const SHORT = `${CORPUS[0]}${CORPUS[1]}`;

describe('hostile texts in the dashboard', { skip: browserMissing }, () => {
  let platform: Platform;
  let browser: Browser;
  let agent: StockAgent;
  let paths: readonly string[] = [];
  before(async () => {
    platform = await Platform.shared();
    browser = await startBrowser();
    const made = await makeResources(platform);
    agent = await StockAgent.connect(platform, (incoming) => incoming.socket.destroy(), {
      about: { Version: SHORT, Hostname: SHORT, UserAgent: SHORT, OS: SHORT, Metadata: ALL },
    });
    const bind = {
      Name: 'hostile.underpass.localhost',
      Metadata: ALL,
      Description: SHORT,
      ForwardsTo: SHORT,
    };
    await agent.bind({}, bind);
    for (const text of CORPUS) await visit(platform, bind.Name, text);
    paths = await pathsOfPages([
      ...made,
      { kind: 'https_edge', name: bind.Name },
      { kind: ALL, id: ALL, name: ALL },
      { kind: 'ip_policy', id: ALL },
      { policy: ALL },
      { policy: made.find(({ kind }) => kind === 'ip_policy')?.id ?? '' },
    ]);
  });
  after(async () => {
    await browser?.close();
    await agent?.stop();
    await platform.stop();
  });

  test('no script runs and no element appears on any page', async () => {
    const { page, faults } = await signedIn(browser, platform);
    const search = new URLSearchParams({ q: ALL, filter: ALL });
    const rule = new URLSearchParams({ ip: ALL, site: ALL, route: ALL });
    let shown = 0;
    for (const path of [
      ...paths,
      `resources/ip_policy?${search}`,
      `traffic?${search}`,
      `names?${search}`,
      `address-rule?${rule}`,
    ]) {
      await openPath(page, path.replaceAll("'", '%27'));
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
      assert.deepEqual(await injected(page), [], path);
      if ((await page.locator('main').innerText()).includes('onerror=ran=1')) shown++;
    }
    assert.ok(shown > samples.length, `${shown} pages show a hostile text`);
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page, name or id' }).fill('onerror');
    await page
      .getByRole('dialog')
      .getByRole('link', { name: /onerror/ })
      .first()
      .waitFor();
    assert.deepEqual(await injected(page), [], 'the palette');
    assert.deepEqual(faults, []);
  });
});

/** A resource of each kind, with hostile descriptions and metadata where it has them. Returns values of paths. */
async function makeResources(platform: Platform): Promise<readonly Sample[]> {
  const { operations } = await documentOf(platform);
  const account = new Account(operations, platform.bootstrap.api_key, platform);
  const made: Sample[] = [];
  for (const { kind, tooLong, parent } of samples) {
    const texts = tooLong === undefined ? {} : { description: SHORT, metadata: ALL };
    const { id } = await account.make(kind, texts);
    if (parent === undefined) made.push({ kind, id });
  }
  await account.create('user', { name: SHORT });
  await platform.api('PATCH', `/users/${platform.bootstrap.user_id}`, { name: SHORT });
  return made;
}

/** A request that fails, and so is recorded in full. Its path and headers have the text. */
async function visit(platform: Platform, name: string, text: string): Promise<void> {
  const headers = { host: name, 'user-agent': text, referer: text, 'x-hostile': text };
  const path = `/${text.replaceAll(/\s/g, '')}?q=${text.replaceAll(/\s/g, '')}`;
  const { port, ca } = platform;
  const sent = request({ host: '127.0.0.1', port, ca, servername: name, path, headers, agent: false });
  sent.end();
  const [response] = await once(sent, 'response');
  response.resume();
  await once(response, 'end');
}

/** Signs that a text became more than a text; none is []. */
async function injected(page: Page): Promise<readonly string[]> {
  return await page.evaluate(`(() => {
    const found = [...document.querySelectorAll('body :is(img, iframe, object, embed, script, style, base, svg[onload])')];
    const acting = [...document.querySelectorAll('body *')].filter((element) =>
      element.getAttributeNames().some((name) => name.startsWith('on')) ||
      ['href', 'src', 'action', 'formaction'].some((name) => /^\\s*javascript:/i.test(element.getAttribute(name) ?? '')));
    const signs = [...found, ...acting].map((element) => element.outerHTML.slice(0, 200));
    return 'ran' in window ? ['a script ran', ...signs] : signs;
  })()`);
}

/** Each question of a user has its answer after at most three activations, by keyboard at 390 pixels, under load. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import {
  browserMissing,
  eventually,
  Platform,
  selfSigned,
  startBrowser,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { openPath, signedIn } from './dashboard.fixture.ts';
import {
  DOMAIN,
  KeyboardUser,
  measureWork,
  RESOURCES,
  reserveDomains,
  visitSteadily,
} from './dashboard-questions.fixture.ts';
import { Intake } from './event-intake.fixture.ts';

const DEMO = `demo.${DOMAIN}`;
const BROKEN = `broken.${DOMAIN}`;
const OFFICE = `office.${DOMAIN}`;
const ACTIVATIONS_MAX = 3;
const MEASURED_SECONDS = Number(process.env.TEST_WORK_SECONDS ?? 2);
const DRAWINGS_MAX = 30;

interface Question {
  readonly question: string;
  readonly find: (user: KeyboardUser) => Promise<void>;
  /** Texts of the page that are the answer. */
  readonly answer: readonly (string | RegExp)[];
}

const QUESTIONS: readonly Question[] = [
  {
    question: 'is my agent there',
    find: (user) => user.goTo('Agents'),
    answer: [DEMO, BROKEN],
  },
  {
    question: 'what is my URL',
    find: async (user) => {
      await user.goTo('Names');
      await user.search('demo');
      await user.openFirstRow(/demo/);
    },
    answer: [new RegExp(`https://${DEMO}:\\d+`)],
  },
  {
    question: 'why is it 502',
    find: async (user) => {
      await user.goTo('Traffic');
      await user.tabTo(/^Errors$/);
      await user.press('Enter');
      await user.openFirstRow(/502/);
    },
    answer: [/ERR_\w*8012: /, /could not reach the service/, /Cause: connection refused/],
  },
  {
    question: 'what serves this name',
    find: async (user) => {
      await user.goTo('Names');
      await user.search('office');
      await user.openFirstRow(/office/);
    },
    answer: [/visitor > TLS :\d+ \(ends here\) > the office/, 'group app=web', '● 1 online'],
  },
  {
    question: 'who is affected if this agent goes',
    find: async (user) => {
      await user.goTo('Agents');
      await user.openFirstRow(/demo/);
    },
    answer: ['Without this agent', /demo\S+ no other agent serves it/],
  },
  {
    question: 'which certificate ends next',
    find: (user) => user.goTo('Certificates'),
    answer: ['soon.example.com', /^1 day$/],
  },
  {
    question: 'is an event target failing',
    find: (user) => user.goTo('Events'),
    answer: ['The trail', /failing.*503/],
  },
  {
    question: 'who can reach this',
    find: async (user) => {
      await user.goTo('Names');
      await user.search('office');
      await user.openFirstRow(/office/);
    },
    answer: ['IP restriction'],
  },
  {
    question: 'why was this one let in or refused',
    find: async (user) => {
      await user.goTo('Traffic');
      await user.tabTo(/^Refused$/);
      await user.press('Enter');
      await user.openFirstRow(/403/);
    },
    answer: [/ERR_\w*3205: /, 'ip_restriction'],
  },
  {
    question: 'who changed what and when',
    find: async (user) => {
      await user.goTo('Audit');
      await user.openFirstRow(/reserved domain/i);
    },
    answer: [/reserved domain created/],
  },
  {
    question: 'which keys are there',
    find: (user) => user.goTo('API keys'),
    answer: ['Made at the first start'],
  },
];

describe('the questions of users of the console', { skip: browserMissing }, () => {
  let platform: Platform;
  let browser: Browser;
  let upstream: Upstream;
  let page: Page;
  let faults: readonly string[] = [];
  let visits: ReturnType<typeof visitSteadily>;
  const intake = new Intake();
  before(async () => {
    const url = await intake.start();
    upstream = await startUpstream((_, response) => response.end('hello'));
    platform = await Platform.start({ args: ['--monitoring-intake-url', url] });
    browser = await startBrowser();
    const create = async (path: string, body: object): Promise<{ id: string }> => {
      const { status, json, text } = await platform.api('POST', path, body);
      assert.equal(status, 201, text);
      return json;
    };
    await platform.agent(['http', String(upstream.port), '--domain', DEMO]);
    await platform.agent(['http', '1', '--domain', BROKEN]);
    await platform.agent(['http', String(upstream.port), '--label', 'app=web']);
    const { pem: certificate_pem, key: private_key_pem } = selfSigned('soon.example.com');
    await create('/tls_certificates', { certificate_pem, private_key_pem });
    intake.isAway = true;
    const target = { monitoring: { api_key: 'not-a-real-key' } };
    const destination = await create('/event_destinations', {
      ...{ description: 'The trail', format: 'json', target },
    });
    const sources = [{ type: 'ip_policy_created.v0' }];
    await create('/event_subscriptions', { sources, destination_ids: [destination.id] });
    const policy = await create('/ip_policies', { description: 'nobody' });
    const group = await create('/backends/tunnel_group', { labels: { app: 'web' } });
    await create('/reserved_domains', { domain: OFFICE, description: 'our first name' });
    const edge = await create('/edges/https', { hostports: [`${OFFICE}:443`], description: 'the office' });
    await create(`/edges/https/${edge.id}/routes`, {
      ...{ match_type: 'path_prefix', match: '/', backend: { backend_id: group.id } },
      ip_restriction: { ip_policy_ids: [policy.id] },
    });
    const seconds = await reserveDomains(platform);
    console.log(`${RESOURCES} resources after ${Math.round(seconds)} s`);
    visits = visitSteadily(platform, [DEMO, DEMO, DEMO, OFFICE, BROKEN]);
    await eventually(() => {
      for (const status of [200, 403, 502]) assert.ok((visits.counts.get(status) ?? 0) > 0, String(status));
    });
    const viewport = { width: 390, height: 844 };
    ({ page, faults } = await signedIn(browser, platform, { viewport }));
  });
  after(async () => {
    visits?.stop();
    await browser?.close();
    await platform?.stop();
    await upstream?.stop();
    await intake.stop();
  });

  for (const { question, find, answer } of QUESTIONS)
    test(`${question}: answered after at most ${ACTIVATIONS_MAX} activations`, async (t) => {
      await openPath(page, '');
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor();
      const user = new KeyboardUser(page);
      const began = performance.now();
      await find(user);
      for (const text of answer) await page.locator('main').getByText(text).first().waitFor();
      t.diagnostic(`${user.activations} activations, ${Math.round(performance.now() - began)} ms`);
      assert.ok(user.activations <= ACTIVATIONS_MAX, `${user.activations} activations`);
      assert.deepEqual(faults, []);
    });

  test('the palette finds the oldest of all resources, by its description and by its name', async (t) => {
    const user = new KeyboardUser(page);
    const chosen = page.getByRole('dialog', { name: 'Go to' }).locator('a[aria-current=true]');
    const found = [
      { text: 'First Name', about: 'reserved domain: our first name' },
      { text: OFFICE, about: 'name' },
    ];
    for (const { text, about } of found) {
      await user.press('Control+k');
      await page.locator('dialog input:focus').waitFor();
      const began = performance.now();
      await user.type(text);
      const name = `${OFFICE} ${about}`;
      await page.getByRole('dialog').getByRole('link', { name, exact: true }).waitFor();
      await eventually(async () => {
        if ((await chosen.innerText()) !== name) await user.press('ArrowDown');
        assert.equal(await chosen.innerText(), name);
      });
      t.diagnostic(`${text}: found after ${Math.round(performance.now() - began)} ms`);
      await user.press('Enter');
      await page.getByRole('heading', { level: 1, name: OFFICE }).waitFor();
    }
    assert.deepEqual(faults, []);
  });

  test('live data is drawn a bounded number of times a second', async (t) => {
    for (const path of ['', 'traffic', 'names', `names/${DEMO}`, 'agents']) {
      await openPath(page, path);
      await page.locator('main h1').first().waitFor();
      await page.locator('main [aria-busy=true]').first().waitFor({ state: 'detached' });
      const { share, drawingsPerSecond } = await measureWork(page, MEASURED_SECONDS);
      t.diagnostic(
        `/${path}: ${(100 * share).toFixed(0)} % of a core, ${drawingsPerSecond.toFixed(1)} drawings a second`,
      );
      assert.ok(drawingsPerSecond < DRAWINGS_MAX, path);
    }
  });

  test('a row keeps the focus while requests arrive, and the list counts them', async () => {
    const user = new KeyboardUser(page);
    await openPath(page, '');
    await user.goTo('Traffic');
    await page.getByRole('table', { name: 'Requests' }).waitFor();
    for (let n = 0; n < 5; n++) await user.press('j');
    await page.locator('main tr a:focus').waitFor();
    const row = await user.focusedRow();
    const more = page.getByRole('button', { name: /^\d+\+ new: show$/ });
    await more.waitFor();
    assert.equal(await user.focusedRow(), row);
    await user.tabTo(/^\d+\+? new: show$/, 'Shift+Tab');
    await user.press('Enter');
    await page.getByText('following').waitFor();
    await page.evaluate(`document.querySelector('main tbody').scrollTo(0, 500)`);
    await page.getByText('paused').waitFor();
  });

  test('scrolling through all names costs few requests', async (t) => {
    const reads: string[] = [];
    page.on('request', (request) => reads.push(new URL(request.url()).pathname));
    await openPath(page, 'names');
    const table = page.getByRole('table', { name: 'Names' });
    await table.getByRole('row').nth(5).waitFor();
    reads.length = 0;
    await eventually(async () => {
      await page.evaluate(`document.querySelector('main tbody').scrollTo(0, 1e9)`);
      assert.ok(Number(await table.getAttribute('aria-rowcount')) > RESOURCES);
    }, 20_000);
    t.diagnostic(`${reads.length} requests: ${reads.join(' ')}`);
    assert.ok(reads.filter((path) => path === '/names').length <= 12);
    assert.ok(reads.length < 30, `${reads.length} requests`);
    assert.deepEqual(faults, []);
  });
});

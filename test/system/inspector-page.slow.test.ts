/** The look of the inspector's page in a browser: what stays in sight, what is copied, forms, and calls of gRPC. */
import assert from 'node:assert/strict';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import grpc from '@grpc/grpc-js';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import {
  browserMissing,
  eventually,
  Platform,
  startBrowser,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';

const REQUESTS = 100;
/** Rounded corners differ by so much from one drawing to the next. */
const ROUNDING = 8;
const METHOD = '/test.Texts/Unary';
const serialize = (value: string) => Buffer.from(value);
const deserialize = (bytes: Buffer) => bytes.toString();

interface Shown {
  readonly url: string;
  /** The address of the page. */
  readonly inspector: string;
}

describe('the page of the inspector', { skip: browserMissing }, () => {
  let upstream: Upstream;
  let platform: Platform;
  let browser: Browser;
  let shown: Shown;
  before(async () => {
    upstream = await startUpstream(async (request, response) => {
      await text(request);
      response
        .setHeader('Content-Type', 'application/json')
        .end(JSON.stringify({ long: 'x '.repeat(4_000) }));
    });
    platform = await Platform.start();
    shown = await agent([String(upstream.port)]);
    for (let count = 1; count <= REQUESTS; count++) await platform.visit(`${shown.url}/items/${count}`);
    browser = await startBrowser();
  });
  after(async () => {
    await browser?.close();
    await platform.stop();
    await upstream.stop();
  });

  async function agent(flags: readonly string[]): Promise<Shown> {
    const running = await platform.agent(['http', ...flags, '--inspect', '127.0.0.1:0']);
    const { input } = await running.process.line(/"event":"inspector"/);
    const { url, token } = JSON.parse(input) as { url: string; token: string };
    return { url: running.url, inspector: `${url}/#token=${token}` };
  }

  async function open(options: BrowserContextOptions = {}, { inspector } = shown): Promise<Page> {
    const context = await browser.newContext({
      permissions: ['clipboard-read', 'clipboard-write'],
      viewport: { width: 1280, height: 800 },
      ...options,
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => assert.fail(error.message));
    await page.goto(inspector);
    await page.getByText('online').first().waitFor();
    return page;
  }

  const row = (page: Page, path: string) => page.locator('.row', { hasText: path }).first();

  async function visited(
    page: Page,
    path: string,
    init: Parameters<Platform['visit']>[1] = {},
  ): Promise<void> {
    await platform.visit(shown.url + path, init);
    await row(page, path).click();
    await page.locator('.details h2', { hasText: path }).waitFor();
  }

  /** The pixels within an element, without those that its edges share with others. */
  async function painted(page: Page, element: string): Promise<Buffer> {
    const box = await page.locator(element).boundingBox();
    assert.ok(box !== null, element);
    const y = Math.ceil(box.y) + 1;
    const height = Math.floor(box.y + box.height) - 1 - y;
    return await page.screenshot({ clip: { ...box, y, height }, animations: 'disabled' });
  }

  /** The largest difference of two images in a channel, of 255. */
  async function difference(page: Page, one: Buffer, other: Buffer): Promise<number> {
    return await page.evaluate<number>(`(async () => {
      const pixels = async (base64) => {
        const image = new Image();
        image.src = 'data:image/png;base64,' + base64;
        await image.decode();
        const context = new OffscreenCanvas(image.width, image.height).getContext('2d');
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height).data;
      };
      const [a, b] = [await pixels('${one.toString('base64')}'), await pixels('${other.toString('base64')}')];
      return a.reduce((most, value, at) => Math.max(most, Math.abs(value - b[at])), 0);
    })()`);
  }

  const clipboard = (page: Page) => page.evaluate<string>('navigator.clipboard.readText()');
  /** Answers how many pixels it was scrolled by. */
  const scroll = (area: Locator) =>
    area.evaluate((it: { scrollTop: number; scrollHeight: number }) => {
      it.scrollTop = it.scrollHeight / 2;
      return it.scrollTop;
    });

  for (const [width, height] of [
    [1280, 800],
    [390, 844],
  ] as const)
    for (const colorScheme of ['light', 'dark'] as const)
      test(`nothing is painted over what stays in sight at ${width} pixels, ${colorScheme}`, async () => {
        const page = await open({ viewport: { width, height }, colorScheme });
        await page
          .locator('.row')
          .nth(REQUESTS - 1)
          .waitFor();
        for (const [bar, area] of [
          ['.filters', '.list .scrolled'],
          ['.details > header', '.details .scrolled'],
        ] as const) {
          if (area.startsWith('.details')) {
            await row(page, '/items/100').click();
            await page.locator('.details .body pre').waitFor();
            await page.mouse.move(0, 0);
          }
          const before = await painted(page, bar);
          assert.ok((await scroll(page.locator(area))) > 100, `${area} is scrolled`);
          const change = await difference(page, before, await painted(page, bar));
          assert.ok(change < ROUNDING, `${bar} changed by ${change}`);
          assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
        }
        await page.context().close();
      });

  test('a row that is reached by keys is not behind the filters', async () => {
    const page = await open();
    await row(page, '/items/40').click();
    for (let count = 41; count <= 70; count++) {
      await page.keyboard.press('k');
      await page.locator('.details h2', { hasText: `/items/${count}` }).waitFor();
    }
    const bar = await page.locator('.filters').boundingBox();
    const box = await row(page, '/items/70').boundingBox();
    assert.ok(bar !== null && box !== null && box.y >= bar.y + bar.height - 1, JSON.stringify({ bar, box }));
    await page.context().close();
  });

  test('the request comes before the response', async () => {
    const page = await open();
    await visited(page, '/order', { method: 'POST', body: 'sent' });
    await page.getByText('application/json, 8').waitFor();
    assert.deepEqual(await page.locator('.details h3').allInnerTexts(), ['Request', 'Response']);
    const shownText = await page.locator('.details').innerText();
    assert.ok(shownText.indexOf('sent') < shownText.indexOf('Response'), shownText);
    await page.context().close();
  });

  test('URL, headers, bodies and single values are copied', async () => {
    const page = await open();
    await visited(page, '/copied?a=1', {
      method: 'POST',
      body: 'line one\r\nline two\r\n',
      headers: { 'X-One': 'value one' },
    });
    const copied = async (name: string) => {
      const button = page.getByRole('button', { name, exact: true });
      await button.focus();
      await page.keyboard.press('Enter');
      await page
        .getByRole('status')
        .filter({ hasText: name.replace('Copy', 'Copied') })
        .waitFor();
      return await clipboard(page);
    };
    assert.equal(await copied('Copy URL'), `${shown.url}/copied?a=1`);
    assert.equal(await copied('Copy X-One'), 'value one');
    assert.match(await copied('Copy request headers'), /^host: .+^x-one: value one\n/ims);
    assert.match(await copied('Copy response headers'), /^content-type: application\/json\n/im);
    assert.equal(await copied('Copy request body'), 'line one\r\nline two\r\n');
    assert.match(await copied('Copy response body'), /^\{"long":"x x /);
    assert.match(await copied('Copy client address'), /^127\.0\.0\.1:\d+$/);
    assert.match(await copied('Copy as curl'), /curl .*copied\?a=1/);
    await page.getByRole('button', { name: 'Copied as curl' }).waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('copying works without the clipboard of secure pages, and keeps the focus', async () => {
    const page = await open();
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.reload();
    await visited(page, '/insecure', { method: 'POST', body: 'line one\r\nline two' });
    const button = page.getByRole('button', { name: 'Copy request body' });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Copied request body' }).waitFor();
    assert.equal(
      await page.evaluate("document.activeElement.getAttribute('aria-label')"),
      'Copied request body',
    );
    assert.equal(await page.locator('textarea').count(), 0);
    // Only this page is without it.
    const other = await page.context().newPage();
    await other.goto(shown.inspector);
    assert.equal(await clipboard(other), 'line one\r\nline two');
    await page.context().close();
  });

  test('forms are tables, and what is hostile in them does nothing', async () => {
    const page = await open();
    const attack = '<img src=x onerror=alert(1)>';
    const type = 'application/x-www-form-urlencoded';
    await visited(page, '/form', {
      ...{ method: 'POST', headers: { 'Content-Type': type } },
      body: new URLSearchParams([
        ['name', 'Jane Doe'],
        [attack, attack],
      ]).toString(),
    });
    const table = page.locator('table.form');
    await table.waitFor();
    const cells = () =>
      table
        .locator('tbody tr')
        .evaluateAll((rows: { children: Iterable<{ textContent: string }> }[]) =>
          rows.map((it) => [...it.children].map(({ textContent }) => textContent)),
        );
    assert.deepEqual(await cells(), [
      ['name', '8 B', 'Jane DoeCopy'],
      [attack, '28 B', `${attack}Copy`],
    ]);
    assert.equal(await page.locator('img').count(), 0);
    await page.getByRole('button', { name: 'Copy value of name' }).click();
    await page.getByRole('button', { name: 'Copied value of name' }).waitFor();
    assert.equal(await clipboard(page), 'Jane Doe');
    await page.getByRole('button', { name: 'As it is' }).first().click();
    await page.getByText('name=Jane+Doe&').waitFor();
    const form = new FormData();
    form.append('title', 'Größe');
    form.append('file', new Blob([Buffer.from([0, 1, 2])], { type: 'image/png' }), 'a "picture".png');
    const { headers, body } = await encoded(form);
    await visited(page, '/parts', { method: 'POST', headers, body });
    await table.getByText('image/png').waitFor();
    assert.deepEqual(await cells(), [
      ['title', '', '', '7 B', 'GrößeCopy'],
      ['file', 'a "picture".png', 'image/png', '3 B', 'not text'],
    ]);
    // JSON that has the type that curl gives to all.
    await visited(page, '/json', { method: 'POST', headers: { 'Content-Type': type }, body: '{"a":[1]}' });
    await page.locator('.json', { hasText: '"a": [' }).waitFor();
    await page.context().close();
  });

  async function encoded(form: FormData) {
    const request = new Request('http://x', { method: 'POST', body: form });
    const type = request.headers.get('content-type') ?? '';
    return { headers: { 'Content-Type': type }, body: Buffer.from(await request.arrayBuffer()) };
  }

  test('the path filter takes any case, and Reset goes when nothing is filtered', async () => {
    const page = await open();
    await visited(page, '/Mixed/Gr%C3%BC%C3%9Fe');
    const reset = page.getByRole('button', { name: 'Reset' });
    const path = page.getByLabel('Path', { exact: true });
    assert.equal(await reset.count(), 0);
    await path.fill('MIXED/grüsse');
    await reset.waitFor();
    await eventually(async () => assert.equal(await page.locator('.row').count(), 1));
    await path.fill('');
    await reset.waitFor({ state: 'detached' });
    for (const [label, option] of [
      ['Method', 'GET'],
      ['Status', '2'],
      ['Time', '5'],
    ] as const) {
      await page.getByLabel(label).selectOption(option);
      await reset.waitFor();
      await page.getByLabel(label).selectOption({ index: 0 });
      await reset.waitFor({ state: 'detached' });
    }
    await page.getByLabel('Search heads').fill('x');
    await reset.click();
    await reset.waitFor({ state: 'detached' });
    await page.context().close();
  });

  test('the status of a gRPC call is its result, and its messages are separate', async () => {
    const server = new grpc.Server({ 'grpc.default_compression_algorithm': 2 });
    server.addService(
      {
        unary: {
          path: METHOD,
          requestStream: false,
          responseStream: false,
          requestSerialize: serialize,
          requestDeserialize: deserialize,
          responseSerialize: serialize,
          responseDeserialize: deserialize,
        },
      },
      {
        unary: (call: grpc.ServerUnaryCall<string, string>, respond: grpc.sendUnaryData<string>) => {
          if (call.request.startsWith('bad'))
            respond({ code: grpc.status.NOT_FOUND, details: 'no such gruß' });
          else respond(null, `response to ${call.request}`);
        },
      },
    );
    const port = await new Promise<number>((done, failed) =>
      server.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (error, bound) =>
        error === null ? done(bound) : failed(error),
      ),
    );
    const running = await agent([String(port), '--upstream-protocol', 'http2']);
    const { hostname } = new URL(running.url);
    const client = new grpc.Client(
      `127.0.0.1:${platform.port}`,
      grpc.credentials.createSsl(Buffer.from(platform.ca)),
      {
        ...{ 'grpc.ssl_target_name_override': hostname, 'grpc.default_authority': hostname },
        'grpc.default_compression_algorithm': 2,
      },
    );
    const page = await open({}, running);
    try {
      for (const asked of ['good '.repeat(100), 'bad '.repeat(100)])
        await new Promise<void>((done) =>
          client.makeUnaryRequest(METHOD, serialize, deserialize, asked, () => done()),
        );
      await page.locator('.row .status', { hasText: 'gRPC 5' }).waitFor();
      assert.deepEqual(await page.locator('.row .status').allInnerTexts(), ['gRPC 5', 'gRPC 0']);
      const colours = await page
        .locator('.row .status')
        .evaluateAll((all: { className: string }[]) => all.map(({ className }) => className));
      assert.deepEqual(colours, ['status sgrpc', 'status s2']);
      await page.getByLabel('Status', { exact: true }).selectOption('2');
      await page.locator('.row', { hasText: 'gRPC 5' }).waitFor({ state: 'detached' });
      await page.getByLabel('Status', { exact: true }).selectOption('failed');
      await page.locator('.row', { hasText: 'gRPC 0' }).waitFor({ state: 'detached' });
      await page.locator('.row', { hasText: 'gRPC 5' }).click();
      assert.match(await page.locator('.details h2').innerText(), /gRPC 5 NOT_FOUND$/);
      assert.match(await page.locator('.fault').innerText(), /^no such gruß/);
      // Compressed on the wire, and longer there than a line of the dump.
      await page.locator('.messages .hex', { hasText: 'bad bad bad bad' }).waitFor();
      await page.getByRole('button', { name: 'Reset' }).click();
      await page.locator('.row', { hasText: 'gRPC 0' }).click();
      await page
        .locator('.messages', { hasText: '←' })
        .locator('.hex', { hasText: 'response to good' })
        .waitFor();
      assert.deepEqual(await page.locator('.details h3').allInnerTexts(), [
        ...['Request', 'Messages', 'Response', 'Messages'],
      ]);
      await page.getByLabel('Search heads').fill('RESPONSE to good');
      await page.locator('.row', { hasText: 'gRPC 5' }).waitFor({ state: 'detached' });
      await page.locator('.row', { hasText: 'gRPC 0' }).waitFor();
    } finally {
      client.close();
      server.forceShutdown();
      await page.context().close();
    }
  });
});

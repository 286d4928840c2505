/** The inspector's page in a browser, beside a real agent: it shows the requests of a tunnel, and replays them. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { WebSocket, WebSocketServer } from 'ws';
import {
  browserMissing,
  curlMissing,
  freePorts,
  inTime,
  Platform,
  type RunningAgent,
  startBrowser,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const ATTACK = '<img src=x onerror=alert(1)>';
/** A number that programs would round. */
const LONG_NUMBER = '12345678901234567890';
/** Bytes on the wire for the whole page. */
const PAGE_MAX = 40_000;

describe('the inspector', { skip: browserMissing }, () => {
  let upstream: Upstream;
  let platform: Platform;
  let browser: Browser;
  let usual: BrowserContext;
  let agent: RunningAgent;
  /** URLs of the tunnel and of its agent's inspector. */
  let url: string;
  let inspector: string;
  let token: string;
  before(async () => {
    upstream = await startUpstream(async (request, response) => {
      const body = await text(request);
      if (request.url === '/logo.png') return response.setHeader('Content-Type', 'image/png').end(PIXEL);
      if (request.url === '/page') return response.setHeader('Content-Type', 'text/html').end(ATTACK);
      if (request.url === '/latin')
        return response
          .setHeader('Content-Type', 'text/plain; charset=ISO-8859-1')
          .end(Buffer.from('Grüße', 'latin1'));
      if (request.url === '/closed') return void request.socket.destroy();
      if (request.url === '/missing') response.statusCode = 404;
      if (request.url === '/long-number')
        return response.setHeader('Content-Type', 'application/json').end(`{"id":${LONG_NUMBER}}`);
      response.setHeader('Content-Type', 'application/json').setHeader('Content-Encoding', 'gzip');
      response.end(gzipSync(JSON.stringify({ path: request.url, method: request.method, body })));
    });
    new WebSocketServer({ server: upstream.server, perMessageDeflate: { threshold: 0 } }).on(
      'connection',
      (socket) => socket.on('message', (data) => socket.send(`answer to ${data}`)),
    );
    platform = await Platform.start();
    // Another agent is to listen there later.
    const [port] = await freePorts(1);
    agent = await platform.agent(['http', String(upstream.port), '--inspect', `127.0.0.1:${port}`]);
    const { input } = await agent.process.line(/"event":"inspector"/);
    ({ url: inspector, token } = JSON.parse(input) as { url: string; token: string });
    url = agent.url;
    browser = await startBrowser();
    usual = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
  });
  after(async () => {
    await browser?.close();
    await platform.stop();
    await upstream.stop();
  });

  /** Opens a page on which errors fail the test; returns its loaded resources. */
  async function open(options?: BrowserContextOptions) {
    const context = options === undefined ? usual : await browser.newContext(options);
    await Promise.all(context.pages().map((earlier) => earlier.close()));
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('dialog', (dialog) => faults.push(dialog.message()));
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') faults.push(message.text());
    });
    await page.goto(inspector);
    await page.getByText('online').first().waitFor();
    return { page, faults };
  }

  const row = (page: Page, path: string) => page.locator('.row', { hasText: path }).first();

  /** Makes a visit, and opens its exchange. */
  async function visited(
    page: Page,
    path: string,
    init: Parameters<Platform['visit']>[1] = {},
  ): Promise<void> {
    await platform.visit(url + path, init);
    await row(page, path).click();
    await page.locator('.details h2', { hasText: path }).waitFor();
  }

  test('requests appear as they come, with their heads, bodies and times', async () => {
    const { page, faults } = await open();
    await visited(page, '/orders?id=1', { method: 'POST', body: '{"amount": 12}' });
    assert.match(await page.locator('.details h2').innerText(), /^POST \/orders\?id=1\s+200 OK$/);
    assert.match(await page.locator('.json').first().innerText(), /\n {2}"path": "\/orders\?id=1",\n/);
    // Each body has a request of its own.
    await page.locator('.details .body', { hasText: '"amount": 12' }).waitFor();
    assert.match(await page.locator('.headers').first().innerText(), /x-forwarded-proto\s+https/i);
    assert.match(await page.locator('.timing').innerText(), /waiting\s+[\d.]+ ms/);
    await visited(page, '/logo.png');
    const image = page.locator('.body img');
    const width = await image.evaluate(async (it: { decode(): Promise<void>; naturalWidth: number }) => {
      await it.decode();
      return it.naturalWidth;
    });
    assert.equal(width, 1);
    await visited(page, '/long-number');
    await page.getByText(`"id": ${LONG_NUMBER}\n}`).waitFor();
    await visited(page, '/latin');
    await page.getByText('Grüße').waitFor();
    await visited(page, '/closed');
    await page.locator('.details', { hasText: 'closed the connection without an answer' }).waitFor();
    assert.deepEqual(faults, []);
  });

  test('what went by does nothing on the page', async () => {
    const { page, faults } = await open();
    await visited(page, '/page', { headers: { 'X-Attack': ATTACK } });
    assert.equal(await page.locator('.details pre').first().innerText(), ATTACK);
    assert.equal(await page.locator('img').count(), 0);
    assert.deepEqual(faults, []);
  });

  test('the list is filtered by path, method and status, and searched in bodies', async () => {
    const { page } = await open();
    await platform.visit(`${url}/missing`);
    await platform.visit(`${url}/search/a`, { method: 'PUT', body: 'a needle in it' });
    await row(page, '/search/a').waitFor();
    const paths = page.locator('.row .path');
    await page.getByLabel('Status').selectOption('4');
    await page.locator('.row').first().waitFor();
    assert.deepEqual([...new Set(await paths.allTextContents())], ['/missing']);
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByLabel('Method').selectOption('PUT');
    assert.deepEqual(await paths.allTextContents(), ['/search/a']);
    await page.getByLabel('Path').fill('/other');
    await page.getByText('No request is as the filter says.').waitFor();
    await page.getByRole('button', { name: 'Reset' }).click();
    await page.getByLabel('Search heads').fill('NEEDLE in');
    await row(page, '/missing').waitFor({ state: 'detached' });
    assert.deepEqual(await paths.allTextContents(), ['/search/a']);
    // Later visits are searched as well.
    await platform.visit(`${url}/missing/later`);
    await platform.visit(`${url}/search/b`, { method: 'PUT', body: 'another needle in it' });
    await row(page, '/search/b').waitFor();
    assert.deepEqual(await paths.allTextContents(), ['/search/b', '/search/a']);
    // It continues after a visit of another page, and shows it.
    await page.getByRole('link', { name: 'Status' }).click();
    await page.getByRole('link', { name: 'Requests' }).click();
    await row(page, '/search/b').waitFor();
    assert.equal(await page.getByLabel('Search heads').inputValue(), 'NEEDLE in');
    assert.deepEqual(await paths.allTextContents(), ['/search/b', '/search/a']);
    await page.getByRole('button', { name: 'Reset' }).click();
    await row(page, '/missing/later').waitFor();
    assert.equal(await page.getByLabel('Search heads').inputValue(), '');
  });

  test('what is listed of the last minutes goes when they are over', async () => {
    const { page } = await open();
    await page.clock.install();
    await page.reload();
    await platform.visit(`${url}/soon-old`);
    await row(page, '/soon-old').waitFor();
    await page.getByLabel('Time').selectOption('last minute');
    await row(page, '/soon-old').waitFor();
    await page.clock.fastForward('02:00');
    await page.getByText('No request is as the filter says.').waitFor();
  });

  test('a request is sent again, also edited, and copied for curl', { skip: curlMissing }, async () => {
    const { page, faults } = await open();
    await visited(page, '/again', { method: 'POST', body: 'first' });
    const { hash } = new URL(page.url());
    await page.getByRole('button', { name: 'Replay', exact: true }).click();
    await page.getByText(`Replay of ${hash.slice(1)}`).waitFor();
    await page.getByRole('button', { name: 'Edit and replay' }).click();
    await page.locator('.edit').getByLabel('Path').fill('/edited');
    await page.locator('.edit').getByLabel('Body').fill('second');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.details h2', { hasText: '/edited' }).waitFor();
    await page.getByText('"body": "second"').waitFor();
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByRole('button', { name: 'Copied' }).waitFor();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.match(command, /^curl .*--request POST '.*\/edited'.* --data-raw 'second'$/);
    const pasted = command.replace('curl', 'curl --silent --show-error --compressed');
    const { stdout } = await promisify(execFile)('sh', ['-c', pasted]);
    assert.equal((JSON.parse(stdout) as { body: string }).body, 'second');
    await page.getByRole('button', { name: 'Edit and replay' }).click();
    await page.locator('.edit').getByLabel('Path').fill('no path');
    await page.getByRole('button', { name: 'Send' }).click();
    assert.match(await page.getByRole('alert').innerText(), /path has to begin/);
    assert.deepEqual(
      faults.filter((fault) => !fault.includes('400')),
      [],
    );
  });

  test('a body that is edited keeps its line ends, and one that was not kept whole is none', async () => {
    const { page } = await open();
    const inParts = '--a\r\nContent-Disposition: form-data; name="b"\r\n\r\nc\r\n--a--\r\n';
    await visited(page, '/in-parts', { method: 'POST', body: inParts });
    await page.getByRole('button', { name: 'Edit and replay' }).click();
    const field = page.locator('.edit').getByLabel('Body');
    await field.fill((await field.inputValue()).replace('\nc\n', '\nchanged\n'));
    await page.getByRole('button', { name: 'Send' }).click();
    await page.getByText('Replay of').waitFor();
    const sent = inParts.replace('\r\nc\r\n', '\r\nchanged\r\n');
    await page.getByText(JSON.stringify(sent)).waitFor();
    await visited(page, '/too-long', { method: 'POST', body: 'x'.repeat(300_000) });
    await page.getByRole('button', { name: 'Edit and replay' }).click();
    await page.getByText('only its beginning was kept, and what stands here is sent instead').waitFor();
    assert.equal(await field.inputValue(), '');
  });

  test('the messages of a WebSocket are read, compressed ones, too', async () => {
    const { page, faults } = await open();
    const socket = new WebSocket(`${url.replace('https:', 'wss:')}/socket`, {
      ...{ ca: platform.ca, perMessageDeflate: { threshold: 0 } },
      lookup: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    await inTime(once(socket, 'open'), () => 'an open WebSocket');
    for (const message of ['hello hello', 'hello again']) {
      socket.send(message);
      await inTime(once(socket, 'message'), () => 'an answer');
    }
    await row(page, '/socket').click();
    const messages = page.locator('.messages code');
    await messages.nth(3).waitFor();
    assert.deepEqual(await messages.allInnerTexts(), [
      ...['hello hello', 'answer to hello hello', 'hello again', 'answer to hello again'],
    ]);
    await page.getByLabel('Search heads').fill('ANSWER to hello again');
    await page.locator('.row', { hasNotText: '/socket' }).first().waitFor({ state: 'detached' });
    await row(page, '/socket').waitFor();
    socket.close();
    await page.locator('.messages', { hasText: 'close' }).waitFor();
    assert.deepEqual(faults, []);
  });

  test('what is kept is saved as HAR, cleared, and opened again', async () => {
    const { page } = await open();
    await visited(page, '/saved', { method: 'POST', body: 'kept' });
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save HAR' }).click(),
    ]);
    const file = await download.path();
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText('Requests appear here as they come.').waitFor();
    await page.locator('input[type=file]').setInputFiles({
      ...{ name: 'requests.har', mimeType: 'application/json', buffer: await readFile(file) },
    });
    await row(page, '/saved').click();
    await page.getByText('"body": "kept"').waitFor();
  });

  test('keys go through the list, and its address leads back to a request', async () => {
    const { page } = await open();
    await visited(page, '/first');
    await visited(page, '/second');
    await page.keyboard.press('j');
    await page.locator('.details h2', { hasText: '/first' }).waitFor();
    await page.keyboard.press('k');
    await page.locator('.details h2', { hasText: '/second' }).waitFor();
    await page.keyboard.press('e');
    await page.locator('form.edit').waitFor();
    await page.keyboard.type('/by-key');
    assert.match(await page.locator('.edit').getByLabel('Path').inputValue(), /^\/\w+\/by-key$/);
    await page.keyboard.press('Enter');
    await page.locator('.details h2', { hasText: '/by-key' }).waitFor();
    await page.keyboard.press('e');
    await page.locator('form.edit').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await page.locator('.details header', { hasText: 'Replay of' }).waitFor();
    await page.keyboard.press('/');
    assert.equal(await page.evaluate('document.activeElement.id'), 'path');
    await page.keyboard.type('j');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.getByText('Choose a request.').waitFor();
    await page.goBack();
    await page.locator('.details header', { hasText: 'Replay of' }).waitFor();
  });

  test('the status says how session and tunnels are', async () => {
    const { page, faults } = await open();
    await page.getByRole('link', { name: 'Status' }).click();
    const shown = await page.locator('.status-page').innerText();
    assert.match(shown, /Session\s+online/);
    assert.ok(shown.includes(url) && shown.includes(`http://localhost:${upstream.port}`), shown);
    assert.deepEqual(faults, []);
  });

  test('it is dark for who wants that, and fits a phone', async () => {
    const background = (page: Page) => page.evaluate('getComputedStyle(document.body).backgroundColor');
    const { page: light } = await open({ colorScheme: 'light' });
    const phone = { colorScheme: 'dark', viewport: { width: 390, height: 844 }, isMobile: true } as const;
    const { page: dark, faults } = await open(phone);
    assert.equal(await background(light), 'rgb(255, 255, 255)');
    assert.equal(await background(dark), 'rgb(18, 22, 28)');
    await visited(dark, `/phone/${'long/'.repeat(40)}`);
    // The list is hidden after a selection.
    await dark.locator('.list').waitFor({ state: 'hidden' });
    assert.equal(await dark.evaluate('document.documentElement.scrollWidth'), 390);
    await dark.getByLabel('Back to the list').click();
    await dark.locator('.list').waitFor();
    await visited(dark, `/longer/${'than/'.repeat(300)}`);
    const head = await dark.locator('.details > header').boundingBox();
    assert.ok(head !== null && head.height < 844 / 3, `${head?.height} pixels`);
    await dark.getByLabel('Back to the list').click();
    await dark.locator('.list').waitFor();
    assert.equal(await dark.evaluate('document.documentElement.scrollWidth'), 390);
    assert.deepEqual(faults, []);
  });

  test('the page is small, comes from the agent alone, and runs nothing else', async () => {
    const page = await usual.newPage();
    const hosts = new Set<string>();
    page.on('request', (request) => hosts.add(new URL(request.url()).origin));
    const loaded = await page.goto(inspector);
    await page.getByText('online').first().waitFor();
    assert.deepEqual([...hosts], [inspector]);
    assert.match(
      loaded?.headers()['content-security-policy'] ?? '',
      /^default-src 'none'; script-src 'self';/,
    );
    const files = await Promise.all(
      ['/', '/page.js', '/page.css'].map(async (path) => (await fetch(inspector + path)).text()),
    );
    const size = files.reduce((sum, file) => sum + gzipSync(file).length, 0);
    assert.ok(size < PAGE_MAX, `${size} bytes`);
  });

  test('another user of the machine sees nothing, until the token is in the address', async () => {
    const others = await browser.newContext({ viewport: { width: 390, height: 800 } });
    // This browser is of who runs the agent: what another one would be shown has no token in it.
    await others.route(`${inspector}/`, async (route) => {
      const response = await route.fetch();
      const body = (await response.text()).replace(token, '');
      await route.fulfill({ response, body });
    });
    const page = await others.newPage();
    await page.goto(inspector);
    await page.getByText('shows itself to the user who runs the agent').waitFor();
    assert.equal(await page.getByText('online').count(), 0);
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 390);
    await page.goto(`${inspector}/#token=${token}`);
    await page.getByText('online').first().waitFor();
    assert.equal(page.url(), `${inspector}/`, 'the token does not stay in the address');
    const tab = await others.newPage();
    await tab.goto(inspector);
    await tab.getByText('online').first().waitFor();
    await others.close();
  });

  test('the end of an agent is shown, and the one that takes its place is followed', async () => {
    const { page } = await open();
    await agent.process.stop();
    await page.getByText('agent gone').waitFor();
    const { host } = new URL(inspector);
    const next = await platform.agent(['http', String(upstream.port), '--inspect', host]);
    await page.getByText('online').first().waitFor();
    await platform.visit(`${next.url}/next`);
    await row(page, '/next').waitFor();
  });
});

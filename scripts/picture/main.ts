/**
 * Makes the picture of the README from a real run: a daemon, an agent in tmux with its screen, requests of visitors, and
 * the inspector in Chromium. Run by `npm run picture`; needs the Debian packages chromium and tmux.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { eventually, freePorts, Platform, startBrowser, startUpstream } from '../../test/harness/index.ts';
import { pathToNode } from '../../test/harness/process.ts';
import { ansiToHtml } from './ansi-html.ts';

const TARGET = 'docs/picture.png';
/** Bytes: the front page loads it on every visit. */
const SIZE_MAX = 200_000;
const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
const NAME = 'shop.underpass.localhost';
const COLUMNS = 96;
const ROWS = 26;

const folder = mkdtempSync(join(tmpdir(), 'underpass-picture-'));
const shop = await startUpstream((request, response) => {
  const { pathname } = new URL(request.url ?? '/', 'http://shop');
  response.setHeader('Content-Type', 'application/json');
  if (pathname === '/api/carts/17/pay') response.statusCode = 500;
  else if (pathname === '/favicon.ico') response.statusCode = 404;
  else if (request.method === 'POST') response.statusCode = 201;
  const order = { id: 4711, items: [{ sku: 'lamp-3', count: 2, price: 24.9 }], total: 49.8, paid: true };
  response.end(JSON.stringify(response.statusCode < 400 ? order : { error: 'the payment service is away' }));
});
const platform = await Platform.start();
const browser = await startBrowser();
try {
  const [inspectorPort] = await freePorts(1);
  const { connect_addr, ca_file, authtoken } = platform.bootstrap;
  const options = ['--domain', NAME, '--inspect', `127.0.0.1:${inspectorPort}`];
  const connection = ['--server', connect_addr, '--ca', ca_file, '--authtoken', authtoken];
  const command = [AGENT, 'http', String(shop.port), ...options, ...connection].map((word) => `'${word}'`);
  tmux('new-session', '-d', '-s', 'agent', '-x', String(COLUMNS), '-y', String(ROWS), command.join(' '));
  await eventually(() => {
    if (!screen().includes('Forwarding')) throw new Error('the agent is not online');
  });
  await visits(`https://${NAME}:${platform.port}`);
  const inspector = await inspectorPicture(/http:\/\/127\.0\.0\.1:\d+\S*/.exec(screen())?.[0] ?? '');
  const picture = await together(screen('-e'), inspector);
  if (picture.length > SIZE_MAX)
    throw new Error(`the picture has ${picture.length} bytes, more than ${SIZE_MAX}`);
  writeFileSync(TARGET, picture);
  console.log(`${TARGET}: ${picture.length} bytes`);
} finally {
  tmux('kill-server');
  await browser.close();
  await platform.stop();
  await shop.stop();
  rmSync(folder, { recursive: true });
}

/** A tmux server of this run alone. */
function tmux(...args: readonly string[]): string {
  const env = { ...process.env, ...pathToNode, TMUX_TMPDIR: folder, LC_ALL: 'C.UTF-8' };
  return execFileSync('tmux', ['-f', '/dev/null', ...args], { env, encoding: 'utf8' });
}

function screen(...options: readonly string[]): string {
  return tmux('capture-pane', '-p', ...options, '-t', 'agent').trimEnd();
}

async function visits(url: string): Promise<void> {
  const body = JSON.stringify({ items: [{ sku: 'lamp-3', count: 2 }] });
  const headers = { 'Content-Type': 'application/json', 'User-Agent': 'shop-app/2.1' };
  for (const path of [
    '/',
    '/assets/app.css',
    '/assets/app.js',
    '/favicon.ico',
    '/api/items?page=1',
    '/api/items/lamp-3',
  ])
    await platform.visit(`${url}${path}`, { headers });
  await platform.visit(`${url}/api/carts`, { method: 'POST', headers, body });
  await platform.visit(`${url}/api/carts/17/pay`, { method: 'POST', headers, body });
  await platform.visit(`${url}/api/orders`, { method: 'POST', headers, body });
}

/** PNG of the inspector with the last request open. `address`: of the page, with its token, as the agent prints it. */
async function inspectorPicture(address: string): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1180, height: 680 }, colorScheme: 'light' });
  await page.goto(address);
  await page.getByText('/api/orders').first().click();
  return page.screenshot();
}

/** PNG of both, the inspector overlapping the terminal. */
async function together(terminal: string, inspector: Buffer): Promise<Buffer> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 } });
  await page.setContent(`<style>
    body { margin: 0; background: #eceff4; }
    pre { position: absolute; left: 24px; top: 24px; margin: 0; padding: 16px 20px; border-radius: 10px;
      background: #1b1f27; color: #c8ccd4; font: 14px/1.35 'DejaVu Sans Mono', monospace; box-shadow: 0 6px 20px #0004; }
    img { position: absolute; right: 24px; bottom: 24px; width: 900px; border-radius: 10px; box-shadow: 0 6px 24px #0006; }
  </style><pre>${ansiToHtml(terminal)}</pre><img src="data:image/png;base64,${inspector.toString('base64')}">`);
  await page.waitForFunction('document.images[0].complete');
  return page.screenshot();
}

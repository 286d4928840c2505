/** Tests of links into the console: from the machine of the daemon, and from the command line with an API key. */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Platform, Process, underpassd } from '../harness/index.ts';
import { addAccount } from './attacks.fixture.ts';
import { ConsoleBrowser } from './console.fixture.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));

let platform: Platform;
let folder: string;

before(async () => {
  platform = await Platform.start();
  folder = mkdtempSync(join(tmpdir(), 'console-link-'));
});
after(async () => {
  await platform.stop();
  rmSync(folder, { recursive: true });
});

function tokenIn(text: string): string {
  const { base_url } = platform.bootstrap;
  const url = new RegExp(`^${base_url}/ui/sign-in#(\\S+)$`, 'm').exec(text);
  assert.ok(url, text);
  return url[1] ?? '';
}

test('the machine of the daemon gets links that sign in as the oldest admin, or as a user', async () => {
  const place = ['--data-dir', platform.dataDir];
  const { code, stdout } = await underpassd(['console', 'link', ...place]);
  assert.equal(code, 0);
  const admin = await ConsoleBrowser.signedIn(platform, tokenIn(stdout));
  const me = (await admin.request('GET', '/me')).json;
  assert.deepEqual([me.user.id, me.role, me.api_key], [platform.bootstrap.user_id, 'admin', null]);
  const made = await admin.request('POST', '/ip_policies', { description: 'without a key' });
  assert.equal(made.status, 201);
  assert.equal((await admin.request('DELETE', `/ip_policies/${made.json.id}`)).status, 204);
  const { json: listed } = await admin.request('GET', '/console/sessions');
  assert.equal(listed.console_sessions[0].api_key, null);
  const link = await admin.request('POST', '/console/links', {});
  assert.equal(link.status, 200);
  await ConsoleBrowser.signedIn(platform, tokenIn(link.json.url));

  const { json: viewer } = await platform.api('POST', '/users', { name: 'Vi', role: 'viewer' });
  const { json } = await underpassd(['console', 'link', '--user', viewer.id, '--json', ...place]);
  const { url, user_id } = json as { url: string; user_id: string };
  assert.equal(user_id, viewer.id);
  const browser = await ConsoleBrowser.signedIn(platform, tokenIn(url));
  assert.equal((await browser.request('GET', '/me')).json.role, 'viewer');
  assert.equal((await platform.api('DELETE', `/users/${viewer.id}`)).status, 204);
  assert.equal((await browser.request('GET', '/me')).status, 401, 'the session went with its user');
});

test('a link needs an account that there is, and the only one needs no name', async () => {
  const place = ['--data-dir', platform.dataDir];
  const other = await addAccount(platform);
  const unnamed = await underpassd(['console', 'link', ...place]);
  assert.equal(unnamed.code, 1);
  assert.match(unnamed.stderr, /there are 2 accounts: name one with --account/);
  const named = await underpassd(['console', 'link', '--account', other.account_id, ...place]);
  const browser = await ConsoleBrowser.signedIn(platform, tokenIn(named.stdout));
  assert.equal((await browser.request('GET', '/me')).json.account.id, other.account_id);
  const foreign = ['--account', other.account_id, '--user', platform.bootstrap.user_id];
  const refused = await underpassd(['console', 'link', ...foreign, ...place]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /has no active user of this id/);
  assert.equal((await underpassd(['console', 'link', '--user', 'x', ...place])).code, 2);
});

test('underpass dashboard opens the link in a browser, or prints it', async () => {
  const { api_key, base_url, ca_file } = platform.bootstrap;
  const opened = join(folder, 'opened');
  const program = join(folder, 'browser.sh');
  writeFileSync(program, `#!/bin/sh\nprintf '%s' "$1" > '${opened}'\n`);
  chmodSync(program, 0o755);
  const env = {
    ...process.env,
    ...{ UNDERPASS_API_URL: base_url, UNDERPASS_API_KEY: api_key, UNDERPASS_CA: ca_file },
  };
  const run = (args: readonly string[], browser: string) =>
    Process.node(AGENT, ['dashboard', ...args], { env: { ...env, BROWSER: browser }, cwd: folder });

  const opening = run([], program);
  assert.equal((await opening.exited).code, 0);
  const token = tokenIn(readFileSync(opened, 'utf8'));
  assert.equal(opening.output.includes(token), false);
  const browser = await ConsoleBrowser.signedIn(platform, token);
  assert.notEqual((await browser.request('GET', '/me')).json.api_key, null);

  writeFileSync(opened, '');
  const printing = run(['--print'], program);
  assert.equal((await printing.exited).code, 0);
  await ConsoleBrowser.signedIn(platform, tokenIn(printing.output));
  assert.equal(readFileSync(opened, 'utf8'), '');

  const without = run([], join(folder, 'none'));
  assert.equal((await without.exited).code, 0);
  await ConsoleBrowser.signedIn(platform, tokenIn(without.output));
  assert.ok(existsSync(opened));
});

/**
 * The agent's screen in a real terminal (tmux).
 * Invariant: visitors' bytes reach it escaped only.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, Platform, Process, startUpstream, type Upstream } from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
import { pathToNode } from '../harness/process.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
const NAME = 'screen.underpass.localhost';
const skip = missingPrograms('tmux');
let platform: Platform;
let upstream: Upstream;
let folder: string;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'underpass-screen-'));
  upstream = await startUpstream((request, response) => {
    response.statusCode = request.url?.startsWith('/bad') ? 503 : 200;
    response.end('ok');
  });
  platform = await Platform.shared();
  // The server of tmux ends with its last session, and refuses a new session meanwhile.
  if (!skip) tmux('new-session', '-d', '-s', 'always', 'cat');
});
after(async () => {
  if (!skip) tmux('kill-server');
  await platform.stop();
  await upstream.stop();
  rmSync(folder, { recursive: true });
});

/** A server of tmux of this test alone, with its sockets in a folder of the test. */
function tmux(...args: readonly string[]): string {
  const env = { ...process.env, ...pathToNode, TMUX_TMPDIR: folder, LC_ALL: 'C.UTF-8' };
  return execFileSync('tmux', ['-f', '/dev/null', ...args], { env, encoding: 'utf8' });
}

function connection(): readonly string[] {
  const { connect_addr, ca_file, authtoken } = platform.bootstrap;
  return ['--server', connect_addr, '--ca', ca_file, '--authtoken', authtoken, '--inspect=false'];
}

/** A command in a window of so many columns, what a shell does when it has ended or is stopped, and a prompt. */
function run(
  window: string,
  columns: number,
  args: readonly string[],
  then = '; echo "ended with $?"',
): void {
  const command = [AGENT, ...args, ...connection()].map((word) => `'${word}'`).join(' ');
  const size = ['-x', String(columns), '-y', '20'];
  // Ctrl-\ is for the command alone.
  tmux('new-session', '-d', '-s', window, ...size, `set -m; trap : QUIT; ${command} ${then}; cat`);
}

/** Resolves with the screen after it matches. */
async function seen(window: string, ...patterns: readonly RegExp[]): Promise<string> {
  let text = '';
  await eventually(() => {
    text = tmux('capture-pane', '-p', '-t', window);
    for (const pattern of patterns) assert.match(text, pattern);
  });
  return text;
}

test('what the service refused is on the screen, with the reason', { skip }, async () => {
  run('refused', 100, ['http', String(upstream.port), '--basic-auth', 'ada:correct-horse']);
  const [url = ''] = /https:\S+/.exec(await seen('refused', /Forwarding +https:\S+ ->/)) ?? [];
  assert.equal((await platform.visit(`${url}/page`)).status, 401);
  const text = await seen('refused', /401 {2}GET \/page {2}refused by the service \(basic_auth,/);
  assert.match(text, /Requests +none yet/);
  tmux('kill-session', '-t', 'refused');
});

test('the screen fits each width while it runs, and leaves a summary behind', { skip }, async () => {
  run('one', 100, ['http', String(upstream.port), '--domain', NAME]);
  const url = `https://${NAME}:${platform.port}`;
  const local = `http://localhost:${upstream.port}`;
  await seen(
    'one',
    /^Session {5}online {2}region us {2}ts_/m,
    new RegExp(`^Forwarding {2}${url} -> ${local}$`, 'm'),
  );
  await seen('one', /^Latency {5}\d+.* ms$/m, /^Requests {4}none yet$/m);

  await platform.visit(`${url}/good`);
  await platform.visit(`${url}/bad`);
  await platform.visit(`${url}/%1b%5b2J/${'long/'.repeat(60)}`);
  await seen('one', /^Requests {4}3 {2}1 failed {2}p50 .* ms {2}p90 .* ms {2}p99 .* ms/m);
  const lines = (await seen('one', / 503 .* GET \/bad$/m, / 200 .* GET \/good$/m)).split('\n');
  assert.match(lines.find((line) => line.includes('long/')) ?? '', /GET \/%1b%5b2J\/(long\/)+.*>$/);

  tmux('resize-window', '-t', 'one', '-x', '40');
  const narrow = await seen('one', /^Forwarding$/m, /^ {2}-> http:/m, /^503 .* GET \/bad$/m);
  assert.ok(narrow.replaceAll('\n', '').includes(url), narrow);
  tmux('resize-window', '-t', 'one', '-x', '200');
  await seen('one', /^Session {5}online {2}.* {2}connect\.underpass\.localhost/m, / GET \/bad$/m);

  tmux('send-keys', '-t', 'one', 'C-c');
  const left = await seen('one', /ended with 0/);
  assert.match(
    left,
    new RegExp(`^Forwarded {3}${url} -> ${local}\nRequests {4}3 {2}1 failed {2}p50 .*\nended with 0`),
  );
});

test('stopped and continued the screen fits the terminal, which had another size meanwhile', {
  skip,
}, async () => {
  run(
    'seven',
    60,
    ['http', '3000', '--domain', 'stopped.underpass.localhost'],
    '; echo stopped; read go; fg',
  );
  const whole = /^Session {5}online {2}region us {2}ts_\w+ {2}connect\.underpass\.localhost:\d+$/m;
  assert.doesNotMatch(await seen('seven', /online/, /stopped\.underpass/), whole);
  tmux('send-keys', '-t', 'seven', 'C-z');
  await seen('seven', /^stopped$/m);
  tmux('resize-window', '-t', 'seven', '-x', '150');
  tmux('send-keys', '-t', 'seven', 'Enter');
  await seen('seven', whole);
});

test('in the background the agent leaves the screen to the shell', { skip }, async () => {
  run(
    'eight',
    100,
    ['http', '3000', '--domain', 'background.underpass.localhost'],
    '; echo stopped; bg; read go; fg',
  );
  await seen('eight', /online/, /background\.underpass/);
  const isShown = () => tmux('display', '-p', '-t', 'eight', '#{alternate_on}') === '1\n';
  tmux('send-keys', '-t', 'eight', 'C-z');
  await seen('eight', /^stopped$/m);
  await platform.visit('background.underpass.localhost');
  assert.equal(isShown(), false);
  tmux('send-keys', '-t', 'eight', 'Enter');
  await seen('eight', /^Requests {4}1 /m);
  assert.equal(isShown(), true);
  const ended = '& read go; kill $!; wait $!; echo "ended with $?"';
  run('nine', 100, ['http', '3000', '--domain', 'started.underpass.localhost'], ended);
  await seen('nine', /^Online .*\nForwarding .*started/m);
  // A closed terminal signals only the process in its foreground.
  tmux('send-keys', '-t', 'nine', 'Enter');
  await seen('nine', /ended with 0/);
});

test('a refusal is on the terminal when the screen is gone', { skip }, async () => {
  run('two', 100, ['http', '3000', '--domain', 'not.yours.example']);
  const left = await seen('two', /^underpass: .*\n[\s\S]*^ended with 1$/m);
  assert.doesNotMatch(left, /^Requests/m, 'none could come');
});

test('a local server that is not there is told on the screen, once for all requests that fail so', {
  skip,
}, async () => {
  run('three', 100, ['http', '1', '--domain', 'dead.underpass.localhost']);
  await seen('three', /online/, /dead\.underpass/);
  const url = `https://dead.underpass.localhost:${platform.port}`;
  for (const path of ['one', 'two', 'three']) await platform.visit(`${url}/${path}`);
  const text = await seen('three', / GET \/one$/m, / GET \/two$/m, / GET \/three$/m);
  const [told, ...again] = text.match(/^\d\d:\d\d:\d\d {2}http:\/\/localhost:1 cannot be reached/gm) ?? [];
  assert.ok(told !== undefined && again.length === 0, text);
});

test('lines are printed where they are asked for, and where there is no terminal', { skip }, async () => {
  run('four', 100, ['http', '3000', '--ui', 'lines']);
  await seen('four', /^Online .*\nForwarding /m);
  const piped = Process.node(AGENT, ['http', '3000', ...connection()]);
  await piped.line(/^Forwarding {2}https:/);
  assert.ok(!piped.output.includes('\x1b'));
  await piped.stop();
  for (const [args, message] of [
    [['--ui', 'screen'], /needs a terminal/],
    [['--ui', 'lines', '--json'], /one of --json and --ui/],
    [['--ui', 'window'], /screen or lines/],
  ] as const) {
    const refused = Process.node(AGENT, ['http', '3000', ...args, ...connection()]);
    assert.equal((await refused.exited).code, 2);
    assert.match(refused.output, message);
  }
});

test('the terminal is as it was after an agent that was made to quit, or was told that its terminal goes', {
  skip,
}, async () => {
  for (const [window, end, code] of [
    ['five', () => tmux('send-keys', '-t', 'five', 'C-\\'), 131],
    ['six', () => process.kill(agentIn('six'), 'SIGHUP'), 129],
  ] as const) {
    run(window, 100, ['http', '3000', '--domain', `${window}.underpass.localhost`]);
    await seen(window, /online/);
    const modes = () => tmux('display', '-p', '-t', window, '#{alternate_on} #{cursor_flag} #{wrap_flag}');
    assert.equal(modes(), '1 0 0\n');
    end();
    await seen(window, new RegExp(`ended with ${code}`));
    assert.equal(modes(), '0 1 1\n');
  }
});

/** The process that the shell in a window has started. */
function agentIn(window: string): number {
  const shell = tmux('display', '-p', '-t', window, '#{pane_pid}').trim();
  return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8').trim());
}

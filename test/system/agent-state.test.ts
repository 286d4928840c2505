/** `underpass status` and `underpass logs` with a real daemon. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, freePorts, Platform, Process, startUpstream, type Upstream } from '../harness/index.ts';
import { isAuthority, makeCertificate } from '../harness/make-certificate.ts';

const AGENT = fileURLToPath(new URL('../../packages/agent/bin/underpass.js', import.meta.url));
let platform: Platform;
let upstream: Upstream;
before(async () => {
  [platform, upstream] = await Promise.all([
    Platform.start(),
    startUpstream((_request, response) => response.end('ok')),
  ]);
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

/** A file with an authority that signed nothing here. */
function otherAuthority(): string {
  const file = join(platform.dataDir, 'other.pem');
  writeFileSync(file, makeCertificate({ subject: '/CN=other', extensions: isAuthority }).pem);
  return file;
}

function start(...args: readonly string[]): Process {
  const { base_url, api_key, ca_file } = platform.bootstrap;
  const env = { UNDERPASS_API_URL: base_url, UNDERPASS_API_KEY: api_key, UNDERPASS_CA: ca_file };
  return Process.node(AGENT, args, { env: { ...process.env, ...env } });
}

async function run(
  ...args: readonly string[]
): Promise<{ readonly code: number | null; readonly lines: readonly string[] }> {
  const command = start(...args);
  const { code } = await command.exited;
  return { code, lines: command.lines };
}

test('status prints warnings with their remedies, and --json all of it', async () => {
  const { json: domain } = await platform.api('POST', '/reserved_domains', { name: 'unserved' });
  await eventually(async () => {
    const { code, lines } = await run('status');
    assert.equal(code, 0, lines.join('\n'));
    assert.equal(lines[0], '! Neither an agent nor an edge serves unserved.underpass.localhost.');
    assert.ok(lines[1]?.includes(domain.id));
    assert.ok(lines.includes('1 name, 0 agents, 0 tunnels, 0 edges'), lines.join('\n'));
  });
  const { lines } = await run('status', '--json');
  assert.equal(JSON.parse(lines.join('\n')).warnings[0].code, 'name_without_agent');
});

test('status --watch prints a change, and ends with Ctrl-C', async () => {
  const watching = start('status', '--watch');
  await watching.line(/^\d+ names?, 0 agents/);
  const agent = await platform.agent(['http', String(upstream.port)]);
  await watching.line(/^\d+ names?, 1 agent,/);
  await agent.process.stop();
  assert.equal((await watching.stop('SIGINT')).code, 0);
});

test('logs without a request says so, but not with --json', async () => {
  const empty = await run('logs', '--filter', 'path = /never');
  assert.deepEqual(empty, { code: 0, lines: ['No recorded request matches the filter.'] });
  const quiet = await run('logs', '--filter', 'path = /never', '--json');
  assert.deepEqual(quiet, { code: 0, lines: [] });
});

test('logs prints requests, follows them, and selects by a filter', async () => {
  const agent = await platform.agent(['http', String(upstream.port)]);
  const following = start('logs', '--follow', '--json', '--filter', 'path = /seen', '--limit', '0');
  await eventually(async () => {
    await platform.visit(`${agent.url}/seen`);
    await platform.visit(`${agent.url}/other`);
    assert.ok(following.lines.length > 0, following.lines.join('\n'));
  });
  for (const line of following.lines) assert.equal(JSON.parse(line).path, '/seen');
  const { code, lines } = await run('logs', '--limit', '5');
  assert.equal(code, 0, lines.join('\n'));
  assert.match(lines.at(-1) ?? '', /^\d\d:\d\d:\d\d {2}200 {2}GET {2}/);
  await agent.process.stop();
  assert.equal((await following.stop('SIGINT')).code, 0);
});

test('wrong flags and keys are refused with a reason', async () => {
  const wrong = await run('logs', '--limit', '101');
  assert.notEqual(wrong.code, 0);
  assert.match(wrong.lines.join('\n'), /--limit "101"/);
  const filter = await run('logs', '--follow', '--filter', 'colour = red');
  assert.equal(filter.code, 1);
  assert.match(filter.lines.join('\n'), /colour/);
  const key = await run('status', '--api-key', 'wrong');
  assert.equal(key.code, 1);
  const [port] = await freePorts(1);
  for (const [flags, remedy] of [
    [
      ['--api-url', `https://api.underpass.localhost:${port}`],
      /ECONNREFUSED[\s\S]*Check that the daemon runs/,
    ],
    [['--ca', otherAuthority()], /not trusted[\s\S]*Give the authority that signed it/],
  ] as const) {
    const unreached = await run('status', ...flags);
    assert.equal(unreached.code, 1);
    assert.match(unreached.lines.join('\n'), remedy);
  }
  const help = await run('api', 'help');
  assert.deepEqual([help.code, help.lines[0]], [0, 'Usage: underpass api <resource>']);
  const address = await run('3000');
  assert.equal(address.code, 2);
  assert.match(address.lines.join('\n'), /Run "underpass http 3000"/);
});

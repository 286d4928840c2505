/**
 * `underpass service`, with the calls of systemctl and the written unit.
 * Invariant: no unit of a test reaches the machine's systemd.
 */
import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, Platform, Process, pathToNode, startUpstream, type Upstream } from '../harness/index.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
let platform: Platform;
let upstream: Upstream;
let home: string;
let unit: string;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((_asked, answer) => answer.end('ours'));
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'underpass-service-'));
  unit = join(home, 'systemd', 'user', 'underpass-agent.service');
  mkdirSync(join(home, 'underpass'));
  mkdirSync(join(home, 'bin'));
  const systemctl = join(home, 'bin', 'systemctl');
  writeFileSync(systemctl, '#!/bin/sh\necho "$@" >> "$HOME/asked"\nexit "$((SYSTEMCTL_CODE))"\n');
  chmodSync(systemctl, 0o755);
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(tunnels: string): void {
  const { connect_addr, authtoken, ca_file } = platform.bootstrap;
  const service = `server: ${connect_addr}\nauthtoken: ${authtoken}\nca: ${ca_file}\n`;
  writeFileSync(join(home, 'underpass', 'agent.yaml'), `${service}tunnels: ${tunnels}\n`);
}

async function service(
  words: string,
  env: NodeJS.ProcessEnv = {},
): Promise<[code: number | null, said: string]> {
  const PATH = `${join(home, 'bin')}${delimiter}${pathToNode.PATH}`;
  const process = Process.node(AGENT, ['service', ...words.split(' '), '--user'], {
    cwd: home,
    env: { HOME: home, XDG_CONFIG_HOME: home, PATH, ...env },
  });
  const { code } = await process.exited;
  return [code, process.output];
}

function asked(): readonly string[] {
  const path = join(home, 'asked');
  const lines = existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n') : [];
  rmSync(path, { force: true });
  return lines;
}

test('what is installed starts the tunnels of the file, without anything of the shell', async (t) => {
  write(`{web: {upstream: ${upstream.port}}}`);
  const [code, said] = await service('install');
  assert.equal(code, 0, said);
  assert.match(said, /is written\. "underpass service start --user" starts it.*\n.*enable-linger/);
  assert.deepEqual(asked(), ['--user daemon-reload', '--user enable underpass-agent.service']);

  const [, line = ''] = /^ExecStart=(.*)$/m.exec(readFileSync(unit, 'utf8')) ?? [];
  const [program = '', ...args] = [...line.matchAll(/"([^"]*)"/g)].map(([, word = '']) => word);
  const env = { UNDERPASS_SERVER: '', UNDERPASS_AUTHTOKEN: '', UNDERPASS_CA: '' };
  const agent = Process.program(program, [...args, '--json'], { cwd: '/', env });
  t.after(() => agent.stop());
  const { url } = JSON.parse((await agent.line(/"event":"tunnel"/)).input) as { url: string };
  assert.equal((await platform.visit(url)).text, 'ours');

  for (const verb of ['start', 'stop', 'status']) assert.equal((await service(verb))[0], 0);
  assert.deepEqual(
    asked(),
    ['start', 'stop', 'status'].map((verb) => `--user ${verb} underpass-agent.service`),
  );
  assert.equal((await service('status', { SYSTEMCTL_CODE: '3' }))[0], 3);
  asked();
  assert.equal((await service('uninstall'))[0], 0);
  assert.deepEqual(asked(), ['--user disable --now underpass-agent.service', '--user daemon-reload']);
  assert.equal(existsSync(unit), false);
});

for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
  test(`an agent under our own keeper writes a log, and ends with the keeper after ${signal}`, async (t) => {
    write(`{web: {upstream: ${upstream.port}}}`);
    const log = join(home, 'logs', 'agent.log');
    const start = ['start', '--inspect=false', '--config', join(home, 'underpass', 'agent.yaml'), '--all'];
    const keeper = Process.node(AGENT, ['service', 'run', '--log', log, '--', ...start, '--json'], {
      cwd: '/',
      env: { HOME: home, XDG_CONFIG_HOME: home },
    });
    t.after(() => keeper.stop());
    const url = await eventually(() => {
      const text = existsSync(log) ? readFileSync(log, 'utf8') : '';
      const line = text.split('\n').find((one) => one.includes('"event":"tunnel"')) ?? '';
      return (JSON.parse(line) as { url: string }).url;
    });
    assert.equal((await platform.visit(url)).text, 'ours');
    const { code } = await keeper.stop(signal);
    assert.equal(code, signal === 'SIGTERM' ? 0 : null);
    await eventually(async () => assert.equal((await platform.visit(url)).status, 404));
  });
}

test('a refusal ends our own keeper, too', async () => {
  const log = join(home, 'agent.log');
  const args = [
    'service',
    'run',
    '--log',
    log,
    '--',
    'start',
    '--config',
    join(home, 'absent.yaml'),
    '--all',
  ];
  const keeper = Process.node(AGENT, args, { cwd: home, env: { HOME: home, XDG_CONFIG_HOME: home } });
  assert.equal((await keeper.exited).code, 2);
  assert.match(readFileSync(log, 'utf8'), /absent\.yaml cannot be read/);
});

test('only the tunnels that are named are started', async () => {
  write('{web: {upstream: 1}, other: {upstream: 2}}');
  assert.equal((await service('install other'))[0], 0);
  assert.match(
    readFileSync(unit, 'utf8'),
    /^ExecStart=.* "start" "--inspect=false" "--config" ".*agent\.yaml" "other"$/m,
  );
});

test('what could not start is not installed', async () => {
  write('{web: {upstream: nowhere}}');
  const cases: readonly (readonly [words: string, env: NodeJS.ProcessEnv, code: number, said: RegExp])[] = [
    ['install', {}, 2, /"tunnels\.web\.upstream": /],
    ['install --config absent.yaml', {}, 2, /absent\.yaml cannot be read/],
    ['start', {}, 2, /There is no .*underpass-agent\.service\. "underpass service install --user"/],
    ['uninstall', {}, 2, /There is no/],
  ];
  for (const [words, env, code, said] of cases) {
    const result = await service(words, env);
    assert.equal(result[0], code, result[1]);
    assert.match(result[1], said);
  }
  write('{web: {upstream: 1}}');
  // A file system that takes no folders.
  const config = join(home, 'underpass', 'agent.yaml');
  const [code, said] = await service(`install --config ${config}`, { XDG_CONFIG_HOME: '/proc/nobody' });
  assert.equal(code, 2);
  assert.match(said, /\/proc\/nobody\/systemd\/user\/underpass-agent\.service cannot be written/);
  const nameless = join(home, 'nameless.yaml');
  writeFileSync(nameless, 'tunnels: {web: {upstream: 1}}\n');
  const variables = {
    UNDERPASS_SERVER: 'a:1',
    UNDERPASS_AUTHTOKEN: 'b',
    XDG_CONFIG_HOME: join(home, 'absent'),
  };
  assert.match(
    (await service(`install --config ${nameless}`, variables))[1],
    /The address of the server is missing/,
  );
  assert.deepEqual(asked(), []);
  assert.equal((await service('install', { SYSTEMCTL_CODE: '1' }))[0], 1);
  assert.match(
    (await service('install', { PATH: pathToNode.PATH.split(delimiter)[0] }))[1],
    /has no systemd/,
  );
  assert.equal(existsSync(unit), false);
});

/**
 * Folders that `underpass file` serves, with real visitors.
 * Invariant: files outside of the folder are not reachable.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, test } from 'node:test';
import { curl, curlMissing, Platform, Process } from '../harness/index.ts';
import { pathToNode } from '../harness/process.ts';
import { rowsOf } from '../harness/property-runs.ts';

const place = mkdtempSync(join(tmpdir(), 'underpass-files-'));
const folder = join(place, 'public');
/** Temporary folder of the agents, to check that nothing is left there. */
const temporary = join(place, 'tmp');
let platform: Platform;
let url: string;
let agent: Process;

before(async () => {
  for (const one of [folder, temporary, join(folder, 'pictures')]) mkdirSync(one);
  writeFileSync(join(folder, 'read me.txt'), '0123456789');
  writeFileSync(join(folder, '.env'), 'secret');
  writeFileSync(join(place, 'secret.txt'), 'secret');
  symlinkSync(join(place, 'secret.txt'), join(folder, 'link.txt'));
  platform = await Platform.shared();
  process.env.TMPDIR = temporary;
  ({ url, process: agent } = await platform.agent(['file', folder]));
});
after(async () => {
  await platform.stop();
  rmSync(place, { recursive: true });
});

async function get(path: string, ...args: readonly string[]): Promise<string> {
  const { stdout } = await curl(platform, ['-i', '--path-as-is', ...args, `${url}${path}`]);
  return stdout;
}

test('a folder has a public URL, where its files are listed and read', { skip: curlMissing }, async () => {
  const page = await get('/');
  assert.match(page, /^HTTP\/2 200 /);
  assert.match(page, /href=".\/pictures\/"[\s\S]*href=".\/read%20me.txt"/);
  assert.match(await get('/read%20me.txt'), /content-length: 10\r\n[\s\S]*\r\n0123456789$/);
  assert.match(await get('/read%20me.txt', '-r', '2-4'), /^HTTP\/2 206 [\s\S]*\r\n\r\n234$/);
  assert.match(await get('/pictures'), /^HTTP\/2 301 [\s\S]*location: \/pictures\//);
  const [, etag = ''] = /etag: (\S+)/.exec(await get('/read%20me.txt', '-I')) ?? [];
  assert.match(await get('/read%20me.txt', '-H', `if-none-match: ${etag}`), /^HTTP\/2 304 /);
  const line = await agent.line(/"event":"request".*"status":206/);
  assert.equal(JSON.parse(line.input).path, '/read%20me.txt');
});

test('what lies beside it, is hidden, or is linked from outside is not there', {
  skip: curlMissing,
}, async () => {
  for (const path of [
    '/../secret.txt',
    '/..%2fsecret.txt',
    '/%2e%2e/secret.txt',
    '/.env',
    '/link.txt',
    '/%2eenv',
  ]) {
    for (const version of ['--http1.1', '--http2']) {
      const answer = await get(path, version);
      assert.match(answer, /^HTTP\/\S+ 4\d\d /, path);
      assert.ok(!answer.includes('secret\n') && !answer.endsWith('secret'), path);
    }
  }
});

test('hidden files are served when that is asked for, and a file may have a folder among its tunnels', async () => {
  const path = join(place, 'agent.yaml');
  writeFileSync(
    path,
    'tunnels: {files: {upstream: "file:public", hidden: true, domain: files.underpass.localhost}}',
  );
  const several = await platform.agent(['start', '--all', '--config', path]);
  assert.equal((await platform.visit(`${several.url}/.env`)).text, 'secret');
});

test('an agent that ends leaves nothing behind', async () => {
  const one = await platform.agent(['file', folder]);
  const before = readdirSync(temporary).length;
  assert.ok(before > 0);
  await one.process.stop();
  assert.equal(readdirSync(temporary).length, before - 1);
});

test('what is no folder is refused', async () => {
  for (const [args, message] of rowsOf([
    [['file', join(folder, 'read me.txt')], /is no folder/],
    [['file', join(folder, 'nothing')], /There is no folder/],
    [['http', '3000', '--hidden'], /Only a folder has hidden files/],
    [['http', `file:${folder}`, '--upstream-protocol', 'http2'], /over HTTP\/1\.1/],
    [['http', `file:${folder}`, '--proxy-proto', '1'], /without the PROXY protocol/],
  ] as const)) {
    const refused = Process.node(
      'packages/agent/bin/underpass.js',
      [...args, '--server', 'a:1', '--authtoken', 'b'],
      {
        env: pathToNode,
      },
    );
    assert.equal((await refused.exited).code, 2, args.join(' '));
    assert.match(refused.lines.join('\n'), message);
  }
  assert.ok(existsSync(folder));
});

test('a folder is refused in which the agent finds its own token', async () => {
  const here = join(place, 'here');
  const config = join(here, 'config');
  for (const one of [join(here, 'data'), join(config, 'underpass')]) mkdirSync(one, { recursive: true });
  const bootstrap = join(here, 'data', 'bootstrap.json');
  const login = join(config, 'underpass', 'agent.yaml');
  const named = join(here, 'mine', 'agent.yaml');
  mkdirSync(join(here, 'mine'));
  for (const one of [bootstrap, login, named]) writeFileSync(one, '{}');
  const options = { cwd: here, env: { ...pathToNode, XDG_CONFIG_HOME: config } };
  const outcome = async (...args: string[]) => {
    const given = ['--server', '127.0.0.1:1', '--authtoken', 'b', '--inspect=false', '--json'];
    const agent = Process.node(resolve('packages/agent/bin/underpass.js'), [...args, ...given], options);
    const { input: line } = await agent.line(/whose secrets|"offline"/);
    await agent.stop();
    return line;
  };
  for (const [args, secret] of [
    [['file', '.'], bootstrap],
    [['file', 'data'], bootstrap],
    [['http', `file:${place}`], bootstrap],
    [['file', 'config'], login],
    [['file', 'mine', '--config', 'mine/agent.yaml'], named],
  ] as const)
    assert.ok((await outcome(...args)).includes(`has ${secret} in it`), args.join(' '));
  mkdirSync(join(here, 'site'));
  symlinkSync(bootstrap, join(here, 'site', 'link'));
  assert.match(await outcome('file', 'site'), /offline/);
});

/** A checkout that was installed without what only tests need, by the npm and the Node of the machine. Never with the Node that runs the tests. */
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { after, before, test } from 'node:test';
import { curlMissing, freePorts, Process, startUpstream, type Upstream } from '../harness/index.ts';
import { repository } from './documented-commands.fixture.ts';

/** Files that npm reads, and the sources. */
const PARTS = ['package.json', 'package-lock.json', 'packages', 'bench/package.json', 'test/package.json'];
const NOT_IN_IT = ['node_modules', '.bundle'];
/** PATH of a shell: the folders that npm adds lead to the Node of this checkout. */
const PATH = (process.env.PATH ?? '')
  .split(delimiter)
  .filter((folder) => !folder.includes('node_modules'))
  .join(delimiter);
let folder: string;
let upstream: Upstream;
const started: Process[] = [];

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'underpass-checkout-'));
  for (const part of PARTS)
    cpSync(join(repository, part), join(folder, part), {
      recursive: true,
      filter: (path) => !NOT_IN_IT.includes(basename(path)),
    });
  upstream = await startUpstream((_, answer) => answer.end('from the upstream'));
});
after(async () => {
  await Promise.all(started.map((one) => one.stop()));
  await upstream.stop();
  rmSync(folder, { recursive: true, force: true });
});

function start(command: string, ...args: readonly string[]): Process {
  const one = Process.program(command, args, { cwd: folder, env: { PATH }, group: true });
  started.push(one);
  return one;
}

async function printed(command: string, ...args: readonly string[]): Promise<string> {
  const one = start(command, ...args);
  assert.equal((await one.exited).code, 0, one.output);
  return one.lines.join('\n');
}

test('it brings the Node that it needs, and serves a request', { skip: curlMissing }, async (t) => {
  await printed('npm', 'ci', '--omit=dev', '--prefer-offline', '--no-audit', '--no-fund');
  assert.equal(existsSync(join(folder, 'node_modules/esbuild')), false);
  const machineNode = await printed('node', '--version');
  t.diagnostic(`the machine has Node ${machineNode}`);
  assert.equal(await printed('npx', 'node', '--version'), process.version);
  if (Number.parseInt(machineNode.slice(1), 10) < 24) {
    const old = start('node_modules/.bin/underpassd', '--version');
    assert.equal((await old.exited).code, 1);
    assert.match(old.output, new RegExp(`^underpassd: needs Node 24 or newer, this is ${machineNode}\\. `));
  }
  const [port = 0] = await freePorts(1);
  const where = ['--listen', `127.0.0.1:${port}`, '--domain', 'underpass.localhost', '--data-dir', 'data'];
  await start('npx', 'underpassd', 'serve', ...where).line(/^ready /);
  const agent = start('npx', 'underpass', 'http', String(upstream.port), '--inspect=false');
  const [url] = await agent.line(/https:\/\/[0-9a-f]+\.underpass\.localhost:\d+/);
  assert.equal(await printed('curl', '-sS', '--cacert', 'data/ca.pem', url), 'from the upstream');
});

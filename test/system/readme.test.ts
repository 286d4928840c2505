/** The README, run as it stands. Never that a command stands there which a reader could not paste into a shell. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePorts, Platform, Process } from '../harness/index.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));
const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const blocks = Array.from(readme.matchAll(/^```sh\n(.*?)^```$/gms), ([, block = '']) => block);
/** These are run by other tests, and by the gate. */
const installs = ['npm ci && npm start\n', 'npm ci && npm test\n'];
/** Stays in its terminal, and what comes next needs it. */
const AGENT = /^npx underpass http .*$/m;
const AGENT_ONLINE = '$& > agent.log 2>&1 &\nuntil grep -q Forwarding agent.log; do sleep 0.1; done';
/** Keeps its terminal open. */
const IN_BACKGROUND = /&$/gm;

/** What npx finds, without npm's own start, which takes longer than most commands. */
const HEAD = 'set -euo pipefail\nPATH=$PWD/node_modules/.bin:$PATH\nnpx() { "$@"; }';

test('what is installed stands there, each in a block of its own', () => {
  for (const block of installs) assert.ok(blocks.includes(block), block);
});

test('no command has a placeholder, and npx is for the checkout', () => {
  for (const block of blocks) assert.doesNotMatch(block, /<[a-z][^>\n]*>/);
  for (const [line] of readme.matchAll(/npm exec .*/g)) assert.match(line, /npm exec --prefix /);
});

test('the commands work one after the other under the limits of a daemon as it is started', async () => {
  const platform = await Platform.start({ apiRateLimit: 120 });
  const [port] = (await freePorts(1)) as [number];
  const folder = mkdtempSync(join(tmpdir(), 'underpass-readme-'));
  let shell: Process | undefined;
  try {
    symlinkSync(platform.dataDir, join(folder, 'data'));
    symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
    const commands = blocks.filter((block) => !installs.includes(block)).join('\n');
    assert.match(commands, AGENT);
    const here = commands
      .replaceAll(IN_BACKGROUND, '> background.log 2>&1 &')
      .replace(AGENT, AGENT_ONLINE)
      .replaceAll('8443', String(platform.port))
      .replaceAll('3000', String(port));
    const script = join(folder, 'readme.sh');
    writeFileSync(script, `${HEAD}\n${here}`);
    shell = Process.program('bash', ['-x', script], { cwd: folder, group: true });
    const { code } = await shell.exited;
    assert.equal(code, 0, shell.lines.slice(-30).join('\n'));
    assert.ok(shell.lines.includes(`hello from port ${port}`), 'the visitor of the agent');
    assert.ok(shell.lines.includes('hello from the edge'), 'the visitor of the edge');
  } finally {
    await shell?.stop();
    await platform.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The README, run as it stands. Never that a command stands there which a reader could not paste into a shell. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePorts, Platform } from '../harness/index.ts';
import {
  blocksOf,
  commandsMissing,
  repository,
  runCommands,
  withPorts,
} from './documented-commands.fixture.ts';

const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const blocks = blocksOf('README.md').flatMap(({ language, text }) => (language === 'sh' ? [text] : []));
/** These are run by other tests, and by the gate. */
const installs = ['npm ci && npm start\n', 'npm ci && npm test\n'];
/** Stays in its terminal, and what comes next needs it. */
const AGENT = /^npx underpass http .*$/m;
const AGENT_ONLINE = '$& > agent.log 2>&1 &\nuntil grep -q Forwarding agent.log; do sleep 0.1; done';
/** Keeps its terminal open, and serves from when it listens. */
const IN_BACKGROUND = /&$/gm;
const SERVING = `> background.log 2>&1 &
until (: < /dev/tcp/127.0.0.1/3000) 2> /dev/null; do sleep 0.1; done`;

test('one page names the versions of Node, and other pages link to it', () => {
  const pages = globSync('{*.md,docs/**/*.md,deploy/**/*.md}', { cwd: repository });
  const naming = pages.filter(
    (page) =>
      page !== 'CHANGELOG.md' && /\bNode(\.js)? \d/.test(readFileSync(join(repository, page), 'utf8')),
  );
  assert.deepEqual(naming, ['docs/install.md']);
  assert.match(readme, /\(docs\/install\.md#which-node\)/);
});

test('what is installed stands there, each in a block of its own', () => {
  for (const block of installs) assert.ok(blocks.includes(block), block);
});

test('no command has a placeholder, and npx is for the checkout', () => {
  for (const block of blocks) assert.doesNotMatch(block, /<[a-z][^>\n]*>/);
  for (const [line] of readme.matchAll(/npm exec .*/g)) assert.match(line, /npm exec --prefix /);
});

test('the commands work one after the other under the limits of a daemon as it is started', {
  skip: commandsMissing,
}, async () => {
  const platform = await Platform.start({ apiRateLimit: 120 });
  const [port] = (await freePorts(1)) as [number];
  try {
    const commands = blocks.filter((block) => !installs.includes(block)).join('\n');
    assert.match(commands, AGENT);
    const here = commands.replaceAll(IN_BACKGROUND, SERVING).replace(AGENT, AGENT_ONLINE);
    const { lines } = await runCommands(platform, withPorts(here, { 3000: port }));
    assert.ok(lines.includes(`hello from port ${port}`), 'the visitor of the agent');
    assert.ok(lines.includes('hello from the edge'), 'the visitor of the edge');
  } finally {
    await platform.stop();
  }
});

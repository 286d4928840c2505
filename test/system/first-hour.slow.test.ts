/** The way of a new user as it is written down: from archives to a request that is changed and sent again. Never with anything of the checkout. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import {
  browserMissing,
  eventually,
  freePorts,
  Process,
  pathToNode,
  startBrowser,
} from '../harness/index.ts';
import { missingPrograms } from '../harness/missing.ts';
import { blocksOf, readTo, repository, withPorts } from './documented-commands.fixture.ts';

const INSTALL_MS = 60_000;
const DOCUMENT = 'docs/start/quick-start.md';
let outside: string;
let folder: string;
/** Ports of the document, and their replacements. */
let ports: Readonly<Record<string, number>>;

before(async () => {
  outside = mkdtempSync(join(tmpdir(), 'underpass-first-hour-'));
  folder = join(outside, 'empty');
  mkdirSync(folder);
  const [front = 0, service = 0] = await freePorts(2);
  ports = { 8543: front, 4021: service };
  const pack = [join(repository, 'scripts/pack.ts'), join(outside, 'archives')];
  await promisify(execFile)(process.execPath, pack, { env: { ...process.env, ...pathToNode } });
});
after(() => rmSync(outside, { recursive: true, force: true }));

function written(language: string): string {
  const blocks = blocksOf(DOCUMENT).filter((block) => block.language === language);
  return withPorts(blocks.map((block) => block.text).join(''), ports);
}

/** Does the browser part of the document while the commands wait for it. */
async function editAndReplay(): Promise<void> {
  const log = join(folder, 'first-hour/agent.log');
  let text = '';
  // The commands before it install what is in the archives.
  await eventually(() => {
    text = existsSync(log) ? readFileSync(log, 'utf8') : '';
    assert.match(text, / GET \/hello /);
  }, INSTALL_MS);
  const inspector = /^Inspector +(http:\S+)/m.exec(text)?.[1] ?? assert.fail(text);
  const browser = await startBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(inspector);
    await page.locator('.row', { hasText: '/hello' }).first().click();
    await page.getByRole('button', { name: 'Edit and replay' }).click();
    await page.locator('.edit').getByLabel('Path').fill('/hello-again');
    await page.getByRole('button', { name: 'Send' }).click();
    await page.locator('.body', { hasText: 'you asked for /hello-again' }).waitFor();
  } finally {
    await browser.close();
  }
}

test('a new user gets from archives to a request that is changed and sent again', {
  skip: browserMissing || missingPrograms('bash', 'curl'),
}, async () => {
  const prefix = join(outside, 'global');
  const hasRead = join(outside, 'has-read');
  const env = {
    ...{
      ARCHIVES: join(outside, 'archives'),
      XDG_CONFIG_HOME: join(outside, 'mine'),
      npm_config_prefix: prefix,
    },
    PATH: `${join(prefix, 'bin')}:${pathToNode.PATH}`,
  };
  const script = `set -euo pipefail\n${readTo(hasRead, written('sh'))}`;
  const shell = Process.program('bash', ['-c', script], { cwd: folder, env, group: true });
  try {
    const replayed = editAndReplay().finally(() => writeFileSync(hasRead, ''));
    const [{ code }] = await Promise.all([shell.exited, replayed]);
    assert.equal(code, 0, shell.output);
  } finally {
    await shell.stop();
  }
  const expected = written('text').trimEnd().split('\n');
  assert.deepEqual(
    shell.lines.filter((line) => expected.includes(line)),
    expected,
    shell.output,
  );
  assert.deepEqual(readdirSync(folder), []);
  assert.equal(existsSync(join(outside, 'mine')), false, 'the config file of who did this before stays');
  assert.deepEqual(readdirSync(join(prefix, 'bin')), []);
});

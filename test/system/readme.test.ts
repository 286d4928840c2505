/** The texts of the README and of other pages: commands that can be pasted, and no page that contradicts another one. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { blocksOf, repository } from './documented-commands.fixture.ts';

const readme = readFileSync(join(repository, 'README.md'), 'utf8');
const blocks = blocksOf('README.md').flatMap(({ language, text }) => (language === 'sh' ? [text] : []));
/** Other tests run these, and the gate. `guides.slow.test.ts` runs all other commands. */
const installs = ['npm ci && npm start\n', 'npm ci && npm test\n'];

test('one page names the versions of Node, and other pages link to it', () => {
  const pages = globSync('{*.md,docs/**/*.md,deploy/**/*.md}', { cwd: repository });
  const naming = pages.filter(
    (page) =>
      page !== 'CHANGELOG.md' &&
      /\bNode(\.js)? \d+ or newer/.test(readFileSync(join(repository, page), 'utf8')),
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

/** The commands of each page, in its shell blocks. */
const pages = globSync('{README.md,docs/*.md,docs/{api,deploy,guides}/*.{md,sh}}', { cwd: repository }).map(
  (page) => ({
    page,
    commands: page.endsWith('.sh')
      ? readFileSync(join(repository, page), 'utf8')
      : blocksOf(page)
          .flatMap(({ language, text }) => (language === 'sh' ? [text] : []))
          .join('\n'),
  }),
);

test('each wait has a bound, and names what did not come true', () => {
  for (const { page, commands } of pages) {
    assert.doesNotMatch(commands, /^\s*(until|while)\b|[;&|]\s*(until|while)\b/m, page);
    if (!commands.includes('wait_for ') || page.endsWith('.sh')) continue;
    const [, body = ''] = /^wait_for\(\) \{\n(.*?)^\}/ms.exec(commands) ?? assert.fail(page);
    assert.match(body, /^ {2}for _ in \$\(seq "\$\{ATTEMPTS:-150\}"\); do "\$@" /m, page);
    assert.match(body, /^ {2}echo ".*\$\*" >&2\n {2}return 1$/m, page);
  }
});

test('no two pages that run beside one daemon have a name, a port, a label or a folder in common', () => {
  const owners = new Map<string, string>();
  const kinds = [
    /(?<host>[\w-]+)\.underpass\.localhost/g,
    /--domain (?<domain>[\w.-]+)/g,
    /reserved-domains create --name (?<host>[\w-]+)|"name": "(?<host>[\w-]+)"/g,
    /(?<!ATTEMPTS=)\b(?<port>\d{4,5})\b(?=[ ):/,"'\n]|$)/gm,
    /--labels? (?<label>[\w=]+)/g,
    /mkdir(?: -p)? (?<folder>[\w-]+)/g,
  ];
  const shared = /^(api|connect|8443|5432|2222|2048|36000|1800|10_000)$/;
  for (const { page, commands } of pages)
    if (/^(README|docs\/(first-hour|guides\/.*|deploy\/postgresql))\.md$/.test(page))
      for (const kind of kinds)
        for (const { groups } of commands.matchAll(kind))
          for (const [what, name] of Object.entries(groups ?? {})) {
            if (name === undefined || shared.test(name)) continue;
            const key = `${what} ${name}`;
            assert.equal(owners.get(key) ?? page, page, key);
            owners.set(key, page);
          }
  assert.ok(owners.size > 60, `${owners.size} were found`);
});

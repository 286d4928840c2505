/** The texts of the README and of other pages: commands that can be pasted, and no page that contradicts another one. */
import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
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
  assert.deepEqual(naming, ['docs/start/install.md']);
  assert.match(readme, /\(docs\/start\/install\.md#which-node\)/);
});

/** Parts of generated pages, whose links start from the folder above. */
const PARTS = /^docs\/build\/(api|events)\/intro\.md$/;
const documents = globSync('{*.md,docs/**/*.md,deploy/**/*.md,packages/*/*.md,.github/**/*.md}', {
  cwd: repository,
}).filter((page) => !PARTS.test(page));

test('every link leads to a file of the repository, and to a heading of it', () => {
  let links = 0;
  for (const page of documents)
    for (const [, path = '', anchor] of linksOf(page)) {
      const target = path === '' ? page : join(dirname(page), path);
      assert.ok(existsSync(join(repository, target)), `${page}: ${path}`);
      if (anchor !== undefined) assert.ok(headingsOf(target).has(anchor), `${page}: ${path}#${anchor}`);
      links += 1;
    }
  assert.ok(links > 200, `${links} links`);
});

test('the index leads to every page', () => {
  const linked = new Set(Array.from(linksOf('docs/README.md'), ([, path = '']) => join('docs', path)));
  for (const page of globSync('docs/{start,use,edge,run,build,about}/*.md', { cwd: repository }))
    assert.ok(linked.has(page), page);
});

test('the README has at most 120 lines', () => {
  assert.ok(readme.trimEnd().split('\n').length <= 120);
});

/** Links and images with a relative path: path and anchor. */
function linksOf(page: string): Iterable<RegExpMatchArray> {
  const prose = readFileSync(join(repository, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  return prose.matchAll(/\]\((?![a-z]+:)([^)#\s]*)(?:#([^)\s]*))?\)/g);
}

/** Anchors of the page's headings, as GitHub makes them. */
function headingsOf(page: string): ReadonlySet<string> {
  const text = readFileSync(join(repository, page), 'utf8').replaceAll(/^```.*?^```$/gms, '');
  return new Set(
    Array.from(text.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

test('what is installed stands there, each in a block of its own', () => {
  for (const block of installs) assert.ok(blocks.includes(block), block);
});

test('no command has a placeholder, and npx is for the checkout', () => {
  for (const block of blocks) assert.doesNotMatch(block, /<[a-z][^>\n]*>/);
  for (const [line] of readme.matchAll(/npm exec .*/g)) assert.match(line, /npm exec --prefix /);
});

/** The commands of each page, in its shell blocks. */
const pages = globSync(
  '{README.md,docs/{start,use,edge,run,about}/*.md,docs/build/*.md,docs/build/api/*.sh}',
  { cwd: repository },
).map((page) => ({
  page,
  commands: page.endsWith('.sh')
    ? readFileSync(join(repository, page), 'utf8')
    : blocksOf(page)
        .flatMap(({ language, text }) => (language === 'sh' ? [text] : []))
        .join('\n'),
}));

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
    if (
      /^(README|docs\/(start\/quick-start|(use|edge)\/.*|build\/event-delivery|run\/postgresql))\.md$/.test(
        page,
      )
    )
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

/** Compares the paths in ARCHITECTURE.md and in the decision records with the files. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

const root = join(import.meta.dirname, '../..');
const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8');
/** Folders that the paths of the page are relative to. */
const BASES = ['', 'packages/server/src', 'packages/agent/src', 'packages/agent/src/inspector'];
/** Texts that look like paths: products of a run, and a protocol. */
const OTHERS = ['node_modules/.cache', 'data/bootstrap.json', 'acme-tls/1'];

/** Words in the form of code, outside of code that stands for itself. */
const wordsOf = (page: string): readonly string[] =>
  [...page.replaceAll(/^```.*?^```$/gms, '').matchAll(/`([^`\n]+)`/g)].map(([, word = '']) => word);
/** A file of the sources or of the docs, or a folder: what has a slash and nothing that paths have not. */
const isPath = (word: string): boolean =>
  /^[\w.-]+\.(ts|tsx|py|md)$/.test(word) || /^[a-z][\w.-]*(\/[\w.-]*)+$/.test(word);

const pathsOf = (page: string): readonly string[] =>
  wordsOf(page).filter((word) => isPath(word) && !OTHERS.includes(word));
const isMissing = (path: string): boolean => !BASES.some((base) => existsSync(join(root, base, path)));

test('each path that the architecture names is there', () => {
  const paths = pathsOf(text);
  assert.ok(paths.length > 100, String(paths.length));
  assert.deepEqual(paths.filter(isMissing), []);
});

test('each path that a decision record names is there', () => {
  const folder = join(root, 'docs/about/decisions');
  const pages = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
  assert.deepEqual(pages.flatMap(pathsOf).filter(isMissing), []);
});

test('each folder of the server has its row', () => {
  const folders = readdirSync(join(root, 'packages/server/src'), { withFileTypes: true });
  const rows = text.split('\n').map((line) => /^\| `([\w-]+)` \|/.exec(line)?.[1]);
  const names = folders.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  assert.deepEqual(
    names.filter((name) => !rows.includes(name)),
    [],
  );
});

test('each section that is linked to is there', () => {
  const anchors = [...text.matchAll(/^#+ (.*)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  assert.equal(new Set(anchors).size, anchors.length, 'one name twice would be one address');
  for (const [, anchor = ''] of text.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(anchors.includes(anchor), anchor);
});

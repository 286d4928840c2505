import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { compare, countsOf, placesOf, withoutExceptions } from './count.ts';
import { textsOfFile, wordFiles } from './files.ts';
import { RULES } from './rules.ts';

const places = placesOf('a.ts', [{ kind: 'doc', line: 4, lines: ['Of the peer,', 'which is told.'] }]);

test('places have their file, their line and their sentence', () => {
  assert.deepEqual(places, [
    { rule: 'preposition-comment', file: 'a.ts', line: 4, text: 'Of the peer, which is told.' },
    { rule: 'private-verb', file: 'a.ts', line: 4, text: 'Of the peer, which is told.' },
  ]);
});

test('an exception removes its place alone, and one without a place is shown', () => {
  const used = { rule: 'private-verb', file: 'a.ts', text: 'is told', reason: 'a test' } as const;
  const unused = { ...used, file: 'b.ts' };
  assert.deepEqual(withoutExceptions(places, [unused, used]), { counted: [places[0]], unused: [unused] });
});

test('a count above the baseline is a fault, one below is shown', () => {
  const baseline = { ...countsOf([]), 'never-that': 1 };
  assert.deepEqual(compare(countsOf(places), baseline), {
    above: ['preposition-comment: 1, and 0 in the baseline', 'private-verb: 1, and 0 in the baseline'],
    below: ['never-that: 0, and 1 in the baseline'],
  });
});

test('the baseline has every rule', () => {
  const baseline: unknown = JSON.parse(readFileSync('scripts/words/baseline.json', 'utf8'));
  assert.deepEqual(Object.keys(baseline as object), RULES);
});

test('sources, pages and the generated client are read, generated pages and installed packages are not', () => {
  const files = wordFiles();
  for (const file of [
    'README.md',
    '.ci/run',
    'scripts/words.ts',
    'deploy/docker/Dockerfile',
    'docs/build/api/intro.md',
    'packages/client/src/generated/types.ts',
  ]) {
    assert.ok(files.includes(file), file);
    assert.ok(textsOfFile(file).length > 0, file);
  }
  assert.ok(!files.some((file) => /node_modules|^docs\/build\/(api|errors)\.md$/.test(file)));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPTIONS } from './options.ts';
import { GROUPS, optionsMarkdown } from './options-document.ts';

test('every option has one row, with its default', () => {
  const page = optionsMarkdown();
  for (const { flag } of OPTIONS)
    assert.equal([...page.matchAll(new RegExp(`^\\| \`--${flag}[ \`]`, 'gm'))].length, 1, flag);
  assert.match(page, /^\| `--listen HOST:PORT` \| :443 \|/m);
  assert.match(page, /^\| `--acme-service-names` \| off \|/m);
});

test('an option without a group is refused, and a group with an unknown option', () => {
  assert.throws(
    () => optionsMarkdown([...OPTIONS, { flag: 'unknown', help: 'a test' }]),
    /no group has unknown/,
  );
  assert.throws(() => optionsMarkdown(OPTIONS.slice(1)), /unknown option --data-dir/);
  assert.equal(new Set(GROUPS.flatMap(({ options }) => Object.keys(options))).size, OPTIONS.length);
});

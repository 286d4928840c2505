import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isNewerVersion } from './newer-version.ts';

test('versions are ordered as Semantic Versioning orders them', () => {
  const ordered = [
    ...['0.9.9', '1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta.2', '1.0.0-beta.11'],
    ...['1.0.0-rc.1', '1.0.0', '1.0.1', '1.10.0', '2.0.0'],
  ];
  for (const [at, one] of ordered.entries())
    for (const [then, other] of ordered.entries())
      assert.equal(isNewerVersion(one, other), at > then, `${one} and ${other}`);
  assert.equal(isNewerVersion('1.0.0+build', '1.0.0'), false);
});

test('a text that is no version is neither newer nor older', () => {
  for (const text of ['', 'test', '3', 'v2.0.0', '2.0', '2.0.0\u001b[2J', `2.0.0-${'a'.repeat(65)}`]) {
    assert.equal(isNewerVersion(text, '1.0.0'), false, text);
    assert.equal(isNewerVersion('1.0.0', text), false, text);
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { moduleBeside } from './module-beside.ts';

test('a module beside another is of the same language', () => {
  for (const extension of ['ts', 'js'])
    assert.equal(
      moduleBeside(`file:///a%20b/c.${extension}`, 'writer').href,
      `file:///a%20b/writer.${extension}`,
    );
});

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { entriesOf } from './bundle.ts';

test('the entries of each package have names of their own, under which they are built', () => {
  for (const name of ['wire', 'client', 'agent', 'server'])
    assert.ok(entriesOf(join(import.meta.dirname, '../../packages', name)).size > 0, name);
});

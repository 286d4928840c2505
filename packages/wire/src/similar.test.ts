import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mostSimilar } from './similar.ts';

test('a typing error is distinguished from another word', () => {
  const keys = ['server', 'domain', 'label', 'ca', 'upstream'];
  for (const [typed, meant] of [
    ['domian', 'domain'],
    ['sever', 'server'],
    ['serverr', 'server'],
    ['lable', 'label'],
    ['upsteram', 'upstream'],
    ['ac', 'ca'],
    ['domain', 'domain'],
    ['compress', null],
    ['x', null],
    ['', null],
  ] as const)
    assert.equal(mostSimilar(typed, keys), meant, typed);
});

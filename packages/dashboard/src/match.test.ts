import assert from 'node:assert/strict';
import { test } from 'node:test';
import { matchPath } from './match.ts';

test('a path matches its template alone, with the values decoded', () => {
  assert.deepEqual(matchPath('', ''), {});
  assert.equal(matchPath('', 'names'), null);
  assert.deepEqual(matchPath('names/{name}', 'names/shop.example.com%3A443'), {
    name: 'shop.example.com:443',
  });
  assert.deepEqual(matchPath('names/{name}', 'names/a%2Fb'), { name: 'a/b' });
  assert.equal(matchPath('names/{name}', 'names'), null);
  assert.equal(matchPath('names/{name}', 'names/a/b'), null);
  assert.equal(matchPath('names/{name}', 'names/%zz'), null);
  assert.equal(matchPath('names/{name}', 'names//'), null);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { plainPath } from './route-path.ts';

test('a path is read as RFC 3986 reads it, with empty segments merged', () => {
  for (const [path, plain] of [
    ['/', '/'],
    ['/admin', '/admin'],
    ['/a/b/', '/a/b/'],
    ['/a%20b', '/a b'],
    ['/%61dmin', '/admin'],
    ['/caf%C3%A9', '/café'],
    ['/caf\u00c3\u00a9', '/café'],
    ['/./admin', '/admin'],
    ['/x/../admin', '/admin'],
    ['/x/%2e%2E/admin', '/admin'],
    ['/x/.%2e/admin', '/admin'],
    ['/../../admin', '/admin'],
    ['/a/b/..', '/a/'],
    ['/a/b/.', '/a/b/'],
    ['//admin', '/admin'],
    ['/a//b', '/a/b'],
    ['/a//', '/a/'],
    ['/api../admin', '/api../admin'],
    ['/.well-known/x', '/.well-known/x'],
    ['/100%', '/100%'],
    ['/%2541', '/%41'],
    ['/%2Fadmin', '/%2Fadmin'],
    ['/x%2f..%2fadmin', '/x%2f..%2fadmin'],
    ['/x\\..\\admin', '/x\\..\\admin'],
    ['/x/..;/admin', '/x/..;/admin'],
    ['/admin%3bx', '/admin;x'],
    ['/a//../admin', '/a/admin'],
  ] as const) {
    assert.equal(plainPath(path), plain, path);
  }
});

test('a path with a NUL has no reading', () => {
  assert.equal(plainPath('/a%00b'), null);
});

test('a reading begins with a slash and has neither empty segments nor dots, whatever came', () => {
  const piece = fc.constantFrom('/', '.', '%2e', '%2E', '%2f', '%5c', '\\', ';', 'a', '%', '%2', '\u00ff');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const plain = plainPath(`/${pieces.join('')}`)!;
      assert.match(plain, /^\//);
      assert.doesNotMatch(plain, /\/\//);
      assert.doesNotMatch(plain, /\/\.{1,2}(?:\/|$)/);
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

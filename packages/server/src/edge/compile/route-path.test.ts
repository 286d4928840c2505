import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { readingsOf } from './route-path.ts';

const same = (path: string) => ({ plain: path, loose: path });

test('most paths have one reading', () => {
  for (const [path, reading] of [
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
  ] as const) {
    assert.deepEqual(readingsOf(path), same(reading), path);
  }
});

test('what some upstreams read otherwise has a second one', () => {
  for (const [path, plain, loose] of [
    ['/%2Fadmin', '/%2Fadmin', '/admin'],
    ['/x%2f..%2fadmin', '/x%2f..%2fadmin', '/admin'],
    ['/x\\..\\admin', '/x\\..\\admin', '/admin'],
    ['/x%5c..%5Cadmin', '/x\\..\\admin', '/admin'],
    ['/x/..;/admin', '/x/..;/admin', '/admin'],
    ['/admin;x=1', '/admin;x=1', '/admin'],
    ['/admin%3bx', '/admin;x', '/admin'],
    ['/a//../admin', '/a/admin', '/admin'],
    ['/group%2Fproject', '/group%2Fproject', '/group/project'],
  ] as const) {
    assert.deepEqual(readingsOf(path), { plain, loose }, path);
  }
});

test('a NUL has none', () => {
  assert.equal(readingsOf('/a%00b'), null);
});

test('readings begin with a slash and have neither empty segments nor dots, whatever came', () => {
  const piece = fc.constantFrom(
    '/',
    '.',
    '%2e',
    '%2E',
    '%2f',
    '%5c',
    '\\',
    ';',
    'a',
    '%61',
    '%',
    '%2',
    '\u00ff',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { plain, loose } = readingsOf(`/${pieces.join('')}`)!;
      for (const reading of [plain, loose]) {
        assert.match(reading, /^\//);
        assert.doesNotMatch(reading, /\/\//);
        assert.doesNotMatch(reading, /\/\.{1,2}(?:\/|$)/);
      }
      assert.doesNotMatch(loose, /[\\;]|%2f/i);
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

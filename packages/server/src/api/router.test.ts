import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Router } from './router.ts';

const router = new Router([
  ['/edges/tls', 'list'],
  ['/edges/tls/{id}', 'edge'],
  ['/edges/tls/{id}/backend', 'module'],
  ['/edges/https/{edge_id}/routes', 'routes'],
  ['/edges/https/{id}', 'other edge'],
  ['/edges/{any}/special', 'special'],
]);

const cases: readonly (readonly [path: string, found: string, ...values: string[]])[] = [
  ['/edges/tls', 'list'],
  ['/edges/tls/a', 'edge', 'a'],
  ['/edges/tls/a/backend', 'module', 'a'],
  ['/edges/https/b/routes', 'routes', 'b'],
  ['/edges/https/b', 'other edge', 'b'],
  // A word that leads no further leaves the place to a parameter.
  ['/edges/tcp/special', 'special', 'tcp'],
  ['/edges/%74ls/%C3%A4%2F%25', 'edge', 'ä/%'],
  [`/edges/tls/${'x'.repeat(10_000)}`, 'edge', 'x'.repeat(10_000)],
];
for (const [path, found, ...values] of cases)
  test(`${path.slice(0, 40)} leads to ${found}`, () => {
    assert.deepEqual(router.find(path), { found, values });
  });

const nowhere = [
  '/',
  '',
  '/edges',
  '/edges/',
  '/edges/tls/',
  '/edges/tls//backend',
  '//edges/tls',
  'edges/tls',
];
for (const path of [...nowhere, '/edges/tls/a/backend/b', '/Edges/tls', '/edges%2Ftls', '*'])
  test(`${path} leads nowhere`, () => {
    assert.equal(router.find(path), 'nowhere');
  });

test('a percent sign that encodes nothing is told apart from a path that leads nowhere', () => {
  for (const path of ['/edges/tls/%', '/edges/tls/%zz', '/edges/tls/%ff', '/no/%f'])
    assert.equal(router.find(path), 'malformed');
});

test('two paths that differ in the names of their parameters only are a mistake', () => {
  assert.throws(
    () =>
      new Router([
        ['/a/{b}', 1],
        ['/a/{c}', 2],
      ]),
    /like \/a\/\{c\}/,
  );
});

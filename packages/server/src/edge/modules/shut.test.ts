import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testConnection } from '../sites/connection-facts.fixture.ts';
import { shutParts } from './shut.ts';

test('a module that cannot take effect refuses each visitor, and its preview has the reason', () => {
  const [guard, ...others] = shutParts('oidc', 'It has no provider.').guards ?? [];
  assert.deepEqual(others, []);
  assert.ok(guard?.reads === 'connection');
  assert.equal(guard.name, 'oidc');
  assert.equal(guard.check(testConnection()), 'moduleWithoutEffect');
  assert.deepEqual(guard.preview(testConnection()), {
    verdict: 'moduleWithoutEffect',
    why: 'It has no provider.',
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceTables } from '@underpass/client/operations';
import { kebab } from './names.ts';
import { suggestions } from './suggest.ts';

const RESOURCES = resourceTables.map(({ name }) => kebab(name));

test('the singular of each resource, in each spelling, means the resource', () => {
  for (const { name, kind } of resourceTables) {
    if (kind === null) continue;
    for (const typed of [kind.name, kebab(name).toUpperCase(), name, kind.name.replaceAll('_', '-')])
      assert.deepEqual(suggestions(typed, RESOURCES), [kebab(name)], typed);
  }
});

test('parts and slips of the hand lead to what may be meant', () => {
  for (const [typed, meant] of [
    ['domain', ['reserved-domains']],
    ['domian', ['reserved-domains']],
    ['address', ['reserved-addrs']],
    ['tsl-edges', ['tls-edges']],
    ['edge', ['tls-edges', 'https-edges', 'https-edge-routes', 'tcp-edges']],
    ['policies', ['ip-policies', 'ip-policy-rules']],
    ['reserved-domain-names', ['reserved-domains', 'names']],
    ['zzzz', []],
    ['', []],
  ] as const)
    assert.deepEqual(suggestions(typed, RESOURCES), meant, typed);
  assert.deepEqual(suggestions('lst', ['list', 'get']), ['list']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { propertyRuns } from '../../../../../../test/harness/property-runs.ts';
import { scenarios, violationsOf } from './scenarios.fixture.ts';
import { search } from './search.fixture.ts';

test('no schedule of cuts, pauses, crashes and late messages violates a property', () => {
  const first = 1 + Math.floor(Math.random() * 1_000_000_000);
  const { found, visits } = search({ first, schedules: propertyRuns(2_000), mutation: null });
  assert.equal(found, null);
  assert.ok(visits > 1_000, 'the schedules reach tunnels');
});

for (const scenario of scenarios)
  test(`the design keeps exclusive, and "${scenario.finds}" does not: ${scenario.title}`, () => {
    assert.deepEqual(violationsOf(scenario, null), []);
    assert.deepEqual(violationsOf(scenario, scenario.finds), ['exclusive']);
  });

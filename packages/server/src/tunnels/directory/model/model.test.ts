import assert from 'node:assert/strict';
import { test } from 'node:test';
import { propertyRuns } from '../../../../../../test/harness/property-runs.ts';
import { scenarios, violationsOf } from './scenarios.fixture.ts';
import { search } from './search.fixture.ts';
import { World } from './world.fixture.ts';

test('no schedule of cuts, pauses, crashes and late messages violates a property', () => {
  const first = 1 + Math.floor(Math.random() * 1_000_000_000);
  const { found, visits } = search({ first, schedules: propertyRuns(2_000), mutation: null });
  assert.equal(found, null);
  assert.ok(visits > 1_000, 'the schedules reach tunnels');
});

for (const scenario of scenarios)
  test(`the design passes, and "${scenario.finds}" does not: ${scenario.title}`, () => {
    assert.deepEqual(violationsOf(scenario, null), []);
    assert.deepEqual(violationsOf(scenario, scenario.finds), [scenario.violates ?? 'exclusive']);
  });

test('a name of an isolated daemon is free after its hold, and another daemon grants it', () => {
  const world = new World(() => 0.5, { faults: true, mutation: null });
  world.pass(12);
  world.bindAt(0, 0, world.nodes[0]!);
  world.pass(3);
  world.toggleDatabase(world.nodes[0]!);
  world.pass(66);
  world.bindAt(2, 0, world.nodes[1]!);
  world.pass(3);
  const credentials = world.database.grants.get('one.example')?.map(({ facts }) => facts.credential);
  assert.deepEqual(credentials, ['cr_1', 'cr_2']);
  assert.deepEqual(world.violations, []);
});

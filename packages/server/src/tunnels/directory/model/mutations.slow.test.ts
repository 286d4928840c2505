import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Mutation, mutations } from './mutations.fixture.ts';
import { scenarios } from './scenarios.fixture.ts';
import { search } from './search.fixture.ts';

const written = new Set<string>(scenarios.map(({ finds }) => finds));

for (const [name, fault] of Object.entries(mutations)) {
  if (written.has(name)) continue;
  test(`random schedules notice that ${fault}`, () => {
    const { found } = search({ first: 1, schedules: 5_000, mutation: name as Mutation });
    assert.notEqual(found, null);
  });
}

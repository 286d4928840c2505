import assert from 'node:assert/strict';
import { test } from 'node:test';
import { QueryBudgets, type QueryDecision } from './query-budgets.ts';

function decisions(budgets: QueryBudgets, count: number, sources: number, now = 0): QueryDecision[] {
  return Array.from({ length: count }, (_, at) => budgets.decide('udp', `10.${at % sources}`, now));
}

function countOf(made: readonly QueryDecision[], decision: QueryDecision): number {
  return made.filter((one) => one === decision).length;
}

test('beyond the share of all sources, questions over UDP are truncated, and then dropped', () => {
  const made = decisions(new QueryBudgets(), 30_000, 29_000);
  assert.equal(countOf(made.slice(0, 2000), 'answer'), 2000);
  assert.equal(countOf(made.slice(2000, 22_000), 'truncate'), 20_000);
  assert.equal(countOf(made.slice(22_000), 'drop'), 8000);
});

test('a source gets no more answers than its own share, truncated ones among them', () => {
  const budgets = new QueryBudgets();
  assert.deepEqual(countOf(decisions(budgets, 500, 1), 'answer'), 400);
  assert.deepEqual(countOf(decisions(budgets, 500, 1), 'drop'), 500);
  decisions(budgets, 2000, 1000);
  const made = Array.from({ length: 500 }, () => budgets.decide('udp', 'victim', 0));
  assert.deepEqual([countOf(made, 'truncate'), countOf(made, 'drop')], [400, 100]);
  assert.equal(budgets.decide('udp', 'victim', 1000), 'answer');
});

test('a source that has asked over TCP has a share that no flood over UDP takes, from however many sources', () => {
  const budgets = new QueryBudgets();
  const resolvers = Array.from({ length: 40 }, (_, at) => `resolver ${at}`);
  for (const resolver of resolvers) assert.equal(budgets.decide('tcp', resolver, 0), 'answer');
  decisions(budgets, 50_000, 50_000);
  for (const resolver of resolvers) {
    assert.equal(budgets.decide('udp', resolver, 0), 'answer');
    assert.equal(budgets.decide('tcp', resolver, 0), 'answer');
  }
});

test('a source with requests over TCP is referred to TCP when its share is used up', () => {
  const budgets = new QueryBudgets();
  assert.equal(budgets.decide('tcp', 'resolver', 0), 'answer');
  const made = Array.from({ length: 500 }, () => budgets.decide('udp', 'resolver', 0));
  assert.deepEqual([countOf(made, 'answer'), countOf(made, 'truncate')], [400, 100]);
  assert.equal(budgets.decide('tcp', 'resolver', 0), 'answer');
});

test('questions over TCP beyond a rate are dropped, by source and in all', () => {
  const budgets = new QueryBudgets();
  const made = Array.from({ length: 500 }, () => budgets.decide('tcp', 'one', 0));
  assert.deepEqual([countOf(made, 'answer'), countOf(made, 'drop')], [400, 100]);
  const more = Array.from({ length: 5000 }, (_, at) => budgets.decide('tcp', `${at}`, 0));
  assert.equal(countOf(more, 'answer'), 3600);
});

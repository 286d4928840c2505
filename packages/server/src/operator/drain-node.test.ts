import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredNode } from '../store/postgres/node-rows.ts';
import { chosenOf } from './drain-node.ts';

function node(incarnation: number, name: string, other: Partial<StoredNode> = {}): StoredNode {
  const times = { round: 1, dead_for: null, age: 1000, silent_for: 1000 };
  return { incarnation, facts: { name }, draining: false, ...times, ...other };
}

const drains = { drains: true, isForced: false };

test('a daemon is found by its name or incarnation', () => {
  const living = [node(1, 'one'), node(2, 'two')];
  assert.equal(chosenOf(living, { node: 'two', ...drains }).incarnation, 2);
  assert.equal(chosenOf(living, { node: '1', ...drains }).incarnation, 1);
  assert.throws(() => chosenOf(living, { node: 'three', ...drains }), /called three: give one of one, two$/);
  assert.throws(() => chosenOf([], { node: 'one', ...drains }), /no daemon is in the list/);
  const alike = [node(1, 'same'), node(2, 'same')];
  assert.throws(() => chosenOf(alike, { node: 'same', ...drains }), /give the incarnation of one, 1 or 2$/);
  assert.equal(chosenOf(alike, { node: '2', ...drains }).incarnation, 2);
});

test('the last daemon that takes agents is drained only with --force', () => {
  for (const other of [[], [node(2, 'two', { draining: true })], [node(2, 'two', { silent_for: 20_000 })]]) {
    const living = [node(1, 'one'), ...other];
    assert.throws(() => chosenOf(living, { node: 'one', ...drains }), /--force/);
    assert.equal(chosenOf(living, { node: 'one', drains: true, isForced: true }).incarnation, 1);
    assert.equal(chosenOf(living, { node: 'one', drains: false, isForced: false }).incarnation, 1);
  }
  // To repeat it changes nothing.
  const again = [node(1, 'one', { draining: true })];
  assert.equal(chosenOf(again, { node: 'one', ...drains }).incarnation, 1);
});

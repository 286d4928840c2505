import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Slot } from '../../core/names/bind-target.ts';
import { decide } from './decide.ts';
import { type DirectoryRow, type NodeState, withDeaths } from './row.ts';

const NOW = 1_000_000;
const facts = {
  ...{ account: 'ac_1', credential: 'cr_1', session: 'ts_1', clientId: 'ag_1', isPooled: false },
  ...{ bindId: 'b1', endpoint: { slot: 'a.example' as Slot } },
};
const other = { ...facts, account: 'ac_2', credential: 'cr_2', session: 'ts_2', clientId: 'ag_2' };
const row: DirectoryRow = { facts, number: 7, incarnation: 1, isOver: false, holdMs: 60_000, entry: null };
const alive = new Map<number, NodeState>([[1, { round: 3, deadSince: null }]]);
const dead = new Map<number, NodeState>([[1, { round: 3, deadSince: NOW - 1_000 }]]);

test('tunnels of a dead daemon are held from its death on', () => {
  const outcome = (nodes: typeof dead, now: number) => decide(withDeaths([row], nodes), other, now);
  const online = { outcome: 'refused', error: 'bindNameOnline' };
  assert.deepEqual(outcome(alive, NOW), online);
  assert.deepEqual(outcome(dead, NOW), { outcome: 'refused', error: 'bindNameHeld', seconds: 59 });
  assert.equal(outcome(dead, NOW + 59_000).outcome, 'granted');
  assert.equal(decide(withDeaths([row], dead), facts, NOW).outcome, 'granted');
});

test('a replaced tunnel holds no name, and an unknown daemon serves none', () => {
  const over = { ...row, isOver: true };
  assert.equal(decide(withDeaths([over], alive), other, NOW).outcome, 'refused');
  assert.equal(decide(withDeaths([over], dead), other, NOW).outcome, 'granted');
  assert.equal(decide(withDeaths([row], new Map()), other, NOW).outcome, 'granted');
});

test('a hold that the daemon has set is as it was, also after the death', () => {
  const held = { ...row, heldUntil: NOW + 5_000 };
  assert.deepEqual(withDeaths([held], dead), [held]);
});

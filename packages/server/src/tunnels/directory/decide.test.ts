import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide, type Wish } from './decide.ts';
import type { NodeState, Row } from './row.ts';

const NOW = 1_000_000;
const wish: Wish = {
  ...{ account: 'ac_1', credential: 'cr_1', client: 'a', leg: 0, isPooled: false },
  ...{ incarnation: 2, holdMs: 60_000 },
};
const row: Row = { ...wish, number: 7, incarnation: 1, isOver: false, heldUntil: null };
const other = { account: 'ac_2', credential: 'cr_2', client: 'z' };
const alive = new Map<number, NodeState>(
  [1, 2].map((incarnation) => [incarnation, { round: 3, deadSince: null }]),
);
const dead = new Map([...alive]).set(1, { round: 3, deadSince: NOW - 1_000 });

const granted = (over: number[], removed: number[]) => ({ kind: 'granted', over, removed });

test('a name without rows is granted', () => {
  assert.deepEqual(decide([], wish, alive, NOW), granted([], []));
});

test('a tunnel of another credential refuses it, whether it is live, replaced or held', () => {
  for (const [rival, until] of [
    [{ ...row, ...other }, null],
    [{ ...row, ...other, isOver: true }, null],
    [{ ...row, ...other, heldUntil: NOW + 1 }, NOW + 1],
  ] as const)
    assert.deepEqual(decide([row, rival], wish, alive, NOW), { kind: 'refused', rival, until });
});

test('a hold ends at its moment, for all credentials, and before it for its own', () => {
  const held = { ...row, ...other, heldUntil: NOW };
  assert.deepEqual(decide([held], wish, alive, NOW), granted([], [7]));
  assert.deepEqual(decide([{ ...row, heldUntil: NOW + 1 }], wish, alive, NOW), granted([], [7]));
});

test('a tunnel of the same credential is replaced, and its daemon deletes the row', () => {
  assert.deepEqual(decide([row], wish, alive, NOW), granted([7], []));
  assert.deepEqual(decide([{ ...row, isOver: true }], wish, alive, NOW), granted([], []));
});

test('tunnels of a dead daemon are held from its death on, and replaced ones are not', () => {
  const rival = { ...row, ...other };
  const refusal = { kind: 'refused', rival, until: NOW + 59_000 };
  assert.deepEqual(decide([rival], wish, dead, NOW), refusal);
  assert.deepEqual(decide([rival], wish, dead, NOW + 59_000), granted([], [7]));
  assert.deepEqual(decide([{ ...rival, isOver: true }], wish, dead, NOW), granted([], [7]));
  assert.deepEqual(decide([row], wish, dead, NOW), granted([], [7]));
});

test('a daemon that the database does not know serves nothing', () => {
  const unknown = { ...row, ...other, incarnation: 9 };
  assert.deepEqual(decide([unknown], wish, alive, NOW), granted([], [7]));
});

test('two that are pooled share a name in one account, and so do two legs of one agent', () => {
  const pooled = { ...row, credential: 'cr_3', client: 'b', isPooled: true };
  assert.deepEqual(decide([pooled], { ...wish, isPooled: true }, alive, NOW), granted([], []));
  assert.equal(decide([pooled], wish, alive, NOW).kind, 'refused');
  const elsewhere = { ...pooled, account: 'ac_2' };
  assert.equal(decide([elsewhere], { ...wish, isPooled: true }, alive, NOW).kind, 'refused');
  assert.deepEqual(decide([{ ...row, leg: 1 }], wish, alive, NOW), granted([], []));
  assert.deepEqual(decide([{ ...row, leg: 1, client: 'b' }], wish, alive, NOW), granted([7], []));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { signal } from '@preact/signals';
import { neighbour, stepOf } from './keys.ts';
import { liveList } from './live.ts';

interface Row {
  readonly id: string;
  readonly state: string;
}

const row = (id: string, state = 'open'): Row => ({ id, state });

test('a paused list keeps its rows in their latest state, and counts the new ones', () => {
  const source = signal<readonly Row[]>([row('b'), row('a')]);
  const list = liveList(source, ({ id }) => id);
  list.pause();
  source.value = [row('d'), row('c'), row('b', 'done'), row('a')];
  assert.deepEqual(list.shown.value, [row('b', 'done'), row('a')]);
  assert.equal(list.waiting.value, 2);
  list.pause();
  assert.equal(list.waiting.value, 2, 'a second pause changes nothing');
  source.value = [row('e'), row('d'), row('c'), row('b', 'done')];
  assert.deepEqual(list.shown.value, [row('b', 'done')], 'an evicted row is gone');
  list.resume();
  assert.equal(list.waiting.value, 0);
  assert.deepEqual(list.shown.value, source.value);
});

test('a paused log keeps rows that left its source, and reports the gap', () => {
  const source = signal<readonly Row[]>([row('b'), row('a')]);
  const list = liveList(source, ({ id }) => id, { isLog: true });
  list.pause();
  source.value = [row('c'), row('b', 'done')];
  assert.deepEqual(list.shown.value, [row('b', 'done'), row('a')]);
  assert.deepEqual([list.waiting.value, list.hasGap.value], [1, false]);
  source.value = [row('e'), row('d')];
  assert.deepEqual(list.shown.value, [row('b'), row('a')]);
  assert.deepEqual([list.waiting.value, list.hasGap.value], [2, true]);
  list.resume();
  assert.deepEqual(list.shown.value, [row('e'), row('d')]);
  assert.equal(list.hasGap.value, false);
});

test('j and k go through a list, and stop at its ends', () => {
  assert.equal(stepOf('j'), 1);
  assert.equal(stepOf('ArrowUp'), -1);
  assert.equal(stepOf('x'), null);
  assert.equal(neighbour(['a', 'b'], null, 1), 'a');
  assert.equal(neighbour(['a', 'b'], 'a', 1), 'b');
  assert.equal(neighbour(['a', 'b'], 'b', 1), 'b');
  assert.equal(neighbour(['a', 'b'], 'gone', -1), 'a');
  assert.equal(neighbour([], null, 1), undefined);
});

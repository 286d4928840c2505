/** Tests of the search of lists, over lists in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type SearchState, searchLists } from './search-lists.ts';

type Pages = readonly (readonly string[])[];

/** Runs a search. `onRead`: called before each page. */
async function searched(lists: readonly Pages[], left = new AbortController(), onRead = (_: string) => {}) {
  const states: SearchState<string>[] = [];
  const running = new Set<number>();
  const reads: string[] = [];
  await searchLists<string>(
    lists.length,
    async (list, next) => {
      assert.ok(!running.has(list), 'one request of a list at a time');
      running.add(list);
      const at = Number(next ?? 0);
      reads.push(`${list}.${at}`);
      onRead(`${list}.${at}`);
      await new Promise(setImmediate);
      running.delete(list);
      const pages = lists[list] ?? [];
      if (pages.length === 0) throw new Error('refused');
      return { rows: pages[at] ?? [], next: at + 1 < pages.length ? String(at + 1) : null };
    },
    (state) => states.push(state),
    left.signal,
  );
  return { states, reads, last: states.at(-1) };
}

const empty = (count: number): Pages => Array.from({ length: count }, () => []);
const texts = (state: SearchState<string> | undefined) =>
  state?.hits.map(({ list, row }) => `${list} ${row}`);

test('the oldest resource is found on the last of 100 pages, and hits never move', async () => {
  const { states, last } = await searched([
    [['a'], ...empty(20), ['b']],
    [...empty(99), ['oldest']],
    [['c']],
  ]);
  assert.deepEqual(texts(last), ['0 a', '2 c', '0 b', '1 oldest']);
  assert.deepEqual([last?.isSearching, last?.unfinished], [false, []]);
  for (const state of states) assert.deepEqual(texts(state), texts(last)?.slice(0, state.hits.length));
  assert.equal(states[0]?.isSearching, true);
});

test('a list with enough hits is read no further, and known to have more', async () => {
  const { last, reads } = await searched([[['1', '2', '3', '4', '5', '6'], ['7']], [['x']]]);
  assert.deepEqual(reads, ['0.0', '1.0']);
  assert.deepEqual([last?.hits.length, last?.unfinished], [6, [0]]);
});

test('hits of one page beyond the shown ones make a list unfinished, too', async () => {
  const { last } = await searched([[['1', '2', '3', '4', '5', '6']]]);
  assert.deepEqual([last?.hits.length, last?.unfinished], [5, [0]]);
});

test('requests are bounded, and a refused list has no hits', async () => {
  const { last, reads } = await searched([empty(1_000), [], [['x']]]);
  assert.equal(reads.length, 3 + 150);
  assert.deepEqual([texts(last), last?.unfinished, last?.isSearching], [['2 x'], [0], false]);
});

test('an aborted search reads and shows nothing more', async () => {
  const left = new AbortController();
  const { states, reads } = await searched([empty(50)], left, (at) => at === '0.3' && left.abort());
  assert.deepEqual([reads.length, states.length], [4, 3]);
});

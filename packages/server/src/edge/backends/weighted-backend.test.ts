import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExplainedBackend } from '../sites/site.ts';
import { weightedBackend } from './weighted-backend.ts';

/**
 * Returns the children that are picked with these weights until no draw is left. Unreachable ones return their reason.
 */
function picksOf(
  backends: Readonly<Record<string, number>>,
  draws: readonly number[],
  unreachable: readonly string[] = [],
): readonly string[] {
  const child = (id: string): ExplainedBackend => ({
    id,
    pick: () =>
      unreachable.includes(id)
        ? 'tunnelGroupEmpty'
        : { kind: 'reply', status: 200, headers: [], body: Buffer.from(id) },
    leadsTo: () => false,
    tunnels: () => null,
    preview: () => ({ id, instead: null, why: '' }),
  });
  const left = [...draws];
  const backend = weightedBackend(
    {
      ...{ id: 'bkdwd_1', account: 'ac_1', kind: 'weighted_backend', parent: null, revision: 1 },
      body: { description: '', metadata: '', backends },
    },
    {
      child,
      random: () => left.shift() ?? 0,
      online: { matching: () => [] },
      dialler: { dial: () => null, refusalOf: () => null },
    },
  );
  const picks: string[] = [];
  do {
    const picked = backend.pick(new Set());
    if (typeof picked === 'string') picks.push(picked);
    else if ('body' in picked) picks.push(picked.body.toString());
  } while (left.length > 0);
  return picks;
}

test('what comes is shared by weight, and a weight of zero is no share', () => {
  const draws = Array.from({ length: 100 }, (_, index) => index / 100);
  const picks = picksOf({ none: 0, one: 1, three: 3, never: 0 }, draws);
  const count = (id: string): number => picks.filter((pick) => pick === id).length;
  assert.deepEqual([count('one'), count('three')], [25, 75]);
});

test('in the place of one that cannot be reached the others are drawn by their weights', () => {
  assert.deepEqual(picksOf({ one: 1, three: 3, four: 4 }, [0.9, 0.2, 0.9, 0.3], ['four']), ['one', 'three']);
});

test('without a backend that can be reached, and without any share, the reason is reported', () => {
  assert.deepEqual(picksOf({ one: 1, three: 3 }, [0.5, 0.5], ['one', 'three']), ['tunnelGroupEmpty']);
  assert.deepEqual(picksOf({ one: 0 }, []), ['noBackendAvailable']);
});

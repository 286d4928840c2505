import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Visit, Visits } from './visits.ts';

const visit = (servedBy: string): Visit => ({
  ...{ servedBy, method: 'GET', path: '/', status: 200, durationMs: 1 },
  connection: { clientAddr: '192.0.2.1:1234' },
});

test('a watcher hears of its tunnel, and only its account is watched, until the last of its watchers is done', () => {
  const visits = new Visits();
  const heard: string[] = [];
  const ends = ['tn_1', 'tn_2'].map((tunnel) =>
    visits.watch(tunnel, 'ac_1', ({ servedBy }) => heard.push(servedBy)),
  );
  for (const tunnel of ['tn_1', 'tn_2', 'tn_3', '']) visits.observe(visit(tunnel));
  assert.deepEqual(heard, ['tn_1', 'tn_2']);
  assert.deepEqual([visits.areWatched('ac_1'), visits.areWatched('ac_2')], [true, false]);
  // Ended twice, it counts once.
  ends[0]!();
  ends[0]!();
  assert.equal(visits.areWatched('ac_1'), true);
  ends[1]!();
  assert.equal(visits.areWatched('ac_1'), false);
  visits.observe(visit('tn_2'));
  assert.equal(heard.length, 2);
});

test('who watches a tunnel after somebody else does so alone, and is not ended by the other', () => {
  const visits = new Visits();
  const heard: string[] = [];
  const end = visits.watch('tn_1', 'ac_1', () => heard.push('one'));
  visits.watch('tn_1', 'ac_1', () => heard.push('other'));
  end();
  visits.observe(visit('tn_1'));
  assert.deepEqual([heard, visits.areWatched('ac_1')], [['other'], true]);
});

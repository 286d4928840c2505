/** Memory of 10,000 keys with traffic in every second of 11 minutes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { visit } from '../../edge/sites/exchange-record.fixture.ts';
import { MOST_KEYS, SeriesTally } from './tally.ts';

/** Megabytes of what is measured: some 11 kB a key, most of it seconds. */
const MOST_MEGABYTES = 200;
const SECONDS = 660;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

function usedMegabytes(): number {
  collectGarbage();
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
}

test('10,000 keys with traffic in every second use bounded memory, and give it back', () => {
  const clock = { now: Date.parse('2030-01-02T03:00:00Z') };
  const tally = new SeriesTally({ now: () => clock.now, node: 'n', finished: () => {} });
  const records = Array.from({ length: MOST_KEYS }, (_, at) => {
    const site = `edgtls_${at}`;
    return { ...visit, account: `ac_${at % 10}`, site, route: site, backend: '', credential: '' };
  });
  const before = usedMegabytes();
  for (let second = 0; second < SECONDS; second += 1) {
    clock.now += 1_000;
    for (const [at, record] of records.entries())
      tally.observe(Object.assign(record, { durationMs: 1 + ((at * 7 + second * 13) % 500) }));
  }
  assert.equal(tally.size, MOST_KEYS);
  const grown = usedMegabytes() - before;
  assert.ok(grown < MOST_MEGABYTES, `${grown} MB`);
  for (const series of tally.all()) series.isUnsaved = false;
  clock.now += 2 * 3_600_000;
  tally.closePassed();
  for (const series of tally.all()) series.isUnsaved = false;
  clock.now += 60_000;
  tally.closePassed();
  assert.equal(tally.size, 0);
  const left = usedMegabytes() - before;
  assert.ok(left < 10, `${left} MB`);
});

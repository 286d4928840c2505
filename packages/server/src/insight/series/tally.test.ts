/** Tests of minutes that are closed in slices, with requests and ends of the daemon in between. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { visit } from '../../edge/sites/exchange-record.fixture.ts';
import type { SeriesRow } from '../../store/store.ts';
import { cellsOfText } from './block.ts';
import { HOURS, MINUTES, SECONDS } from './steps.ts';
import { MOST_CLOSED, SeriesTally } from './tally.ts';

const START = Date.parse('2030-01-02T03:00:00Z');
const MINUTE = 60_000;
const ACCOUNT = 'ac_1';
const KEYS = 4 * MOST_CLOSED;

function begin() {
  const clock = { now: START };
  const finished: SeriesRow[] = [];
  let minutes = 0;
  const tally = new SeriesTally({
    now: () => clock.now,
    node: 'n',
    finished: (rows) => finished.push(...rows),
    minute: () => {
      minutes += 1;
    },
  });
  const observe = (at: number, bytesIn = 1) => {
    const site = `edgtls_${at}`;
    tally.observe({ ...visit, account: ACCOUNT, site, route: site, backend: '', credential: '', bytesIn });
  };
  const closed = () => [...tally.all()].filter(({ isUnsaved }) => isUnsaved).length;
  return { clock, tally, observe, finished, closed, minutes: () => minutes };
}

/** Returns bytes by the start of their step, in seconds since START. */
function bytesOf(rows: readonly SeriesRow[]): Record<number, number> {
  const bytes: Record<number, number> = {};
  for (const { step, start, body } of rows)
    for (const [slot, cell] of cellsOfText(body)) {
      const at = start + slot * step - START / 1000;
      bytes[at] = (bytes[at] ?? 0) + cell.counts[7]!;
    }
  return bytes;
}

test('the end of a minute takes one slice of keys in a turn, and is reported once after the last', async () => {
  const { clock, observe, closed, minutes } = begin();
  for (let at = 0; at < KEYS; at += 1) observe(at);
  clock.now += MINUTE;
  observe(0);
  const first = closed();
  assert.ok(first <= 2, `${first} in the turn of the request`);
  let before = first;
  while (minutes() === 0) {
    await turn();
    const now = closed();
    assert.ok(now - before <= MOST_CLOSED, `${now - before} in a turn`);
    assert.ok(now > before || minutes() === 1);
    before = now;
  }
  assert.equal(closed(), KEYS + 1, 'with the account');
  await turn();
  assert.equal(minutes(), 1);
});

test('a request between slices is in its own minute once, whether its key is closed or not', async () => {
  const { clock, tally, observe, minutes } = begin();
  for (let at = 0; at < KEYS; at += 1) observe(at, 10);
  clock.now += MINUTE;
  observe(0, 1);
  await turn();
  assert.equal(minutes(), 0);
  for (let at = 1; at < KEYS; at += 1) observe(at, 1);
  while (minutes() === 0) await turn();
  for (const at of [0, 1, MOST_CLOSED, KEYS - 1]) {
    const key = `edge/edgtls_${at}`;
    const bytes = bytesOf(tally.rows(ACCOUNT, [key], MINUTES, 0));
    assert.deepEqual(bytes, { 0: 10, 60: 1 }, key);
  }
  assert.deepEqual(bytesOf(tally.rows(ACCOUNT, ['account'], MINUTES, 0)), { 0: 10 * KEYS, 60: KEYS });
  assert.deepEqual(bytesOf(tally.rows(ACCOUNT, ['account'], SECONDS, 0)), { 0: 10 * KEYS, 60: KEYS });
});

test('a read between slices has all of the minute that has passed', async () => {
  const { clock, tally, observe } = begin();
  for (let at = 0; at < KEYS; at += 1) observe(at, 10);
  clock.now += MINUTE;
  const last = `edge/edgtls_${KEYS - 1}`;
  for (const step of [SECONDS, MINUTES, HOURS])
    assert.deepEqual(bytesOf(tally.rows(ACCOUNT, [last], step, 0)), { 0: 10 });
});

test('an end between slices loses nothing, and no slice comes after it', async () => {
  const { clock, tally, observe, finished, minutes } = begin();
  for (let at = 0; at < KEYS; at += 1) observe(at, 10);
  clock.now += MINUTE;
  for (let at = 0; at < 10; at += 1) observe(at, 1);
  await turn();
  tally.finish();
  const rows = [...finished, ...[...tally.all()].flatMap((series) => series.unsaved())].filter(
    ({ step, key }) => step === MINUTES.seconds && key !== 'account',
  );
  assert.deepEqual(bytesOf(rows), { 0: 10 * KEYS, 60: 10 });
  assert.equal(minutes(), 1);
  await turn();
  assert.equal(minutes(), 1);
});

test('with turns at any moment, each second and minute has what came in it', async () => {
  const steps = fc.array(
    fc.record({
      key: fc.nat(3 * MOST_CLOSED),
      bytes: fc.nat(100),
      wait: fc.constantFrom(0, 0, 1, 400, 1_000, 59_000, 61_000),
      turns: fc.nat(2),
    }),
    { minLength: 1, maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      const { clock, tally, observe, finished } = begin();
      for (let at = 0; at < 3 * MOST_CLOSED; at += 1) observe(at, 0);
      const wanted = { 1: new Map<number, number>(), 60: new Map<number, number>() };
      for (const { key, bytes, wait, turns } of all) {
        clock.now += wait;
        observe(key, bytes);
        for (const [step, sums] of [
          [1, wanted[1]],
          [60, wanted[60]],
        ] as const) {
          const at = Math.floor((clock.now - START) / 1000 / step) * step;
          sums.set(at, (sums.get(at) ?? 0) + bytes);
        }
        for (let at = 0; at < turns; at += 1) await turn();
      }
      const keys = [...tally.all()].map(({ name }) => name.key).filter((key) => key !== 'account');
      const kept = new Map([...wanted[1]].filter(([at]) => at * 1000 + START > clock.now - 500_000));
      const seconds = bytesOf(tally.rows(ACCOUNT, keys, SECONDS, 0));
      for (const [at, bytes] of kept) assert.equal(seconds[at] ?? 0, bytes, `second ${at}`);
      tally.finish();
      const minutes = bytesOf(
        [...finished, ...[...tally.all()].flatMap((series) => series.unsaved())].filter(
          ({ step, key }) => step === 60 && key !== 'account',
        ),
      );
      for (const [at, bytes] of wanted[60]) assert.equal(minutes[at] ?? 0, bytes, `minute ${at}`);
    }),
    { numRuns: propertyRuns(40) },
  );
});

test('keys that are idle for an hour go some turns after a minute, and others find room then', async () => {
  const { clock, tally, observe, minutes } = begin();
  for (let at = 0; at < KEYS; at += 1) observe(at);
  clock.now += MINUTE;
  observe(0);
  while (minutes() < 1) await turn();
  for (const series of tally.all()) series.isUnsaved = false;
  clock.now += 60 * MINUTE;
  observe(1);
  assert.equal(tally.size, KEYS + 1);
  while (minutes() < 2) await turn();
  assert.equal(tally.size, 3, 'the account, the first and the second');
  assert.deepEqual(bytesOf(tally.rows(ACCOUNT, ['edge/edgtls_1'], SECONDS, 0)), { 3660: 1 });
});

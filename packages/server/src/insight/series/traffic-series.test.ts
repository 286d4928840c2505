/** Tests of series with a moved clock: resolutions, restarts, other daemons, bounds, age. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import type {
  RecentTraffic as RecentAnswer,
  TrafficSeries as TrafficSeriesAnswer,
} from '../../../../client/src/index.ts';
import { visit } from '../../edge/sites/exchange-record.fixture.ts';
import type { ExchangeRecord } from '../../edge/sites/exchange-record.ts';
import type { StandaloneCall } from '../../resources/standalone/definition.ts';
import { MemoryStore } from '../../store/memory.fixture.ts';
import type { JsonObject, Store } from '../../store/store.ts';
import { MOST_KEYS, MOST_OF_ACCOUNT } from './tally.ts';
import { TrafficSeries } from './traffic-series.ts';

const START = Date.parse('2030-01-02T03:00:00Z');
const ACCOUNT = 'ac_1';
const edge = { site: 'edghts_1', route: 'edghtsrt_1', backend: 'bkdtg_1', credential: 'cr_1' };

type Answer = { -readonly [Name in keyof TrafficSeriesAnswer]: TrafficSeriesAnswer[Name] };

interface Clock {
  now: number;
}

async function storeWithAccounts(...accounts: readonly string[]): Promise<Store> {
  const store = new MemoryStore();
  await store.write(() =>
    accounts.map((id) => ({
      ...{ op: 'insert', id, account: id, kind: 'account', parent: null },
      ...{ body: {}, links: [], names: [] },
    })),
  );
  return store;
}

async function begin(given: { store?: Store; clock?: Clock } = {}) {
  const store = given.store ?? (await storeWithAccounts(ACCOUNT, 'ac_2'));
  const clock = given.clock ?? { now: START };
  const series = new TrafficSeries({ store, now: () => clock.now, errorPrefix: 'ERR_' });
  const observe = (changes: Partial<ExchangeRecord> = {}) =>
    series.observe({ ...visit, ...edge, account: ACCOUNT, ...changes });
  const get = async (query: Record<string, string> = {}, account = ACCOUNT) => {
    const principal = { account } as Parameters<ReturnType<typeof series.runs>[string]>[0]['principal'];
    const call = {
      principal,
      path: {},
      query: { resolution: '1m', ...query },
      body: null,
      baseUrl: 'https://a',
    };
    const missing: number[] = [];
    const run = series.runs().traffic_series_get!;
    const answer = (await run({ ...call, missing: (count) => missing.push(count) })) as JsonObject;
    return { ...(answer as JsonObject & Answer), missing };
  };
  return { store, clock, series, observe, get };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

test('traffic is in the series of account, edge, route, backend and credential, second by second', async () => {
  const { clock, observe, get } = await begin();
  observe({ bytesIn: 10, bytesOut: 20 });
  clock.now += 1_000;
  observe({ status: 502, error: 'nothingOnline', durationMs: 100 });
  observe({ kind: 'bytes', site: 'edgtcp_1', route: 'edgtcp_1', status: 0, credential: '' });
  clock.now += 1_000;
  for (const [query, counts] of [
    [{}, [1, 1]],
    [{ by: 'edge', id: 'edghts_1' }, [1, 1]],
    [{ by: 'route', id: 'edghtsrt_1' }, [1, 1]],
    [{ by: 'backend', id: 'bkdtg_1' }, [1, 1]],
    [{ by: 'credential', id: 'cr_1' }, [1, 1]],
    [{ by: 'edge', id: 'edgtcp_1' }, [0, 0]],
    [{ by: 'endpoint', id: 'edghts_1' }, [0, 0]],
  ] as const) {
    const answer = await get({ ...query, resolution: '1s', since: '2' });
    assert.deepEqual(answer.requests, counts, JSON.stringify(query));
  }
  const answer = await get({ resolution: '1s', since: '2', by: 'backend', id: 'bkdtg_1' });
  assert.deepEqual(answer.connections, [0, 1]);
  assert.deepEqual(
    [answer.requests_2xx, answer.requests_5xx],
    [
      [1, 0],
      [0, 1],
    ],
  );
  assert.deepEqual(
    [answer.bytes_in, answer.bytes_out],
    [
      [10, 2],
      [20, 4],
    ],
  );
  assert.equal(answer.p50_ms[0], 1.24);
  assert.ok(Math.abs(answer.p99_ms[1]! - 100) < 4.4);
  assert.deepEqual(answer.error_codes, [{ error_code: 'ERR_3200', count: 1 }]);
  assert.deepEqual(
    [answer.since, answer.until, answer.points],
    ['2030-01-02T03:00:00Z', '2030-01-02T03:00:02Z', 2],
  );
});

test('an endpoint has its traffic by name, whatever bind serves it', async () => {
  const { observe, get } = await begin();
  const bound = { backend: 'tn_1', endpoint: 'a.example.com' };
  observe({ ...bound, site: 'ep_1', route: 'ep_1' });
  observe({ ...bound, site: 'ep_2', route: 'ep_2' });
  const { requests } = await get({
    resolution: '1s',
    until: '0',
    since: '9',
    by: 'endpoint',
    id: 'a.example.com',
  });
  assert.equal(sum(requests), 0, 'the second runs still');
  const later = await get({
    resolution: '1s',
    until: '2100-01-01T00:00:00Z',
    since: '9',
    by: 'endpoint',
    id: 'a.example.com',
  });
  assert.equal(sum(later.requests), 2);
});

test('no account sees traffic of another one, and none has that of no account', async () => {
  const { clock, observe, get } = await begin();
  observe();
  observe({ account: '' });
  clock.now += 60_000;
  for (const query of [{}, { by: 'edge', id: 'edghts_1' }, { by: 'credential', id: 'cr_1' }])
    assert.equal(sum((await get({ ...query, since: '300' }, 'ac_2')).requests), 0);
  assert.equal(sum((await get({ since: '300' })).requests), 1);
});

test('seconds, minutes and hours have the same traffic, also after restarts', async () => {
  const moments = fc.array(fc.integer({ min: 0, max: 200_000 }), { minLength: 1, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(moments, moments, async (first, second) => {
      const clock = { now: START };
      const store = await storeWithAccounts(ACCOUNT);
      let bytes = 0;
      for (const distances of [first, second]) {
        const { series, observe } = await begin({ store, clock });
        for (const distance of distances) {
          clock.now += distance;
          bytes += distance;
          observe({ bytesIn: distance, durationMs: distance });
        }
        await series.stop();
      }
      const { get } = await begin({ store, clock });
      const running = { until: '2100-01-01T00:00:00Z' };
      const minutes = await get({ ...running, since: '80000' });
      const hours = await get({ ...running, resolution: '1h', since: '800000' });
      for (const answer of [minutes, hours]) {
        assert.equal(sum(answer.requests), first.length + second.length);
        assert.equal(sum(answer.bytes_in), bytes);
      }
    }),
    { numRuns: propertyRuns(30) },
  );
});

test('the running minute and hour are shown if the span includes them', async () => {
  const { clock, observe, get } = await begin();
  clock.now += 59 * 60_000;
  observe();
  clock.now += 60_000;
  observe();
  clock.now += 1_000;
  observe();
  const running = { until: '2100-01-01T00:00:00Z', since: '180' };
  assert.deepEqual((await get(running)).requests, [0, 0, 1, 2]);
  assert.deepEqual((await get({ since: '180' })).requests, [0, 0, 1]);
  const hours = await get({ ...running, resolution: '1h', since: '7200' });
  assert.deepEqual(hours.requests, [0, 1, 2]);
});

test('daemons add up, each block counts once, and a missing one is reported', async () => {
  const one = await begin();
  const other = await begin(one);
  one.series.use(async (question) => ({
    values: [other.series.answer(JSON.parse(JSON.stringify(question)))],
    missing: 1,
  }));
  for (let minute = 0; minute < 3; minute += 1) {
    one.observe();
    other.observe();
    one.clock.now += 60_000;
    for (const { series } of [one, other]) await series.save();
  }
  const { requests, missing } = await one.get({ since: '240' });
  assert.deepEqual(requests, [0, 2, 2, 2]);
  assert.deepEqual(missing, [1]);
  assert.deepEqual((await one.get({ resolution: '1s', since: '181' })).requests.filter(Boolean), [2, 2, 2]);
  assert.deepEqual((await other.get({ since: '240' })).requests, [0, 2, 2, 2], 'of the database');
});

test('a database that is away loses no traffic', async () => {
  const store = await storeWithAccounts(ACCOUNT);
  let isAway = true;
  const write: Store['write'] = (build) => (isAway ? Promise.reject(new Error('away')) : store.write(build));
  const flaky = { write, series: store.series.bind(store) } as Store;
  const { clock, series, observe, get } = await begin({ store: flaky });
  for (let minute = 0; minute < 90; minute += 1) {
    observe();
    clock.now += 60_000;
    await series.save();
  }
  const query = { since: '2100-01-01T00:00:00Z', until: '0' };
  assert.equal(sum((await get({ ...query, since: '7200' })).requests), 90);
  isAway = false;
  await series.stop();
  const again = await begin({ store, clock });
  assert.equal(sum((await again.get({ since: '7200' })).requests), 90);
  assert.equal(sum((await again.get({ resolution: '1h', since: '7200', until: '0' })).requests), 90);
});

test('blocks go when they are too old, without traffic, too', async () => {
  const { store, clock, series, observe } = await begin();
  observe();
  clock.now += 60_000;
  const look = async (step: number) => {
    await series.save();
    return (await store.series({ account: ACCOUNT, step, keys: ['account'], from: 0, until: 1e12 })).length;
  };
  assert.deepEqual([await look(60), await look(3600)], [1, 1]);
  clock.now += 24 * 3_600_000;
  assert.deepEqual([await look(60), await look(3600)], [1, 1]);
  clock.now += 3_600_000;
  assert.deepEqual([await look(60), await look(3600)], [0, 1]);
  clock.now += 89 * 86_400_000;
  assert.deepEqual([await look(60), await look(3600)], [0, 1]);
  clock.now += 86_400_000;
  assert.deepEqual([await look(60), await look(3600)], [0, 0]);
  assert.equal(series.size, 0);
});

test('keys are bounded, for an account and in all, and nothing is missing in the account', async () => {
  const store: Pick<Store, 'write' | 'series'> = { write: async () => 1, series: async () => [] };
  const { clock, series, observe, get } = await begin({ store: store as Store });
  for (let at = 0; at < 2 * MOST_OF_ACCOUNT; at += 1)
    observe({ site: `edghts_${at}`, route: '', backend: '', credential: '' });
  assert.equal(series.size, MOST_OF_ACCOUNT);
  clock.now += 60_000;
  assert.equal(sum((await get({ since: '120' })).requests), 2 * MOST_OF_ACCOUNT);
  for (let account = 0; account < 50; account += 1)
    for (let at = 0; at < 1_000; at += 1)
      observe({ account: `ac_more_${account}`, site: `edghts_${at}`, route: `edghtsrt_${at}`, backend: '' });
  assert.ok(series.size <= 2 * MOST_KEYS);
  clock.now += 7_200_000;
  await series.save();
  // The keys are saved and idle, so they go with the next minute.
  clock.now += 60_000;
  await series.save();
  observe({ site: 'edghts_new' });
  assert.equal(series.size, 5);
});

test('a clock that is set back loses nothing and replaces no block', async () => {
  const { store, clock, series, observe } = await begin();
  observe();
  clock.now += 61_000;
  observe();
  clock.now -= 600_000;
  observe();
  clock.now += 2_000;
  observe();
  clock.now -= 1_000;
  observe();
  await series.stop();
  clock.now = START + 3_600_000;
  const { get } = await begin({ store, clock });
  assert.equal(sum((await get({ since: '7200' })).requests), 5);
  assert.equal(
    sum((await get({ since: '7200', until: '3600' })).requests),
    3,
    'at the time that it was set to',
  );
});

test('a span that cannot be is refused with its parameter', async () => {
  const { get } = await begin();
  for (const [query, code] of [
    [{ by: 'edge' }, 'seriesIdMissing'],
    [{ id: 'edghts_1' }, 'seriesKindMissing'],
    [{ since: 'yesterday' }, 'seriesTimeInvalid'],
    [{ since: '2030-13-02T03:00:00Z' }, 'seriesTimeInvalid'],
    [{ since: '2030-01-02' }, 'seriesTimeInvalid'],
    [{ until: '-1' }, 'seriesTimeInvalid'],
    [{ since: '60', until: '60' }, 'seriesSpanEmpty'],
    [{ since: '2031-01-02T03:00:00Z' }, 'seriesSpanEmpty'],
    [{ resolution: '1h', since: '7776000' }, 'seriesTooLong'],
  ] as const)
    await assert.rejects(get(query), { code }, JSON.stringify(query));
});

test('a span is on steps, and cut to what is kept', async () => {
  const { clock, get } = await begin();
  clock.now += 90_500;
  const spans = async (query: Record<string, string>) => {
    const { since, until, points } = await get(query);
    return [since.slice(11), until.slice(11), points];
  };
  assert.deepEqual(await spans({}), ['03:01:00Z', '03:01:00Z', 1440]);
  assert.deepEqual(await spans({ resolution: '1s' }), ['02:51:30Z', '03:01:30Z', 600]);
  assert.deepEqual(await spans({ resolution: '1h' }), ['03:00:00Z', '03:00:00Z', 720]);
  assert.deepEqual(await spans({ resolution: '1s', since: '2029-01-01T00:00:00+01:00' }), [
    '02:51:30Z',
    '03:01:30Z',
    600,
  ]);
  assert.deepEqual(await spans({ since: '2030-01-02T02:58:30.5Z', until: '2030-01-02T02:59:01Z' }), [
    '02:58:00Z',
    '03:00:00Z',
    2,
  ]);
  assert.deepEqual(
    await spans({ since: '2029-01-01T00:00:00Z', until: '2029-02-01T00:00:00Z' }).then(
      ([, , points]) => points,
    ),
    0,
  );
});

test('the last minute and hour of an account, with other daemons', async () => {
  const one = await begin();
  const other = await begin(one);
  one.series.use(async (question) => ({ values: [other.series.answer(question)], missing: 1 }));
  one.observe({ durationMs: 8 });
  one.clock.now += 3_600_000 - 60_000;
  other.observe({ status: 500, durationMs: 100, bytesIn: 7 });
  one.observe({ kind: 'bytes', error: 'nothingOnline' });
  one.clock.now += 1_000;
  const { minute, hour, missing } = await one.series.recent(ACCOUNT);
  assert.deepEqual([minute.requests, minute.errors, minute.bytes_in, minute.bytes_out], [2, 2, 8, 4]);
  assert.ok(Math.abs(minute.p50_ms! - 100) < 4.4);
  assert.deepEqual([hour.requests, hour.errors, missing], [3, 2, 1]);
  assert.ok(Math.abs(hour.p50_ms! - 8) < 0.4);
  one.clock.now += 3_600_000;
  const nothing = { requests: 0, errors: 0, bytes_in: 0, bytes_out: 0, p50_ms: null, p95_ms: null };
  assert.deepEqual((await one.series.recent(ACCOUNT)).minute, nothing);
  assert.deepEqual((await one.series.recent('ac_2')).hour, nothing);
});

test('lines of the last hour for many keys, without those of other accounts', async () => {
  const one = await begin();
  const other = await begin(one);
  one.series.use(async (question) => ({ values: [other.series.answer(question)], missing: 0 }));
  const recent = async (ids: readonly string[], account = ACCOUNT) => {
    const principal = { account } as StandaloneCall['principal'];
    const call = { principal, path: {}, query: { by: 'edge', ids: ids.join(',') }, body: null, baseUrl: '' };
    const answer = await one.series.runs().traffic_recent_get!({ ...call, missing: () => {} });
    return (answer as JsonObject & RecentAnswer).keys;
  };
  one.observe();
  one.clock.now += 60_000;
  other.observe({ site: 'edghts_2', status: 503 });
  one.observe();
  other.observe({ bytesIn: 3, bytesOut: 4 });
  const [first, second, third, ...more] = await recent(['edghts_1', 'edghts_2', 'edghts_none', 'edghts_1']);
  assert.deepEqual(more, []);
  assert.deepEqual(
    [first!.key, first!.requests.length, first!.requests.slice(-3)],
    ['edghts_1', 60, [0, 1, 2]],
  );
  assert.deepEqual([first!.bytes.at(-1), first!.errors.at(-1)], [10, 0]);
  assert.deepEqual([second!.requests.at(-1), second!.errors.at(-1)], [1, 1]);
  assert.equal(sum(third!.requests), 0);
  assert.equal(sum((await recent(['edghts_1'], 'ac_2'))[0]!.requests), 0);
  const many = Array.from({ length: 101 }, (_, at) => `edghts_${at}`);
  await assert.rejects(recent(many), { code: 'seriesKeysTooMany' });
  assert.equal((await recent(many.slice(1))).length, 100);
});

test('a deleted edge leaves the memory, and its traffic is still there', async () => {
  const { series, observe, get, store, clock } = await begin();
  for (const backend of ['bkdtg_1', 'bkdtg_2']) observe({ backend });
  observe({ site: 'edghts_2', route: 'edghtsrt_2', backend: 'bkdtg_2' });
  clock.now += 5_000;
  const before = series.size;
  assert.equal(
    series.dropDeleted((id) => !['edghts_1', 'edghtsrt_1', 'bkdtg_1'].includes(id)),
    true,
  );
  assert.equal(series.size, before - 3);
  assert.equal(
    series.dropDeleted(() => true),
    false,
  );
  await series.save();
  // The running minute is not part of a response.
  clock.now += 60_000;
  const sum = async (by: string, id: string) =>
    (await get({ by, id })).requests.reduce((total, count) => total + count, 0);
  assert.deepEqual(
    [await sum('edge', 'edghts_1'), await sum('backend', 'bkdtg_1'), await sum('backend', 'bkdtg_2')],
    [2, 1, 2],
  );
  const next = await begin({ store, clock });
  assert.equal((await next.get({ by: 'edge', id: 'edghts_1' })).requests.at(-1), 2);
});

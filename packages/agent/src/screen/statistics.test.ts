import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Statistics } from './statistics.ts';

const request = (durationMs: number, status: number | null = 200) => ({
  ...{ method: 'GET', path: '/', status, durationMs },
});

test('percentiles are those of the latest requests', () => {
  const statistics = new Statistics();
  assert.equal(statistics.summary(0).percentiles, null);
  for (let ms = 1; ms <= 100; ms++) statistics.add(request(ms), 0);
  assert.deepEqual(statistics.summary(0).percentiles, { p50: 50, p90: 90, p99: 99 });
  for (let count = 0; count < 1_000; count++) statistics.add(request(7), 0);
  assert.deepEqual(statistics.summary(0).percentiles, { p50: 7, p90: 7, p99: 7 });
  assert.equal(statistics.summary(0).total, 1_100);
});

test('requests without an answer, and with an error of the server, have failed', () => {
  const statistics = new Statistics();
  for (const status of [200, 404, 500, 503, null]) statistics.add(request(1, status), 0);
  assert.equal(statistics.summary(0).failed, 3);
  for (const code of [0, 5, 14]) statistics.add({ ...request(1), grpc: { code, name: '', message: '' } }, 0);
  assert.equal(statistics.summary(0).failed, 5);
});

test('the rate is that of the last minute', () => {
  const statistics = new Statistics();
  for (let count = 0; count < 120; count++) statistics.add(request(1), 1_000_000 + count * 100);
  assert.equal(statistics.summary(1_012_000).perSecond, 2);
  statistics.add(request(1), 1_060_000);
  assert.equal(statistics.summary(1_060_000).perSecond, 111 / 60);
  assert.equal(statistics.summary(1_072_000).perSecond, 1 / 60);
  assert.equal(statistics.summary(9_000_000).perSecond, 0);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExchangeSummary } from './api-types.ts';
import { type Filter, isFiltering, isListed, NO_FILTER } from './filter.ts';

const exchange: ExchangeSummary = {
  ...{ id: 1, tunnel: 2, method: 'POST', path: '/Users?q=1', status: 404, outcome: 'complete' },
  grpc: null,
  ...{ startedAt: 1_000_000, durationMs: 5, requestSize: 0, responseSize: 0, contentType: '' },
  ...{ replayOf: null, messages: null, refusal: null },
};

test('what is listed has everything that is asked for', () => {
  const cases: [Partial<Filter>, boolean][] = [
    [{}, true],
    [{ path: 'users' }, true],
    [{ path: 'USERS?Q' }, true],
    [{ path: 'other' }, false],
    [{ method: 'POST' }, true],
    [{ method: 'GET' }, false],
    [{ status: '4' }, true],
    [{ status: '2' }, false],
    [{ status: 'none' }, false],
    [{ minutes: 1 }, true],
    [{ tunnel: 2 }, true],
    [{ tunnel: 1 }, false],
    [{ path: 'users', method: 'GET' }, false],
  ];
  for (const [filter, isThere] of cases)
    assert.equal(isListed(exchange, { ...NO_FILTER, ...filter }, 1_030_000), isThere, JSON.stringify(filter));
  assert.equal(isListed(exchange, { ...NO_FILTER, minutes: 1 }, 1_061_000), false);
  assert.equal(isListed({ ...exchange, status: null }, { ...NO_FILTER, status: 'none' }, 0), true);
});

test('a path is found in any case, percent-encoded or not', () => {
  const at = (path: string, wanted: string) =>
    isListed({ ...exchange, path }, { ...NO_FILTER, path: wanted }, 0);
  for (const [path, wanted] of [
    ['/Gr%C3%BC%C3%9Fe?a=%E9', 'GRÜSSE'],
    ['/gr%c3%bc%c3%9fe', '/Gr%C3%BC'],
    ['/ΟΔΟΣ/x', 'οδος'],
    ['/ÉTÉ', 'été'.normalize('NFD')],
    ['/a%2Fb', 'A/B'],
  ] as const)
    assert.ok(at(path, wanted), `${wanted} in ${path}`);
  assert.ok(!at('/a', 'b'));
});

test('a failed gRPC call is failed and no 2xx', () => {
  const grpc = (code: number) => ({ ...exchange, status: 200, grpc: { code, name: '', message: '' } });
  const isIn = (it: ExchangeSummary, status: string) => isListed(it, { ...NO_FILTER, status }, 0);
  assert.deepEqual(
    ['2', 'failed', 'grpc'].map((status) => isIn(grpc(5), status)),
    [false, true, true],
  );
  assert.deepEqual(
    ['2', 'failed', 'grpc'].map((status) => isIn(grpc(0), status)),
    [true, false, false],
  );
  for (const [status, isFailed] of [
    [200, false],
    [302, false],
    [404, true],
    [502, true],
    [null, true],
  ] as const)
    assert.equal(isIn({ ...exchange, status }, 'failed'), isFailed, String(status));
  assert.ok(!isIn({ ...exchange, status: null, outcome: 'open' }, 'failed'));
});

test('a filter that was emptied filters nothing', () => {
  assert.ok(!isFiltering({ ...NO_FILTER }));
  for (const part of [{ path: 'a' }, { method: 'GET' }, { status: '2' }, { minutes: 1 }, { tunnel: 1 }])
    assert.ok(isFiltering({ ...NO_FILTER, ...part }), JSON.stringify(part));
  assert.ok(!isFiltering({ ...NO_FILTER, path: '' }));
});

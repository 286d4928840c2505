import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExchangeSummary } from './api-types.ts';
import { type Filter, isListed, NO_FILTER } from './filter.ts';

const exchange: ExchangeSummary = {
  ...{ id: 1, tunnel: 2, method: 'POST', path: '/Users?q=1', status: 404, outcome: 'complete' },
  ...{ startedAt: 1_000_000, durationMs: 5, requestSize: 0, responseSize: 0, contentType: '' },
  ...{ replayOf: null, messages: null, refusal: null },
};

test('what is listed has everything that is asked for', () => {
  const cases: [Partial<Filter>, boolean][] = [
    [{}, true],
    [{ path: 'users' }, true],
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

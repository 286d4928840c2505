import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NewerFormatError } from './format.ts';
import { failureLog, OutageLog } from './outage-log.ts';
import {
  OtherHistoryError,
  RevisionCompactedError,
  StoreFullError,
  StoreRemovedError,
  StoreUnavailableError,
} from './store.ts';

function recorder() {
  const lines: string[] = [];
  const line = (level: string) => (fields: { operation?: string; failures?: number }, message?: string) =>
    void lines.push([level, fields.operation, fields.failures, message?.split(';')[0]].join(' ').trim());
  return { lines, log: { error: line('error'), warn: line('warn') } as never };
}

test('an outage is one line when it begins and one when it ends, for reads and writes each', () => {
  const { lines, log } = recorder();
  const outages = new OutageLog(log, () => 0);
  outages.worked('read');
  for (let i = 0; i < 100; i += 1) outages.failed('read', new StoreUnavailableError('away'));
  outages.failed('write', new StoreFullError('full'));
  assert.equal(outages.writeFailure, 'full');
  outages.worked('read');
  outages.worked('read');
  outages.failed('write', new StoreFullError('full'));
  outages.failed('read', new StoreUnavailableError('away'));
  outages.worked('write');
  assert.deepEqual(lines, [
    'error read  the store is away',
    'error write  the store is away',
    'warn read 100 the store is back',
    'error read  the store is away',
    'warn write 2 the store is back',
  ]);
});

test('what is no outage is none, and is told by who meets it', () => {
  const { lines, log } = recorder();
  const outages = new OutageLog(log, () => 0);
  outages.failed('read', new NewerFormatError('rd_1', 2));
  outages.failed('write', new Error('a fault'));
  // The watcher of the files reports this one.
  outages.failed('write', new StoreRemovedError('removed'));
  assert.deepEqual(lines, []);
  const report = failureLog(log, 'following failed');
  report(new StoreUnavailableError('away'));
  report(new Error('a fault'));
  report(new OtherHistoryError(7));
  report(new RevisionCompactedError('list again'));
  assert.deepEqual(lines, ['error   following failed']);
});

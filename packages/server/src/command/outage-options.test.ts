import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toConfig } from './config.ts';
import { ConfigError } from './options.ts';

const postgres = { database: 'postgres://u:p@127.0.0.1/u' };

function timesOf(options: Readonly<Record<string, string>>) {
  const { graceMs, isolateMs } = toConfig(
    new Map(Object.entries(options).map(([flag, text]) => [flag, [text]])),
  );
  return { graceMs, isolateMs };
}

test('tunnels outlive the database by an hour, and a daemon is isolated after a minute', () => {
  assert.deepEqual(timesOf(postgres), { graceMs: 3_600_000, isolateMs: 60_000 });
  assert.deepEqual(timesOf({ ...postgres, grace: '10m', 'isolate-seconds': '20' }), {
    graceMs: 600_000,
    isolateMs: 20_000,
  });
});

test('a grace is a time with its unit, or a number of seconds', () => {
  for (const text of ['7200', '7200s', '120m', '2h'])
    assert.equal(timesOf({ ...postgres, grace: text }).graceMs, 7_200_000, text);
});

test('times that a daemon cannot keep are refused', () => {
  for (const [flag, text] of [
    ['grace', '59'],
    ['grace', '0'],
    ['grace', '25h'],
    ['grace', '1441m'],
    ['grace', '1d'],
    ['grace', '1.5h'],
    ['grace', 'h'],
    ['isolate-seconds', '19'],
    ['isolate-seconds', '3601'],
  ] as const)
    assert.throws(() => timesOf({ ...postgres, [flag]: text }), ConfigError, `${flag} ${text}`);
});

test('a daemon alone has no such times', () => {
  for (const flag of ['grace', 'isolate-seconds']) {
    assert.throws(() => timesOf({ [flag]: '20' }), /SQLite has one daemon/);
    assert.throws(() => timesOf({ ...postgres, alone: 'true', [flag]: '20' }), /--alone states/);
  }
});

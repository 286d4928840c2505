import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseDatabase } from '../store/databases/database.ts';
import { ConfigError } from './options.ts';
import { toWorkers } from './worker-options.ts';

const sqlite = { database: parseDatabase('sqlite', '/data')!, isAlone: false };
const postgres = { database: parseDatabase('postgres://u:p@127.0.0.1/u', '/data')!, isAlone: false };

function workers(text: string | null, of = postgres, timeout: string | null = null) {
  const values = new Map<string, readonly string[]>();
  if (text !== null) values.set('workers', [text]);
  if (timeout !== null) values.set('worker-timeout', [timeout]);
  return toWorkers(values, of, () => 6);
}

test('without workers the process itself is the daemon', () => {
  assert.equal(workers(null), null);
  assert.equal(workers('0'), null);
});

test('a number of workers, or as many as there are cores', () => {
  assert.deepEqual(workers('3'), { count: 3, timeoutMs: 10_000 });
  assert.deepEqual(workers('auto', postgres, '2'), { count: 6, timeoutMs: 2_000 });
  assert.equal(workers('auto', sqlite)?.count, 1);
  assert.equal(workers('auto', { ...postgres, isAlone: true })?.count, 1);
});

test('SQLite has one worker, and the error names the way to PostgreSQL', () => {
  assert.equal(workers('1', sqlite)?.count, 1);
  assert.throws(
    () => workers('2', sqlite),
    (error) => error instanceof ConfigError && error.message.includes('underpassd copy'),
  );
});

test('a daemon that states that it is alone has no further workers', () => {
  assert.throws(
    () => workers('2', { ...postgres, isAlone: true }),
    (error) => error instanceof ConfigError && error.message.includes('--alone'),
  );
});

test('what is no number of workers is refused', () => {
  for (const text of ['-1', '65', '1.5', 'all', '']) assert.throws(() => workers(text), ConfigError, text);
});

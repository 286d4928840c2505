import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from '../core/type.ts';
import { Problem } from '../errors/problem.ts';
import { queryValues } from './query-values.ts';

const limited = (most: number) =>
  Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: most, default: 100 })) });

test('each operation has its own largest page, and the error names it', () => {
  assert.deepEqual(queryValues(limited(1_000), 'limit=1000'), { limit: 1_000 });
  assert.deepEqual(queryValues(limited(1_000), ''), { limit: 100 });
  for (const most of [100, 1_000])
    assert.throws(
      () => queryValues(limited(most), `limit=${most + 1}`),
      (error) => error instanceof Problem && new RegExp(`from 1 to ${most}\\.`).test(error.message),
    );
});

/**
 * One rate limit for two daemons.
 * Invariant: an account gains nothing by using both.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Answer, Platform, Postgres, postgresMissing, shareMasterKey } from '../harness/index.ts';

shareMasterKey();

const LIMIT = 20;

describe('the rate limit of two daemons on one database', { skip: postgresMissing }, () => {
  let server: Postgres;
  let url: string;
  let platforms: readonly [Platform, Platform];
  let token: string;

  before(async () => {
    server = await Postgres.start();
    url = await server.database();
    const start = () => Platform.start({ args: ['--database', url], apiRateLimit: LIMIT });
    platforms = await Promise.all([start(), start()]);
    const owner = platforms.find(({ dataDir }) => existsSync(join(dataDir, 'bootstrap.json')));
    token = owner?.bootstrap.api_key ?? '';
  });
  after(async () => {
    await Promise.all((platforms ?? []).map((platform) => platform.stop()));
    await server?.stop();
  });

  const ask = (which: number, authorization = `Bearer ${token}`): Promise<Answer> => {
    const platform = platforms[which % 2] as Platform;
    const target = new URL('/api_keys', `https://api.underpass.localhost:${platform.port}`);
    return platform.client.request(target, { headers: { authorization, 'service-version': '2' } });
  };
  const statuses = async (count: number, first = 0): Promise<number[]> => {
    const answers = await Promise.all(Array.from({ length: count }, (_, at) => ask(first + at)));
    return answers.map(({ status }) => status).sort();
  };
  /** Lets time go by for what was admitted so far, by the clock that counts: the database's. */
  const age = (seconds: number) =>
    server.query(url, `UPDATE underpass.admissions SET at = at - interval '${seconds} s'`);
  const retryAfter = ({ headers }: Answer): number => Number(headers['retry-after']);
  const times = (status: number, count: number): number[] => new Array<number>(count).fill(status);

  test(`${LIMIT} requests of an account in any minute, wherever they are sent; the window rolls`, async () => {
    assert.deepEqual(await statuses(5), times(200, 5));
    await age(30);
    assert.deepEqual(await statuses(LIMIT - 5), times(200, LIMIT - 5));
    const over = await ask(0);
    assert.deepEqual([over.status, over.json.error_code], [429, 'ERR_SERVICE_226']);
    assert.ok(retryAfter(over) >= 1 && retryAfter(over) <= 30, String(retryAfter(over)));

    await age(31);
    const freed = [];
    for (let at = 0; at < 5; at++) freed.push((await ask(1)).status);
    assert.deepEqual(freed, times(200, 5), 'five places are free again, not all of them');
    const again = await ask(1);
    assert.equal(again.status, 429);
    assert.ok(retryAfter(again) >= 1 && retryAfter(again) <= 29, String(retryAfter(again)));
  });

  test('failed authentications count over both as well', async () => {
    const wrong = `Bearer ${'0'.repeat(27)}_${'0'.repeat(22)}`;
    const answers = await Promise.all(Array.from({ length: LIMIT + 6 }, (_, at) => ask(at, wrong)));
    const seen = answers.map(({ status }) => status).sort();
    assert.deepEqual(seen, [...times(401, LIMIT), ...times(429, 6)]);
  });

  test('while the database is away a request is 503; afterwards it is counted again', async () => {
    await server.halt();
    assert.equal((await ask(1)).status, 503);
    await server.resume();
    assert.notEqual((await ask(1)).status, 503);
  });
});

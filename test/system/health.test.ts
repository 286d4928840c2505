import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { eventually, Platform, Postgres, postgresMissing } from '../harness/index.ts';

describe('a daemon whose PostgreSQL comes and goes', { skip: postgresMissing, timeout: 110_000 }, () => {
  let server: Postgres;
  let platform: Platform;

  before(async () => {
    server = await Postgres.start();
    platform = await Platform.start({ args: ['--database', await server.database()] });
  });
  after(async () => {
    await platform?.stop();
    await server?.stop();
  });

  const ask = (path: string) => fetch(`http://127.0.0.1:${platform.adminPort}${path}`);

  test('is ready, then alive and not ready, then ready again', async () => {
    const ready = await ask('/readyz');
    assert.equal(ready.status, 200);
    assert.equal(ready.headers.get('content-type'), 'application/json');
    assert.deepEqual(await ready.json(), { ready: true, reasons: [] });

    await server.halt();
    const away = await ask('/readyz');
    assert.equal(away.status, 503);
    const { ready: isReady, reasons } = (await away.json()) as {
      ready: boolean;
      reasons: { reason: string; message: string }[];
    };
    assert.equal(isReady, false);
    assert.equal(reasons[0]?.reason, 'store_away');
    assert.match(reasons[0]?.message ?? '', /the database cannot be read/);
    assert.doesNotMatch(JSON.stringify(reasons), /correct-horse/, 'no password');
    assert.equal((await ask('/healthz')).status, 200, 'alive');

    await server.resume();
    await eventually(async () => assert.equal((await ask('/readyz')).status, 200));
  });
});

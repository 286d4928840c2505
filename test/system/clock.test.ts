/** What is seen of a clock that was ahead for a moment. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/store.ts';
import { eventually, Platform } from '../harness/index.ts';

const DAY_MS = 24 * 3_600_000;

test('ids that are ahead of the clock: the daemon serves, and says so to its operator', async (context) => {
  const platform = await Platform.start();
  context.after(() => platform.stop());
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${platform.adminPort}/readyz`);
    return { status: answer.status, text: await answer.text() };
  };
  const allIsWell = { status: 200, text: '{"ready":true,"reasons":[],"warnings":[]}\n' };
  // A machine that stands still for two seconds is not ready, either.
  await eventually(async () => assert.deepEqual(await ready(), allIsWell));

  await platform.daemon.stop();
  const now = () => Date.now() + DAY_MS;
  const store = await openSqliteStore({ path: join(platform.dataDir, 'underpass.db'), now });
  await store.write((newId) => [
    {
      op: 'insert',
      id: newId('nt'),
      account: '',
      kind: 'note',
      parent: null,
      body: {},
      links: [],
      names: [],
    },
  ]);
  await store.close();
  await platform.restart();

  await eventually(async () => {
    const { status, text } = await ready();
    assert.equal(status, 200);
    assert.match(text, /"warnings":\[\{"warning":"clock_ahead","message":"the newest id is of /);
  });
  await platform.daemon.line(/the newest id is of .* ahead of this machine's clock/);
  const created = await platform.api('POST', '/reserved_domains', { name: 'tomorrow' });
  assert.equal(created.status, 201, created.text);
});

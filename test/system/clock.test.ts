/** Effects of a clock that jumps, and of one that was ahead for a moment. */
import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/store.ts';
import { eventually, Platform } from '../harness/index.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { httpsEdge } from './attacks.fixture.ts';
import { EndlessUpstream, Line } from './edge-changes.fixture.ts';

const DAY_MS = 24 * 3_600_000;
const API_RATE_LIMIT = 30;

/** Starts a daemon whose clock is ahead by the given time. */
async function onClock(context: TestContext) {
  const folder = temporaryFolder('underpass-clock-');
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'ahead');
  const ahead = (ms: number) => writeFileSync(file, String(ms));
  ahead(0);
  const preload = import.meta.resolve('../harness/moved-clock.ts');
  const through = ['env', `CLOCK_FILE=${file}`, `NODE_OPTIONS=--import=${preload}`];
  const platform = await Platform.start({ apiRateLimit: API_RATE_LIMIT, through });
  context.after(() => platform.stop());
  return { platform, ahead };
}

test('V9: a clock that jumps a day on and back ends nothing, frees no limit, and leaves no name without a certificate', async (context) => {
  const { platform, ahead } = await onClock(context);
  const upstream = await EndlessUpstream.start();
  context.after(() => upstream.stop());
  const name = (label: string) => `${label}.underpass.localhost`;
  await platform.agent(['http', `127.0.0.1:${upstream.port}`, '--domain', name('agent')]);
  const { json: answer } = await platform.api('POST', '/backends/http_response', { body: 'fixed' });
  const labels = ['known', 'new-on', 'new-back'] as const;
  for (const label of labels) await httpsEdge(platform, label, answer.id);
  const lines = await Promise.all(
    (['websocket', 'stream', 'http2'] as const).map((kind) =>
      Line.open(kind, platform, upstream, name('agent')),
    ),
  );
  context.after(() => {
    for (const line of lines) line.close();
  });
  const serves = async (label: string) => assert.equal((await platform.visit(name(label))).text, 'fixed');
  await serves('known');

  for (const [days, label] of [
    [1, 'new-on'],
    [-1, 'new-back'],
  ] as const) {
    ahead(days * DAY_MS);
    await eventually(async () => {
      const { headers } = await platform.visit(name('known'));
      const shown = Date.parse(String(headers.date)) - Date.now();
      assert.ok(Math.abs(shown - days * DAY_MS) < 60_000, `its clock has jumped: ${headers.date}`);
    });
    await Promise.all(lines.map((line) => line.lives()));
    // A client with another clock may find its certificate not valid yet, until the jump.
    const first = await platform.client.tls(name(label)).catch((error: Error) => error);
    if (first instanceof Error) assert.match(first.message, /not yet valid/);
    else first.destroy();
    ahead(0);
    await serves(label);
    await serves('known');
  }
  await Promise.all(lines.map((line) => line.lives()));
  await Line.open('websocket', platform, upstream, name('agent')).then((line) => line.close());

  const asked = () => platform.api('GET', '/reserved_domains');
  for (let count = 0; (await asked()).status !== 429; count += 1) assert.ok(count <= API_RATE_LIMIT);
  for (const days of [1, -1, 0]) {
    ahead(days * DAY_MS);
    const { status, headers } = await asked();
    assert.equal(status, 429);
    assert.ok(Number(headers['retry-after']) <= 60, 'nobody waits for a day');
  }
});

test('ids that are ahead of the clock: the daemon serves, and says so to its operator', async (context) => {
  const platform = await Platform.start();
  context.after(() => platform.stop());
  const ready = async () => {
    const answer = await fetch(`http://127.0.0.1:${platform.adminPort}/readyz`);
    return { status: answer.status, text: await answer.text() };
  };
  const allIsWell = { status: 200, text: '{"ready":true,"reasons":[],"warnings":[]}\n' };
  // A machine that pauses for two seconds is not ready, either.
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

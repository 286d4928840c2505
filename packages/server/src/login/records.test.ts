import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { until } from '../../../../test/harness/until.ts';
import { documentsIn } from '../documents/store.ts';
import { onBothStores } from '../resources/both-stores.fixture.ts';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import { LoginRecords } from './records.ts';

const log = pino({ level: 'silent' });

onBothStores((open) => {
  test('a login is used once, whichever daemon is asked and however many at a time', async (t) => {
    const { daemons } = await twoDaemons(t, open);
    const [one, other] = daemons;
    const outcomes = await Promise.all([
      one.use('flow a', 1000),
      other.use('flow a', 1000),
      one.use('flow a', 1000),
    ]);
    assert.deepEqual(outcomes.sort(), [false, false, true]);
    assert.equal(await other.use('flow b', 1000), true);
  });

  test('what ends on one daemon ends on all, unless it began later', async (t) => {
    const { daemons, clock } = await twoDaemons(t, open);
    const [one, other] = daemons;
    clock.now = 50;
    await one.end('session a', 1000);
    await until(() => other.isEnded('session a', 50));
    assert.equal(one.isEnded('session a', 10), true);
    assert.equal(other.isEnded('session a', 51), false);
    assert.equal(other.isEnded('session b', 10), false);
    clock.now = 80;
    await other.end('session a', 1000);
    await until(() => one.isEnded('session a', 80));
  });

  test('records are forgotten when nothing can be refused for them any more', async (t) => {
    const { daemons, clock, count } = await twoDaemons(t, open);
    const [one, other] = daemons;
    await one.use('flow a', 100);
    await one.end('session a', 200);
    await until(() => other.isEnded('session a', 0));
    clock.now = 99;
    await Promise.all([one.sweep(), other.sweep()]);
    assert.equal(await count(), 2);
    assert.equal(await one.use('flow a', 100), false);
    clock.now = 100;
    await Promise.all([one.sweep(), other.sweep()]);
    assert.equal(await count(), 1);
    clock.now = 200;
    await Promise.all([one.sweep(), other.sweep()]);
    assert.equal(await count(), 0);
    await until(() => !one.isEnded('session a', 0) && !other.isEnded('session a', 0));
  });

  test('what the store has no longer is forgotten: neither refused nor deleted again', async (t) => {
    const { daemons, clock, count, store } = await twoDaemons(t, open);
    const [one, other] = daemons;
    await one.end('session a', 100);
    await until(() => one.isEnded('session a', 0) && other.isEnded('session a', 0));
    const [record] = await store.page({ account: 'system', kind: 'login_record', limit: 1 });
    assert.ok(record !== undefined);
    const { id, kind, revision, account } = record;
    one.apply([{ id, kind, revision, account, document: null }]);
    other.reset([]);
    assert.deepEqual([one.isEnded('session a', 0), other.isEnded('session a', 0)], [false, false]);
    clock.now = 100;
    // Nothing is known of the record, so nothing deletes it.
    for (const daemon of daemons) await daemon.sweep();
    assert.equal(await count(), 1);
  });

  test('a daemon that has stopped follows no longer', async (t) => {
    const { daemons } = await twoDaemons(t, open);
    const [one, other] = daemons;
    await one.stop();
    await other.end('session a', 1000);
    await until(() => other.isEnded('session a', 0));
    assert.equal(one.isEnded('session a', 0), false);
  });

  test('V9: a clock that is ahead for a moment has nothing forgotten: not a login that was used, nor that a session has ended', async (t) => {
    const { daemons, clock, count } = await twoDaemons(t, open);
    const [one] = daemons;
    await one.use('flow a', 100);
    await one.end('session a', 200);
    clock.aheadMs = 24 * 60 * 60_000;
    await one.sweep();
    clock.aheadMs = 0;
    assert.equal(await one.use('flow a', 100), false);
    assert.equal(one.isEnded('session a', 0), true);
    clock.now = 200;
    await one.sweep();
    assert.equal(await count(), 0);
  });

  test('V9: what a daemon keeps that began with a clock behind is forgotten once the clock was set', async (t) => {
    const { daemons, clock, count } = await twoDaemons(t, open);
    const [one] = daemons;
    clock.aheadMs = 24 * 60 * 60_000;
    const now = clock.aheadMs;
    await one.use('flow a', now + 100);
    clock.now = 100;
    await one.sweep();
    await one.sweep();
    assert.equal(await count(), 0);
  });
});

async function twoDaemons(t: TestContext, open: OpenStore) {
  const opened = await open();
  const store = documentsIn(opened.store);
  const clock = { now: 0, aheadMs: 0 };
  const now = () => clock.now + clock.aheadMs;
  const start = () => LoginRecords.start({ store, log, now, uptime: () => clock.now });
  const daemons = [await start(), await start()] as const;
  t.after(async () => {
    await Promise.all(daemons.map((one) => one.stop()));
    await opened.dispose();
  });
  const count = async () => (await store.page({ account: 'system', kind: 'login_record', limit: 10 })).length;
  return { daemons, clock, count, store };
}

/** Last uses of keys, over two daemons on one database. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { eventually, until } from '../../../../test/harness/until.ts';
import { TestClock } from '../events/events.fixture.ts';
import { createEngine } from '../resources/engine/engine.ts';
import { collection, startPlatform } from '../resources/engine.fixture.ts';
import { StoreUnavailableError, type WriteOperation } from '../store/store.ts';
import { LastUses } from './last-uses.ts';

async function started(t: TestContext) {
  const platform = await startPlatform();
  t.after(() => platform.close());
  const clock = { now: Date.parse('2030-01-01T00:00:00Z') };
  const timers = new TestClock();
  const writes: (readonly WriteOperation[])[] = [];
  let isAway = false;
  const store: Pick<typeof platform.store, 'notesAt' | 'write'> = {
    notesAt: (kind, account, keys) => platform.store.notesAt(kind, account, keys),
    write: (build) => {
      if (isAway) return Promise.reject(new StoreUnavailableError('away'));
      return platform.store.write((newId) => {
        const operations = build(newId);
        writes.push(operations);
        return operations;
      });
    },
  };
  const daemon = () => {
    const log = pino({ level: 'silent' });
    const uses = new LastUses({ store, now: () => clock.now, after: timers.after, log });
    const { settings, online, sealer } = platform;
    const engine = createEngine({ store: platform.store, settings, online, sealer, uses, now: Date.now });
    const show = (kind: string, id: string) => engine.get(collection(kind), platform.admin, id);
    return { uses, engine, show };
  };
  const away = (is: boolean) => {
    isAway = is;
  };
  return { platform, clock, timers, writes, daemon, away };
}

test('the last use is shown at once, by other daemons after the write, and after a restart', async (t) => {
  const { platform, clock, daemon } = await started(t);
  const { account } = platform.admin;
  const [one, other] = [daemon(), daemon()];
  for (const kind of ['api_key', 'credential']) {
    const { id } = await platform.create(kind, {});
    const seen = async (by = one) => {
      const { last_used_at, last_ip } = await by.show(kind, id);
      return [last_used_at, last_ip];
    };
    assert.deepEqual(await seen(), [null, '']);
    one.uses.used(account, id, '192.0.2.1');
    assert.deepEqual(await seen(), ['2030-01-01T00:00:00Z', '192.0.2.1']);
    assert.deepEqual(await seen(other), [null, '']);
    await one.uses.flush();
    assert.deepEqual(await seen(other), ['2030-01-01T00:00:00Z', '192.0.2.1']);
    clock.now += 2_000;
    other.uses.used(account, id, '192.0.2.2');
    clock.now += 1_000;
    one.uses.used(account, id, '192.0.2.3');
    await one.uses.flush();
    await other.uses.flush();
    const expected = ['2030-01-01T00:00:03Z', '192.0.2.3'];
    for (const by of [one, other, daemon()]) assert.deepEqual(await seen(by), expected, 'the latest wins');
    clock.now -= 3_000;
    const { items } = await one.engine.list(collection(kind), platform.admin, { limit: 10 });
    assert.equal(items[0]?.last_ip, '192.0.2.3');
  }
});

test('many uses are one write, which changes no resource', async (t) => {
  const { platform, writes, daemon } = await started(t);
  const { uses, show } = daemon();
  const { id } = await platform.create('api_key', {});
  const { revision } = (await platform.store.get(id))!;
  for (let at = 0; at < 1_000; at++) uses.used(platform.admin.account, id, `192.0.2.${at % 200}`);
  await uses.flush();
  await uses.flush();
  assert.deepEqual(
    writes.map(({ length }) => length),
    [1],
  );
  assert.equal((await platform.store.get(id))!.revision, revision);
  await platform.update('api_key', id, { description: 'changed' });
  assert.equal((await show('api_key', id)).last_ip, '192.0.2.199', 'a change keeps it');
});

test('uses are written once a minute, until the daemon stops', async (t) => {
  const { platform, timers, writes, daemon } = await started(t);
  const { uses } = daemon();
  const { id } = await platform.create('api_key', {});
  uses.start();
  for (const at of [1, 2]) {
    await until(() => timers.nextMs !== null);
    uses.used(platform.admin.account, id, `192.0.2.${at}`);
    timers.pass(59_000);
    assert.equal(writes.length, at - 1);
    timers.pass(1_000);
    await eventually(() => assert.equal(writes.length, at));
  }
  await uses.stop();
  assert.equal(timers.nextMs, null);
});

test('uses during an outage are written after it, and those of a deleted key never', async (t) => {
  const { platform, daemon, away } = await started(t);
  const { uses, show } = daemon();
  const { account } = platform.admin;
  const [kept, gone] = [await platform.create('credential', {}), await platform.create('credential', {})];
  for (const { id } of [kept, gone]) uses.used(account, id, '192.0.2.1');
  away(true);
  await uses.flush();
  assert.equal((await show('credential', kept.id)).last_ip, '192.0.2.1');
  away(false);
  await platform.remove('credential', gone.id);
  await uses.stop();
  const left = await platform.store.notes({ kind: 'use', account, limit: 10 });
  assert.deepEqual(
    left.map(({ key }) => key),
    [kept.id],
  );
  await platform.remove('credential', kept.id);
  assert.deepEqual(await platform.store.notes({ kind: 'use', account, limit: 10 }), []);
});

test('an account sees no use of another one, also with its id', async (t) => {
  const { platform, daemon } = await started(t);
  const { uses } = daemon();
  const { id } = await platform.create('credential', {});
  uses.used(platform.admin.account, id, '192.0.2.1');
  assert.equal((await uses.of(platform.stranger.account, [id])).size, 0);
  await uses.flush();
  assert.equal((await uses.of(platform.stranger.account, [id])).size, 0);
});

/** Failovers between servers of their own, which lose commits. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { eventually, Postgres, postgresMissing, Relay } from '../../../../../test/harness/index.ts';
import { byId, create, read, replacement } from '../conformance/harness.fixture.ts';
import { Mirror } from '../conformance/mirror.fixture.ts';
import { follow } from '../follow.ts';
import type { Store, StoredDocument } from '../store.ts';
import { openPostgresStore } from './store.ts';

describe('a failover that lost commits', { skip: postgresMissing }, () => {
  /** Starts a primary, and a standby that has all writes of `before`. Later writes are lost. */
  async function start(context: TestContext) {
    const primary = await Postgres.start();
    const url = await primary.database();
    const name = new URL(url).pathname.slice(1);
    const relay = await Relay.start({ port: primary.port, delayMs: () => 0 });
    const late = new URL(url);
    late.port = String(relay.port);
    const said: string[] = [];
    const store = await openPostgresStore({
      url: late.href,
      pollMs: 100,
      onOtherHistory: (message) => said.push(message),
    });
    const mirror = new Mirror();
    const { stop } = await follow(store, ['thing'], mirror, { onError: () => {} });
    const kept = await create(store, { body: { v: 'kept' } });
    const both = await create(store, { body: { v: 'both' } });
    const standby = await primary.standby();
    context.after(async () => {
      await stop();
      await store.close();
      await relay.stop();
      await primary.stop();
      await standby.stop();
    });
    // The standby has all of `before`. From now on it receives nothing.
    const target = standby.url(name);
    await eventually(async () => {
      const [row] = await standby.query(target, 'SELECT revision FROM underpass.state');
      assert.equal(Number(row?.revision), both.revision);
    });
    await standby.halt();
    const failOver = async () => {
      relay.lead(null);
      relay.cut();
      await primary.halt('SIGKILL');
      await standby.resume();
      await standby.promote();
    };
    return { store, mirror, stop, said, kept, both, relay, standby, target, failOver };
  }

  async function truthOf(target: string): Promise<Map<string, StoredDocument>> {
    const other = await openPostgresStore({ url: target });
    try {
      return byId((await other.snapshot(['thing'])).documents);
    } finally {
      await other.close();
    }
  }

  async function writes(store: Store): Promise<StoredDocument> {
    let written: StoredDocument | null = null;
    // The first write on the other history is refused. The next one succeeds.
    await eventually(async () => {
      written = await create(store, { body: { v: 'after' } });
    });
    return written!;
  }

  test('a daemon that reconnects late has what the database has, and says so', async (context) => {
    const { store, mirror, said, kept, both, relay, standby, target, failOver } = await start(context);
    await store.write(() => [replacement(both, { body: { v: 'lost' } })]);
    const lost = await create(store, { body: { v: 'lost' } });
    await failOver();
    const early = await openPostgresStore({ url: target });
    context.after(() => early.close());
    await early.write(() => [replacement(both, { body: { v: 'early' } })]);
    const other = await create(early, { body: { v: 'early' } });
    // Lost revisions and positions are not assigned again.
    assert.ok(other.revision > lost.revision + 1_000);
    assert.equal(mirror.documents.get(both.id)?.body.v, 'lost', 'it cannot know yet');

    relay.lead(standby.port);
    // Ids are unique only within one history: `other` may have the id of `lost`.
    await mirror.until(() => mirror.documents.get(other.id)?.revision === other.revision);
    assert.deepEqual(mirror.documents, await truthOf(target));
    assert.equal(mirror.documents.get(both.id)?.body.v, 'early');
    assert.notEqual(mirror.documents.get(lost.id)?.body.v, 'lost');
    assert.deepEqual(mirror.documents.get(kept.id), await read(early, kept.id));
    const written = await writes(store);
    assert.ok(written.id > lost.id, 'ids do not go back');
    assert.equal(said.length, 1, said.join('\n'));
  });

  test('the same revision with other content, from a daemon that skips nothing: that is noticed, too', async (context) => {
    const { store, stop, said, both, relay, standby, target, failOver } = await start(context);
    const revision = await store.write(() => [replacement(both, { body: { v: 'lost' } })]);
    // A follower could find the other history before the write does.
    await stop();
    await failOver();
    // Writes like a daemon of an older version, which knows no marks. The database adds one.
    await standby.query(
      target,
      `BEGIN;
       UPDATE underpass.documents SET body = '{"v":"other"}', revision = ${revision} WHERE id = '${both.id}';
       INSERT INTO underpass.changes VALUES (${revision}, '${both.id}', '${both.account}', 'thing', false);
       UPDATE underpass.state SET revision = ${revision};
       COMMIT`,
    );
    relay.lead(standby.port);
    // A write that builds on lost state is refused, even if the revision is the same.
    await eventually(async () => {
      await assert.rejects(
        store.write(() => [replacement({ ...both, revision }, { body: { v: 'built on what was lost' } })]),
        (error: Error) => /another history|stale/.test(error.message),
      );
    });
    const mirror = new Mirror();
    const again = await follow(store, ['thing'], mirror, { onError: () => {} });
    context.after(() => again.stop());
    assert.equal(mirror.documents.get(both.id)?.body.v, 'other');
    await writes(store);
    assert.deepEqual(mirror.documents, await truthOf(target));
    assert.ok(said.length >= 1);
  });

  test('one that lost nothing lists anew, and goes on writing', async (context) => {
    const { store, mirror, relay, standby, target, failOver } = await start(context);
    await failOver();
    relay.lead(standby.port);
    await writes(store);
    await mirror.until(() => mirror.documents.size === 3);
    assert.deepEqual(mirror.documents, await truthOf(target));
  });

  test('of several hosts the promoted one is found, and the daemon goes on', async (context) => {
    const primary = await Postgres.start();
    const url = await primary.database();
    const standby = await primary.standby();
    const hosts = `@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/`;
    let moves = 0;
    const store = await openPostgresStore({
      url: url.replace(/@[^/]*\//, hosts),
      pollMs: 100,
      onOtherServer: () => {
        moves += 1;
      },
    });
    const mirror = new Mirror();
    const { stop } = await follow(store, ['thing'], mirror, { onError: () => {} });
    context.after(async () => {
      await stop();
      await store.close();
      await Promise.all([primary.stop(), standby.stop()]);
    });
    const before = await create(store);
    const target = standby.url(new URL(url).pathname.slice(1));
    await eventually(async () => {
      const rows = await standby.query(target, `SELECT FROM underpass.documents WHERE id = '${before.id}'`);
      assert.equal(rows.length, 1);
    });
    await primary.halt('SIGKILL');
    await standby.promote();
    const after = await writes(store);
    await mirror.until(() => mirror.documents.size === 2);
    assert.ok(mirror.documents.has(before.id) && mirror.documents.has(after.id));
    assert.equal(moves, 1);
  });

  test('a queue that grew in the other history is named', async (context) => {
    const { store, both, relay, standby, target, failOver } = await start(context);
    const enqueue = (body: string) =>
      [{ op: 'enqueue', account: both.account, parent: both.id, text: JSON.stringify({ body }) }] as const;
    const watching = new AbortController();
    const feed = store.watchQueues(watching.signal)[Symbol.asyncIterator]();
    assert.equal((await feed.next()).value, null);
    await store.write(() => enqueue('lost'));
    assert.deepEqual((await feed.next()).value, [both.id]);
    // A watch ends while the database is away. The next one begins with null, for all queues.
    const next = feed.next().catch(() => ({ value: null }));
    await failOver();
    const early = await openPostgresStore({ url: target });
    context.after(() => early.close());
    await early.write(() => enqueue('early'));
    relay.lead(standby.port);
    const { value } = await next;
    assert.ok(value === null || value?.includes(both.id));
    await eventually(async () => {
      const queued = await store.queue({ account: both.account, parent: both.id, limit: 10 });
      assert.deepEqual(
        queued.map(({ body }) => body.body),
        ['early'],
      );
    });
    watching.abort();
    await feed.next();
  });

  test('connections to the earlier primary, which still runs, are left as soon as one leads to the new one', async (context) => {
    const { store, mirror, relay, standby, target } = await start(context);
    await standby.resume();
    await standby.promote();
    const early = await openPostgresStore({ url: target });
    context.after(() => early.close());
    const other = await create(early, { body: { v: 'early' } });
    relay.lead(standby.port);
    // More readers than are open, so that one of them is new.
    await eventually(async () => {
      const found = await Promise.all(Array.from({ length: 6 }, () => store.get(other.id)));
      assert.ok(found.every((document) => document !== null));
    });
    await mirror.until(() => mirror.documents.has(other.id));
  });
});

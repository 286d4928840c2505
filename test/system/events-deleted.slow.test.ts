/**
 * Fifty thousand waiting events of a deleted destination.
 * Invariant: none is sent or stays, however the daemon ends.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSqliteStore } from '../../packages/server/src/store/sqlite/store.ts';
import type { Store, WriteOperation } from '../../packages/server/src/store/store.ts';
import { Platform } from '../harness/index.ts';
import { eventually } from '../harness/until.ts';
import { Intake } from './event-intake.fixture.ts';

const ALL = 50_000;
const AT_ONCE = 5_000;
const type = 'ip_policy_created.v0';

async function fill(store: Store, account: string, parent: string, subscription: string): Promise<void> {
  for (let filled = 0; filled < ALL; filled += AT_ONCE)
    await store.write((newId) =>
      Array.from({ length: AT_ONCE }, (): WriteOperation => {
        const event_id = newId('ev');
        const envelope = JSON.stringify({ event_id, event_type: type, object: { description: 'deleted' } });
        const body = { event_id, type, resource: '', envelope, subscription_ids: [subscription] };
        return { op: 'enqueue', account, parent, text: JSON.stringify(body) };
      }),
    );
}

test('what waits for a deleted destination goes unsent, whenever the daemon is killed', async () => {
  const intake = new Intake();
  intake.isAway = true;
  const args = ['--monitoring-intake-url', await intake.start()];
  const platform = await Platform.start({ args, apiRateLimit: 0 });
  const create = async (path: string, body: object): Promise<string> => {
    const { status, text, json } = await platform.api('POST', path, body);
    assert.equal(status, 201, text);
    return json.id;
  };
  /** Looks into the database after a kill -9. */
  const killed = (look: (store: Store) => Promise<void>) =>
    platform.killAndRestart(async () => {
      const store = await openSqliteStore({ path: join(platform.dataDir, 'underpass.db') });
      await look(store);
      await store.close();
    });
  const target = { monitoring: { api_key: 'not-a-real-key' } };
  const [destination, other] = [
    await create('/event_destinations', { format: 'json', target }),
    await create('/event_destinations', { format: 'json', target }),
  ];
  const subscription = await create('/event_subscriptions', {
    sources: [{ type }],
    destination_ids: [destination],
  });
  const account = platform.bootstrap.account_id;
  await killed((store) => fill(store, account, destination, subscription));

  const path = `/event_subscriptions/${subscription}`;
  assert.equal((await platform.api('PATCH', path, { destination_ids: [other] })).status, 200);
  assert.equal((await platform.api('DELETE', `/event_destinations/${destination}`)).status, 204);
  intake.isAway = false;
  const policies: string[] = [];
  for (let isLeft = true; isLeft; ) {
    for (let made = 0; made < 30; made++)
      policies.push(await create('/ip_policies', { description: 'meanwhile' }));
    await killed(async (store) => {
      isLeft = await store.hasDeletedQueues();
    });
  }
  await eventually(() => assert.equal(intake.distinct.length, policies.length));
  assert.deepEqual(
    intake.distinct.map(({ object }) => object.id),
    policies,
    'each was made, told of, and nothing else was',
  );
  await platform.stop();
  await intake.stop();
});

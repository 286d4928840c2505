import assert from 'node:assert/strict';
import { test } from 'node:test';
import { eventually } from '../../../../test/harness/until.ts';
import { startEvents } from './events.fixture.ts';

const TYPE = 'ip_policy_created.v0';

test('a deleted subscription or destination gets no more events, and others do', async (t) => {
  const events = await startEvents();
  t.after(() => events.close());
  const node = await events.startNode();
  const { account } = events.platform.admin;
  const [kept, given] = [await events.destination(), await events.destination()];
  const own = await events.subscribe([TYPE], [kept, given]);
  const other = await events.subscribe([TYPE], [kept]);
  const told = () => [...node.subscriptions.interestedIn(account, TYPE)];
  await eventually(() =>
    assert.deepEqual(told(), [
      [kept, [own, other]],
      [given, [own]],
    ]),
  );
  let changes = 0;
  node.subscriptions.onChange(() => {
    changes += 1;
  });

  await events.remove('event_subscription', own);
  await eventually(() => assert.deepEqual(told(), [[kept, [other]]]));
  assert.equal(node.subscriptions.has(account, own), false);
  await events.remove('event_destination', given);
  await eventually(() => assert.deepEqual([...node.subscriptions.destinations.keys()], [kept]));
  await events.remove('event_subscription', other);
  await eventually(() => assert.deepEqual(told(), []));
  assert.equal(node.subscriptions.has(account, other), false);
  assert.ok(changes >= 3);

  await node.stop();
  const before = changes;
  await events.subscribe([TYPE], [kept]);
  // The platform's own follower has seen the change by then.
  const seen = await events.startNode();
  await eventually(() => assert.equal(seen.subscriptions.interestedIn(account, TYPE).size, 1));
  assert.equal(changes, before, 'one that is stopped follows nothing');
});

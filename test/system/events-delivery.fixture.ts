/** Tests of event delivery for all databases. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Platform } from '../harness/index.ts';
import { eventually } from '../harness/until.ts';
import { Intake } from './event-intake.fixture.ts';

/** Database of a daemon. */
export interface Database {
  /** Arguments of the daemon. */
  readonly args: readonly string[];
  stop(): Promise<void>;
}

export function delivers(
  where: string,
  options: { readonly skip?: string | false },
  open: () => Promise<Database>,
): void {
  describe(where, options, () => {
    const intake = new Intake();
    let database: Database;
    let platform: Platform;
    let destination: string;

    before(async () => {
      database = await open();
      const url = await intake.start();
      platform = await Platform.start({ args: [...database.args, '--monitoring-intake-url', url] });
      destination = await create('/event_destinations', {
        format: 'json',
        target: { monitoring: { api_key: 'not-a-real-key' } },
      });
      const sources = ['created', 'updated', 'deleted'].map((verb) => ({ type: `ip_policy_${verb}.v0` }));
      await create('/event_subscriptions', { sources, destination_ids: [destination] });
    });
    after(async () => {
      await platform.stop();
      await intake.stop();
      await database.stop();
    });

    async function create(path: string, body: object): Promise<string> {
      const answer = await platform.api('POST', path, body);
      assert.equal(answer.status, 201, answer.text);
      return answer.json.id;
    }

    test('each change arrives, in its order', async () => {
      const policy = await create('/ip_policies', { description: 'one' });
      await platform.api('PATCH', `/ip_policies/${policy}`, { description: 'two' });
      await platform.api('DELETE', `/ip_policies/${policy}`);
      await eventually(() => assert.equal(intake.received.length, 3));
      assert.deepEqual(
        intake.received.map(({ event_type, object }) => [event_type, object.id, object.description]),
        [
          ['ip_policy_created.v0', policy, 'one'],
          ['ip_policy_updated.v0', policy, 'two'],
          ['ip_policy_deleted.v0', policy, 'two'],
        ],
      );
    });

    test('a test event goes to the target at once, and what the target says is answered', async () => {
      intake.received.length = 0;
      const path = `/event_destinations/${destination}`;
      const { status, json } = await platform.api('POST', `${path}/test`);
      assert.equal(status, 200);
      const [event] = intake.received;
      assert.equal(event?.event_type, 'event_destination_test.v0');
      assert.deepEqual(json, { event_id: event?.event_id });
      assert.deepEqual(event?.object, (await platform.api('GET', path)).json);
      intake.isAway = true;
      const failed = await platform.api('POST', `${path}/test`);
      intake.isAway = false;
      assert.equal(failed.status, 409);
      assert.match(failed.json.msg, /answered 503/);
      assert.equal(intake.received.length, 1, 'it is tried once');
      // Events of changes leave the backlog a moment after they arrived.
      await eventually(async () => {
        const shown = await platform.api('GET', `${path}/status`);
        assert.deepEqual([shown.status, shown.json.backlog, shown.json.last_error], [200, 0, '']);
      });
    });

    test('what was answered before a kill -9 arrives after it, in its order, with the same ids', async () => {
      intake.received.length = 0;
      const policies: string[] = [];
      const updates: string[] = [];
      for (let round = 0; round < 3; round++) {
        // Away when the daemon dies in one round, in the middle of taking events in the others.
        intake.isAway = round === 0;
        const made = Array.from({ length: 100 }, () => create('/ip_policies', { description: `${round}` }));
        policies.push(...(await Promise.all(made)));
        const [policy = ''] = policies;
        for (let at = 0; at < 5; at++) {
          const description = `${round} ${at}`;
          await platform.api('PATCH', `/ip_policies/${policy}`, { description });
          updates.push(description);
        }
        await platform.killAndRestart();
      }
      await eventually(() => assert.equal(intake.distinct.length, policies.length + updates.length), 60_000);
      const own = intake.distinct.filter(({ object }) => object.id === policies[0]);
      assert.deepEqual(
        own.map(({ object }) => object.description),
        ['0', ...updates],
      );
      const created = intake.distinct.filter(({ event_type }) => event_type === 'ip_policy_created.v0');
      assert.deepEqual(created.map(({ object }) => object.id).sort(), [...policies].sort());
    });
  });
}

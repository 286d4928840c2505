import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';
import { eventually, until } from '../../../../../test/harness/until.ts';
import { away, type EventPlatform, Sink, startEvents } from '../../events/events.fixture.ts';
import { contractChecked } from '../contract-checked.fixture.ts';
import { collection, refused } from '../engine.fixture.ts';

let events: EventPlatform;
afterEach(() => events.close());

const destinations = collection('event_destination');
const statusOf = (id: string) =>
  contractChecked(events.engine).view(destinations, events.platform.admin, id, 'status');
const testOf = (id: string, as = events.platform.admin) =>
  contractChecked(events.engine).act(destinations, as, id, 'test');

const untouched = {
  last_success_at: null,
  last_error: '',
  last_error_at: null,
  next_attempt_at: null,
  backlog: 0,
  oldest_age_seconds: null,
  failed_count: 0,
  external_id: null,
};

test('how delivery stands is shown while events wait, when they were given up, and when all is well again', async () => {
  events = await startEvents();
  const sink = new Sink();
  sink.answer = () => away;
  const destination = await events.destination(sink);
  assert.deepEqual(await statusOf(destination), untouched);
  await events.subscribe(['ip_policy_created.v0'], [destination]);
  await events.startNode();
  for (const _ of [1, 2, 3]) await events.create('ip_policy', {});
  await until(() => sink.batches === 1 && events.clock.nextMs !== null);
  const failing = await statusOf(destination);
  assert.equal(failing.last_error, 'it is away');
  assert.equal(failing.last_success_at, null);
  assert.equal(failing.backlog, 3);
  assert.ok(Number(failing.oldest_age_seconds) < 60);
  assert.ok(String(failing.next_attempt_at) >= String(failing.last_error_at));

  await eventually(async () => {
    events.clock.pass(events.clock.nextMs ?? 0);
    const { failed_count, backlog, next_attempt_at } = await statusOf(destination);
    assert.deepEqual([failed_count, backlog, next_attempt_at], [3, 0, null]);
  });

  sink.answer = () => ({ result: 'taken' });
  await events.create('ip_policy', {});
  await eventually(async () => {
    const well = await statusOf(destination);
    assert.ok(String(well.last_success_at) >= String(well.last_error_at));
    assert.equal(well.oldest_age_seconds, null);
  });
});

test('the external id of a role is the account, and a key has none', async () => {
  events = await startEvents();
  const at = 'arn:aws:kinesis:eu-west-1:123456789012:stream/events';
  const create = (auth: object) =>
    events.create('event_destination', {
      format: 'json',
      target: { stream: { auth, stream_identifier: at } },
    } as never);
  const creds = { cloud_access_key_id: 'AKIA', cloud_secret_access_key: 'secret' };
  const role = { role_identifier: 'arn:aws:iam::123456789012:role/events' };
  assert.equal((await statusOf(await create({ creds }))).external_id, null);
  const { account } = events.platform.admin;
  assert.deepEqual(await statusOf(await create({ role })), { ...untouched, external_id: account });
});

test('a test of what cannot be reached is answered with the reason, and changes nothing', async () => {
  events = await startEvents();
  const destination = await events.destination();
  const before = await statusOf(destination);
  const problem = await refused(testOf(destination), 'eventTestFailed');
  assert.match(problem.message, /127\.0\.0\.1:1 refuses connections/);
  assert.deepEqual(await statusOf(destination), before);
});

test('other accounts can neither see nor test a destination', async () => {
  events = await startEvents();
  const { stranger } = events.platform;
  const destination = await events.destination();
  await refused(testOf(destination, stranger), 'resourceNotFound');
  await refused(events.engine.view(destinations, stranger, destination, 'status'), 'resourceNotFound');
});

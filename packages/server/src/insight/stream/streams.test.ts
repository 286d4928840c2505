/** Tests of streams of events, over a store in memory. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { Problem } from '../../errors/problem.ts';
import { factsAt } from '../../online/tunnels.fixture.ts';
import { type FakeClient, startStreams } from './streams.fixture.ts';

async function ready(client: FakeClient): Promise<void> {
  await until(() => client.named('ready').length > 0);
}

function raises(act: () => unknown, code: string): void {
  assert.throws(act, (error) => error instanceof Problem && error.code === code);
}

test('changes of the account arrive in their order, and nothing of another account', async (t) => {
  const { open, create, update, remove } = await startStreams(t);
  const [home, abroad] = [open('ac_1'), open('ac_2')];
  await Promise.all([ready(home), ready(abroad)]);
  const id = await create('ac_1');
  await update(id);
  await remove(id);
  assert.deepEqual(home.changes, [
    ['tls_edge', id, 'created'],
    ['tls_edge', id, 'updated'],
    ['tls_edge', id, 'deleted'],
  ]);
  assert.deepEqual(abroad.changes, []);
  assert.ok(!abroad.text.includes(id));
});

test('a client continues after its last event, in the same order', async (t) => {
  const { open, create, update, remove } = await startStreams(t);
  const first = open('ac_1');
  await ready(first);
  const old = await create('ac_1');
  const { lastEventId } = first;
  first.writer?.gone();
  const missed = await create('ac_1');
  await create('ac_2');
  await remove(old);
  const second = open('ac_1', { lastEventId });
  await ready(second);
  await update(missed);
  assert.deepEqual(second.changes, [
    ['tls_edge', missed, 'created'],
    ['tls_edge', old, 'deleted'],
    ['tls_edge', missed, 'updated'],
  ]);
  assert.equal(second.named('reset').length, 0);
  const revisions = second.named('change').map(({ data }) => Number(data.revision));
  assert.deepEqual(
    revisions,
    revisions.toSorted((a, b) => a - b),
  );
});

test('no change between an event and the reconnect is missed or repeated, under writes', async (t) => {
  const { open, create } = await startStreams(t);
  const ids: string[] = [];
  const got: unknown[] = [];
  let client = open('ac_1');
  await ready(client);
  for (let round = 0; round < 40; round += 1) {
    const writes = [create('ac_1'), create('ac_2'), create('ac_1')];
    if (round % 3 === 0) {
      const { lastEventId } = client;
      got.push(...client.changes);
      client.writer?.gone();
      client = open('ac_1', { lastEventId });
    }
    const [one = '', , other = ''] = await Promise.all(writes);
    ids.push(one, other);
  }
  await ready(client);
  await until(() => got.length + client.changes.length >= ids.length);
  assert.deepEqual(
    [...got, ...client.changes],
    ids.map((id) => ['tls_edge', id, 'created']),
  );
});

test('an id that cannot be continued from gets a reset', async (t) => {
  const { open, create } = await startStreams(t);
  for (const lastEventId of ['nonsense', '999999-0', '-1', '1-1-x', '9'.repeat(400)]) {
    const client = open('ac_1', { lastEventId });
    await ready(client);
    const [first, second] = client.events;
    assert.deepEqual(
      [first?.event, first?.data.reason, second?.event],
      ['reset', 'too_old', 'ready'],
      lastEventId,
    );
    const id = await create('ac_1');
    assert.deepEqual(client.changes, [['tls_edge', id, 'created']]);
    client.writer?.gone();
  }
});

test('a client that does not read loses the oldest events, and receives their number', async (t) => {
  const { open, create } = await startStreams(t);
  const client = open('ac_1');
  await ready(client);
  client.isReading = false;
  for (let count = 0; count < 700; count += 1) await create('ac_1');
  const before = client.changes.length;
  assert.ok(before <= 1, 'what is not read is not written');
  client.resume();
  const [dropped] = client.named('dropped');
  assert.deepEqual(dropped?.data.topics, ['changes']);
  assert.equal(Number(dropped?.data.count) + client.changes.length, 700);
  assert.ok(client.changes.length >= 400, String(client.changes.length));
});

test('a stream ends with its key, its user and its source, and others go on', async (t) => {
  const { open, create, remove, streams } = await startStreams(t);
  const user = await create('ac_1', 'user');
  const [one, other] = [open('ac_1'), open('ac_1')];
  await Promise.all([ready(one), ready(other)]);
  one.isIdentified = false;
  await remove(user);
  await until(() => one.isEnded);
  assert.deepEqual([other.isEnded, streams.size], [false, 1]);
  streams.recheckSources();
  assert.equal(other.isEnded, false);
  other.isAdmitted = false;
  streams.recheckSources();
  assert.deepEqual([other.isEnded, streams.size], [true, 0]);
});

test('a member receives no change that it may not see, and its stream ends with its role', async (t) => {
  const { open, create, update, remove } = await startStreams(t);
  const owner = await create('ac_1', 'user');
  const [admin, member] = [open('ac_1'), open('ac_1', { role: 'member', owner })];
  await Promise.all([ready(admin), ready(member)]);
  const key = await create('ac_1', 'api_key');
  await remove(key);
  const seen = await create('ac_1');
  assert.deepEqual(admin.changes.length, 3);
  assert.deepEqual(member.changes, [['tls_edge', seen, 'created']]);
  assert.ok(!member.text.includes(key));
  await update(owner);
  assert.deepEqual([member.isEnded, admin.isEnded], [true, false]);
});

test('a key that is deleted while its stream opens ends it', async (t) => {
  const { open } = await startStreams(t);
  const client = open('ac_1');
  client.isIdentified = false;
  await until(() => client.isEnded);
});

test('places are limited for an account and in all, and come back', async (t) => {
  const { open, streams } = await startStreams(t, { limits: { perAccount: 2, inAll: 3 } });
  const clients = [open('ac_1'), open('ac_1')];
  raises(() => open('ac_1'), 'streamsOfAccount');
  clients.push(open('ac_2'));
  raises(() => open('ac_3'), 'streamsInAll');
  clients[0]?.writer?.gone();
  clients.push(open('ac_1'));
  for (const client of clients) client.writer?.gone();
  assert.equal(streams.size, 0);
});

test('an unknown topic is refused', async (t) => {
  const { open } = await startStreams(t);
  for (const topics of ['', 'change', 'changes,', 'changes,toString'])
    raises(() => open('ac_1', { topics }), 'streamTopicUnknown');
});

test('agents and tunnels that come, change and go are reported to their account', async (t) => {
  const { open, online } = await startStreams(t);
  const [home, abroad, other] = [open('ac_1'), open('ac_2'), open('ac_1', { topics: 'changes' })];
  await Promise.all([ready(home), ready(abroad), ready(other)]);
  const facts = { ...factsAt('https://app.example.com'), account: 'ac_1', id: 'tn_1' };
  const sessions = () => home.named('session').map(({ data }) => [data.kind, data.id, data.what]);
  online.liveTunnels.push(facts);
  await until(() => sessions().length === 1);
  online.liveTunnels[0] = { ...facts, metadata: 'new' };
  await until(() => sessions().length === 2);
  online.liveTunnels.pop();
  await until(() => sessions().length === 3);
  assert.deepEqual(
    sessions(),
    ['online', 'changed', 'offline'].map((what) => ['tunnel', 'tn_1', what]),
  );
  assert.deepEqual([abroad.named('session'), other.named('session')], [[], []]);
});

test('all streams end when the daemon stops, with a time for the reconnect', async (t) => {
  const { open, streams } = await startStreams(t);
  const client = open('ac_1');
  await ready(client);
  streams.end();
  assert.equal(client.isEnded, true);
  const ms = Number(/^retry: (\d+)$/m.exec(client.text)?.[1]);
  assert.ok(ms >= 500 && ms <= 3000, client.text);
  assert.equal(open('ac_1').isEnded, true, 'and no further one begins');
});

test('a database that goes away does not end streams, and one that opens meanwhile is tried again', async (t) => {
  const { open, store, streams } = await startStreams(t);
  const client = open('ac_1');
  await ready(client);
  await store.close();
  assert.equal(client.isEnded, false);
  client.writer?.gone();
  const late = open('ac_1');
  await until(() => late.isEnded);
  assert.match(late.text, /^retry: 10000$/m);
  assert.equal(streams.size, 0);
});

test('overviews are read once for all streams of an account, and sent if they differ', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const reads: string[] = [];
  let agents = 0;
  const overview = async (account: string) => {
    reads.push(account);
    return { account, agents, as_of: String(reads.length) };
  };
  const { open, failures } = await startStreams(t, { overview });
  const topics = 'overview';
  const [first, other, none] = [open('ac_1', { topics }), open('ac_2', { topics }), open('ac_2')];
  const sent = (client: FakeClient) =>
    client.named('overview').map(({ data }) => [data.account, data.agents]);
  await until(() => sent(first).length === 1 && sent(other).length === 1);
  assert.equal(first.events[0]?.event, 'ready');
  const late = open('ac_1', { topics });
  await until(() => sent(late).length === 1);
  assert.deepEqual(reads.toSorted(), ['ac_1', 'ac_2'], 'a late reader receives what is known');
  t.mock.timers.tick(1000);
  await until(() => reads.length === 4);
  agents = 1;
  t.mock.timers.tick(1000);
  await until(() => sent(first).length === 2 && sent(late).length === 2 && sent(other).length === 2);
  assert.deepEqual(sent(first), [
    ['ac_1', 0],
    ['ac_1', 1],
  ]);
  assert.ok(!other.text.includes('ac_1'));
  await ready(none);
  assert.deepEqual(sent(none), []);
  assert.equal(reads.length, 6);
  first.writer?.gone();
  late.writer?.gone();
  t.mock.timers.tick(1000);
  await until(() => reads.length === 7);
  assert.equal(reads.at(-1), 'ac_2', 'an account without readers costs nothing');
  assert.deepEqual(failures, []);
});

test('an overview that fails is read again, and the stream goes on', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let isGood = false;
  const overview = async () => {
    if (!isGood) throw new Error('no database');
    return { agents: 1 };
  };
  const { open, failures } = await startStreams(t, { overview });
  const client = open('ac_1', { topics: 'overview' });
  await until(() => failures.length === 1);
  await ready(client);
  isGood = true;
  t.mock.timers.tick(1000);
  await until(() => client.named('overview').length === 1);
  assert.ok(!client.isEnded);
});

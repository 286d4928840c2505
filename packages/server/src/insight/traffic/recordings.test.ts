/** Recordings end by the clock on every daemon, and their bodies are gone an hour later. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { eventually } from '../../../../../test/harness/until.ts';
import { documentsIn } from '../../documents/store.ts';
import type { BodyPlace, RecordedBodies } from '../../edge/sites/body-recording.ts';
import { factsAt } from '../../online/tunnels.fixture.ts';
import { operatorActor } from '../../resources/change-entry.ts';
import { createAccount } from '../../resources/new-account.ts';
import { MemoryStore } from '../../store/memory.fixture.ts';
import { BODIES_MS, type BodyLimits, BodyStore } from './recorded-bodies.ts';
import { beginWrites } from './recording-changes.ts';
import { recordingRuns } from './recording-runs.ts';
import { Recordings } from './recordings.ts';

const MINUTE = 60_000;
const by = { actor: operatorActor, operation: '', operationId: '' };
const site = { id: 'edghts_1', endpoint: '' };

function bodiesOf(place: BodyPlace, size = 4): RecordedBodies {
  const body = { bytes: Buffer.alloc(size, 'x'), size, type: 'text/plain', encoding: '' };
  return { place, request: body, response: null };
}

async function start(t: TestContext) {
  const clock = { now: Date.UTC(2030, 0, 1) };
  const now = () => clock.now;
  const memory = new MemoryStore({ now });
  const store = documentsIn(memory);
  const more = { name: 'A', email: '', description: '', actor: operatorActor };
  const { account_id: account } = await createAccount({ store, ...more });
  const startOne = async () => {
    const bodies = new BodyStore(now);
    const recordings = await Recordings.start({ store, bodies, now, log: pino({ level: 'silent' }) });
    t.after(() => recordings.stop());
    return { bodies, recordings };
  };
  const [one, other] = [await startOne(), await startOne()];
  const begin = async (minutes: number) => {
    const times = { begun_at: clock.now, ends_at: clock.now + minutes * MINUTE, ended_at: 0 };
    const body = { site: site.id, endpoint: '', owner_id: 'usr_1', ...times };
    let id = '';
    await store.write((newId) => {
      id = newId('rec');
      return beginWrites(newId, { id, account, parent: account, body }, 0, by);
    });
    await eventually(() => assert.ok(one.recordings.isOn && other.recordings.isOn));
    return id;
  };
  const changes = async () =>
    (await store.notes({ kind: 'change', account, limit: 100 }))
      .filter(({ body }) => body.kind === 'traffic_recording')
      .map(({ body }) => `${body.action} ${(body.actor as { type: string }).type}`);
  return { clock, store, account, one, other, begin, changes };
}

test('a recording ends by itself once, with an entry, and its bodies are gone an hour after their request', async (t) => {
  const { clock, store, account, one, other, begin, changes } = await start(t);
  const id = await begin(15);
  for (const { recordings, bodies } of [one, other]) {
    assert.equal(recordings.begin({ ...site, account: 'ac_other' }), null);
    assert.equal(recordings.begin({ ...site, account, id: 'edghts_2' }), null);
    const place = recordings.begin({ ...site, account });
    assert.equal(place?.isOpen, true);
    bodies.keep(account, 'req_1', bodiesOf(place));
  }
  clock.now += 15 * MINUTE - 1;
  const last = one.recordings.begin({ ...site, account })!;
  clock.now += 1;
  assert.equal(last.isOpen, false);
  one.bodies.keep(account, 'req_2', bodiesOf(last));
  assert.equal(other.recordings.begin({ ...site, account }), null);
  await Promise.all([one.recordings.sweep(), other.recordings.sweep()]);
  await eventually(() => assert.ok(!one.recordings.isOn && !other.recordings.isOn));
  assert.deepEqual(await changes(), ['deleted daemon', 'created operator']);
  assert.ok(one.bodies.has(account, 'req_1') && other.bodies.has(account, 'req_1'));
  assert.equal(one.bodies.find('ac_other', 'req_1'), null);
  clock.now += BODIES_MS - 15 * MINUTE;
  assert.deepEqual([one.bodies.find(account, 'req_1'), one.bodies.has(account, 'req_2')], [null, true]);
  clock.now += 15 * MINUTE;
  await Promise.all([one.recordings.sweep(), other.recordings.sweep()]);
  await eventually(async () => assert.equal(await store.get(id), null));
  assert.deepEqual([one.bodies.bytes, other.bodies.bytes], [0, 0]);
  assert.equal((await changes()).length, 2);
});

test('recordings whose time has passed leave their places, also before a daemon sweeps', async (t) => {
  const { clock, store, account, one, changes } = await start(t);
  const endpoints = Array.from({ length: 20 }, (_, at) =>
    factsAt(`shop-${at}.example.com`, { endpoint: { id: `ep_${at}` } }),
  );
  const runs = recordingRuns({
    ...{ store, isAllowed: true, now: () => clock.now, reached: async () => {} },
    online: { tunnels: () => endpoints, byName: () => undefined, byPlainName: () => undefined },
    isActive: (recording) => one.recordings.isActive(recording),
  });
  const principal = {
    owner: 'usr_1',
    role: 'admin',
    subject: '',
    key: 'ak_1',
    address: '',
    account,
  } as const;
  const call = { principal, path: {}, query: {}, baseUrl: '', missing: () => {} };
  const begin = (at: number) =>
    runs.traffic_recordings_create!({ ...call, body: { site_id: `ep_${at}`, minutes: 1 } });
  for (let at = 0; at < endpoints.length; at += 1) await begin(at);
  await assert.rejects(begin(3), /are recorded already/);
  clock.now += MINUTE;
  assert.equal((await begin(3))?.is_active, true);
  const entries = await changes();
  assert.equal(entries.filter((entry) => entry === 'deleted daemon').length, 20);
});

test('bodies go with the account, also those of requests that run', async (t) => {
  const { store, account, one, begin } = await start(t);
  await begin(15);
  const [kept, running] = [0, 1].map(() => one.recordings.begin({ ...site, account })!);
  one.bodies.keep(account, 'req_1', bodiesOf(kept!));
  running!.keep(100);
  for (const id of await everyParent(account)) await store.write(() => [{ op: 'delete', ...id }]);
  await eventually(() => assert.equal(one.bodies.bytes, 0));
  assert.deepEqual(
    [running!.isOpen, running!.keep(1), one.bodies.has(account, 'req_1')],
    [false, false, false],
  );

  async function everyParent(id: string) {
    const document = await store.get(id);
    return [{ id, revision: document!.revision }];
  }
});

test('an account, and all together, have a bound; the oldest bodies go first', () => {
  const limits: BodyLimits = { account: 10_000, total: 25_000 };
  const bodies = new BodyStore(() => 0, limits);
  const add = (account: string, id: string, size = 1_000) => {
    const place = bodies.begin({ id: 'rec_1', account, endsAt: 1 }, () => true);
    bodies.keep(account, id, bodiesOf(place, size));
  };
  add('ac_quiet', 'req_1');
  for (let index = 0; index < 100; index += 1) {
    add('ac_1', `req_${index}`);
    assert.ok(bodies.bytes <= 12_000);
  }
  assert.ok(bodies.has('ac_1', 'req_99') && !bodies.has('ac_1', 'req_0') && bodies.has('ac_quiet', 'req_1'));
  for (let index = 0; index < 100; index += 1) {
    add(`ac_${index}`, 'req_1');
    assert.ok(bodies.bytes <= limits.total);
  }
  const empty = bodies.begin({ id: 'rec_1', account: 'ac_1', endsAt: 1 }, () => true);
  bodies.keep('ac_1', 'req_e', { place: empty, request: null, response: null });
  assert.equal(bodies.has('ac_1', 'req_e'), false);
  bodies.forget('rec_1');
  assert.equal(bodies.bytes, 0);
});

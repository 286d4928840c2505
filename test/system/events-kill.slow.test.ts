/**
 * Ten thousand events, with kills of daemons and databases during their delivery.
 * Invariant: none is lost or out of order.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Platform, Postgres, postgresMissing, shareMasterKey } from '../harness/index.ts';
import { timeoutMs } from '../harness/timeouts.ts';
import { eventually } from '../harness/until.ts';
import { Intake } from './event-intake.fixture.ts';

// Daemons that share a database share the key that seals what is in it.
shareMasterKey();

const POLICIES = 2_000;
/** Changes of each policy: its creation, and then updates. */
const CHANGES = 4;
const WRITERS = 32;
const ALL = POLICIES * (CHANGES + 1);
const DEADLINE_MS = 240_000;

/** Changes policies with `write`, which resolves after each one. Returns the expected events by policy. */
async function makeEvents(
  write: (method: string, path: string, body: object) => Promise<{ id: string }>,
): Promise<Map<string, string[]>> {
  const told = new Map<string, string[]>();
  let made = 0;
  const writer = async () => {
    while (made < POLICIES) {
      made += 1;
      const { id } = await write('POST', '/ip_policies', { description: 'new' });
      const descriptions = ['new'];
      told.set(id, descriptions);
      for (let change = 0; change < CHANGES; change++) {
        const description = `change ${change}`;
        await write('PATCH', `/ip_policies/${id}`, { description });
        descriptions.push(description);
      }
    }
  };
  await Promise.all(Array.from({ length: WRITERS }, writer));
  return told;
}

function writeTo(platform: Platform) {
  return async (method: string, path: string, body: object): Promise<{ id: string }> => {
    const { status, text, json } = await platform.api(method, path, body);
    assert.ok(status < 300, text);
    return json;
  };
}

/** Repeats until the write succeeds. `unknown` counts creations with an unknown outcome. */
function writeThrough(platform: Platform, unknown: { creations: number }) {
  return async (method: string, path: string, body: object): Promise<{ id: string }> => {
    for (;;) {
      const answer = await platform.api(method, path, body).catch(() => null);
      if (answer !== null && answer.status < 300) return answer.json;
      const isUnknown = answer === null || answer.json.error_code === 'ERR_SERVICE_60040';
      assert.ok(isUnknown || answer.status === 503, answer?.text ?? '');
      // An update that was applied already changes nothing the second time, and makes no event.
      if (isUnknown && method === 'POST') unknown.creations += 1;
      await setTimeout(50);
    }
  };
}

function check(intake: Intake, told: ReadonlyMap<string, readonly string[]>, unknown = 0): void {
  const arrived = Map.groupBy(intake.distinct, ({ object }) => object.id);
  for (const [id, descriptions] of told)
    assert.deepEqual(
      arrived.get(id)?.map(({ object }) => object.description),
      descriptions,
    );
  const others = intake.distinct.filter(({ object }) => !told.has(object.id));
  assert.ok(others.length <= unknown, `${others.length} events more, of ${unknown} unknown creations`);
  assert.equal(intake.distinct.length, ALL + others.length);
}

/** Answers the destination. */
async function subscribe(platform: Platform): Promise<string> {
  const write = writeTo(platform);
  const target = { monitoring: { api_key: 'not-a-real-key' } };
  const { id: destination } = await write('POST', '/event_destinations', { format: 'json', target });
  const sources = ['created', 'updated'].map((verb) => ({ type: `ip_policy_${verb}.v0` }));
  await write('POST', '/event_subscriptions', { sources, destination_ids: [destination] });
  return destination;
}

/** Makes the events while nothing can be delivered; from then on it can. */
async function makeBacklog(platform: Platform, intake: Intake): Promise<Map<string, string[]>> {
  const write = writeTo(platform);
  const destination = await subscribe(platform);
  intake.isAway = true;
  const told = await makeEvents(write);
  intake.isAway = false;
  // Else it is tried again some while later.
  await write('PATCH', `/event_destinations/${destination}`, { description: 'mended' });
  return told;
}

function arrived(intake: Intake, events: number): Promise<void> {
  return eventually(() => assert.ok(intake.distinct.length >= events), DEADLINE_MS);
}

const LONG = { timeout: timeoutMs(2 * DEADLINE_MS) };
test('ten thousand events arrive, whenever their daemon is killed', LONG, async () => {
  const intake = new Intake();
  const args = ['--monitoring-intake-url', await intake.start()];
  const platform = await Platform.start({ args, apiRateLimit: 0 });
  const told = await makeBacklog(platform, intake);
  for (const share of [0.1, 0.4, 0.7]) {
    await arrived(intake, ALL * share);
    await platform.killAndRestart();
  }
  await arrived(intake, ALL);
  check(intake, told);
  await platform.stop();
  await intake.stop();
});

const both = { ...LONG, skip: postgresMissing };
test('ten thousand events arrive from two daemons of which one is killed', both, async () => {
  const intake = new Intake();
  const server = await Postgres.shared();
  const args = ['--database', await server.database(), '--monitoring-intake-url', await intake.start()];
  const daemons = await Promise.all([1, 2].map(() => Platform.start({ args, apiRateLimit: 0 })));
  // Only the one that made the account knows its key.
  const [first] = daemons.filter(({ dataDir }) => existsSync(join(dataDir, 'bootstrap.json')));
  const told = await makeBacklog(first!, intake);
  await arrived(intake, ALL / 10);
  first?.daemon.signal('SIGKILL');
  await arrived(intake, ALL);
  check(intake, told);
  await Promise.all(daemons.map((daemon) => daemon.stop()));
  await intake.stop();
  await server.stop();
});

test(
  'ten thousand events arrive, whenever their PostgreSQL is killed, alone or with the daemon',
  both,
  async () => {
    const intake = new Intake();
    const server = await Postgres.start();
    const args = ['--database', await server.database(), '--monitoring-intake-url', await intake.start()];
    const platform = await Platform.start({ args, apiRateLimit: 0 });
    await subscribe(platform);
    const unknown = { creations: 0 };
    const making = makeEvents(writeThrough(platform, unknown));
    for (const share of [0.1, 0.25, 0.4, 0.55, 0.7, 0.85]) {
      await arrived(intake, ALL * share);
      await server.halt('SIGKILL');
      if (share > 0.5) platform.daemon.signal('SIGKILL');
      await server.resume();
      if (share > 0.5) await platform.killAndRestart();
    }
    const told = await making;
    await arrived(intake, ALL);
    await eventually(async () => {
      const [destination] = (await platform.api('GET', '/event_destinations')).json.event_destinations;
      const { json } = await platform.api('GET', `/event_destinations/${destination.id}/status`);
      assert.equal(json.backlog, 0);
    }, DEADLINE_MS);
    check(intake, told, unknown.creations);
    await platform.stop();
    await intake.stop();
    await server.stop();
  },
);

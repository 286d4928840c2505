import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventTypes } from '../../core/event-types.ts';
import { collection, type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { nobody } from '../samples/sample.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const kind = 'event_subscription';
const base = 'https://api.underpass.localhost:8443';
const created = 'ip_policy_created.v0';
const updated = 'ip_policy_updated.v0';
const create = (body: unknown) => platform.create(kind, body);

async function destination(as = platform.admin): Promise<string> {
  const body = { format: 'json', target: { monitoring: { api_key: 'k3y' } } };
  return (await platform.create('event_destination', body, as)).id;
}

function source(id: string, type: string) {
  return { type, uri: `${base}/event_subscriptions/${id}/sources/${type}` };
}

/** The element operations of one subscription. */
function sourcesOf(id: string, as = platform.admin) {
  const { engine } = platform;
  const of = collection(kind);
  return {
    add: (body: unknown) => engine.addElement(of, as, id, body),
    list: (page: { limit?: number; before?: string } = {}) =>
      engine.listElements(of, as, id, { limit: Infinity, ...page }),
    get: (type: string) => engine.getElement(of, as, id, type),
    update: (type: string, body: unknown) => engine.updateElement(of, as, id, type, body),
    remove: (type: string) => engine.removeElement(of, as, id, type),
  };
}

test('there are 45 audit types, two of agent sessions and two of traffic', () => {
  assert.equal(new Set(eventTypes).size, 49);
  for (const type of [created, updated, 'tcp_address_deleted.v0', 'ssh_public_key_created.v0'] as const) {
    assert.ok(eventTypes.includes(type), type);
  }
  for (const type of [
    'agent_session_start',
    'agent_session_stop',
    'http_request_complete',
    'tcp_connection_closed',
  ]) {
    assert.ok(
      eventTypes.some((one) => one === `${type}.v0`),
      type,
    );
  }
  for (const type of eventTypes) assert.match(type, /^[a-z_]+\.v0$/);
});

test('a subscription shows its sources with their addresses and its destinations as references', async () => {
  const ids = [await destination(), await destination()];
  const { id, ...shown } = await create({
    sources: [{ type: updated }, { type: created }],
    destination_ids: ids,
  });
  assert.deepEqual(shown.sources, [source(id, updated), source(id, created)]);
  const refs = ids.map((one) => ({ id: one, uri: `${base}/event_destinations/${one}` }));
  assert.deepEqual(shown.destinations, refs);
});

test('a subscription may be without sources and destinations, and may have every type', async () => {
  const { id, sources, destinations } = await create({});
  assert.deepEqual([sources, destinations], [[], []]);
  const all = eventTypes.map((type) => ({ type }));
  const patched = await platform.update(kind, id, { sources: all });
  assert.deepEqual(
    patched.sources,
    eventTypes.map((type) => source(id, type)),
  );
  const cleared = await platform.update(kind, id, { sources: [] });
  assert.deepEqual(cleared.sources, []);
});

test('an update replaces the list that it gives and leaves the other', async () => {
  const one = await destination();
  const { id } = await create({ sources: [{ type: created }], destination_ids: [one] });
  const first = await platform.update(kind, id, { sources: [{ type: updated }] });
  assert.deepEqual(first.sources, [source(id, updated)]);
  assert.equal((first.destinations as unknown[]).length, 1);
  const second = await platform.update(kind, id, { destination_ids: [] });
  assert.deepEqual([second.sources, second.destinations], [[source(id, updated)], []]);
});

test('texts are limited in characters, however many bytes those have', async () => {
  for (const [field, limit, error] of [
    ['description', 255, 'eventSubscriptionDescriptionTooLong'],
    ['metadata', 4096, 'eventSubscriptionMetadataTooLong'],
  ] as const) {
    for (const character of ['x', 'é', '€', '🦊']) {
      const most = character.repeat(limit);
      const made = await create({ [field]: most });
      assert.equal(made[field], most);
      const details = { field: `/${field}`, limit };
      const problem = await refused(create({ [field]: `${most}x` }), error, details);
      assert.match(problem.message, new RegExp(`is ${limit + 1} characters long`));
      await refused(platform.update(kind, made.id, { [field]: `${most}${character}` }), error, details);
    }
  }
});

test('types that there are not are refused with those that there are', async () => {
  const details = { field: '/sources/1/type', allowed: eventTypes };
  for (const type of ['ip_policy_created', 'ip_policy_created.v1', 'tunnel_created.v0', 'log.v0']) {
    const sources = [{ type: created }, { type }];
    const problem = await refused(create({ sources }), 'eventTypeUnknown', details);
    assert.ok(problem.message.includes('tcp_connection_closed.v0'));
  }
  for (const nothing of [{}, { type: '' }])
    await refused(create({ sources: [nothing] }), 'eventTypeMissing', { field: '/sources/0/type' });
  await refused(create({ sources: [created] }), 'valueInvalid', { field: '/sources/0' });
  await refused(create({ sources: [{ type: created, filter: 'x' }] }), 'fieldUnknown', {
    field: '/sources/0/filter',
  });
});

test('a type or a destination that is given twice is refused', async () => {
  const sources = [{ type: created }, { type: updated }, { type: created }];
  await refused(create({ sources }), 'eventSourceRepeated', { field: '/sources/2/type' });
  const one = await destination();
  const { id } = await create({});
  const twice = { destination_ids: [one, one] };
  await refused(create(twice), 'eventDestinationRepeated', { field: '/destination_ids/1' });
  await refused(platform.update(kind, id, twice), 'eventDestinationRepeated');
});

test("destinations must be the account's own, and not more than 32", async () => {
  const own = await destination();
  const foreign = await destination(platform.stranger);
  const gone = await destination();
  await platform.remove('event_destination', gone);
  for (const id of [foreign, gone, `ed_${nobody}`]) {
    const details = { field: '/destination_ids/1' };
    await refused(create({ destination_ids: [own, id] }), 'eventDestinationUnknown', details);
  }
  const wrong = { field: '/destination_ids/0', allowed: ['ed_'] };
  await refused(create({ destination_ids: [`esb_${nobody}`] }), 'referenceOfWrongKind', wrong);
  const ids = [];
  for (let count = 0; count < 32; count++) ids.push(await destination());
  const { destinations } = await create({ destination_ids: ids });
  assert.equal((destinations as unknown[]).length, 32);
  const many = create({ destination_ids: [...ids, own] });
  await refused(many, 'eventDestinationCount', { field: '/destination_ids', limit: 32 });
});

test('sources are added, read, listed and removed one by one', async () => {
  const { id } = await create({ sources: [{ type: created }] });
  const sources = sourcesOf(id);
  assert.deepEqual(await sources.add({ type: updated }), source(id, updated));
  assert.deepEqual(await sources.list(), [source(id, updated), source(id, created)]);
  assert.deepEqual(await sources.get(updated), source(id, updated));
  await sources.remove(created);
  assert.deepEqual((await platform.get(kind, id)).sources, [source(id, updated)]);
  await refused(sources.get(created), 'eventSourceMissing', { field: 'type' });
  await refused(sources.remove(created), 'eventSourceMissing');
  await refused(sources.update(created, {}), 'eventSourceMissing');
});

test('sources are listed the last added first, all of them or page by page', async () => {
  const deleted = 'ip_policy_deleted.v0';
  const { id } = await create({ sources: [{ type: created }, { type: updated }] });
  const sources = sourcesOf(id);
  await sources.add({ type: deleted });
  const all = [deleted, updated, created].map((type) => source(id, type));
  assert.deepEqual(await sources.list(), all);
  assert.deepEqual(await sources.list({ limit: 1 }), all.slice(0, 1));
  assert.deepEqual(await sources.list({ limit: 1, before: deleted }), all.slice(1, 2));
  assert.deepEqual(await sources.list({ before: deleted }), all.slice(1));
  assert.deepEqual(await sources.list({ limit: 3, before: created }), []);
  for (const before of ['tcp_address_created.v0', 'nonsense', ''])
    await refused(sources.list({ before }), 'eventSourceMissing', { field: 'before_id' });
  const shown = await platform.get(kind, id);
  assert.deepEqual(shown.sources, all.toReversed());
});

test('an added source is checked as in a creation, and may repeat the path', async () => {
  const { id } = await create({ sources: [{ type: created }] });
  const sources = sourcesOf(id);
  await refused(sources.add({ type: created }), 'eventSourceRepeated', { field: '/type' });
  await refused(sources.add({ type: 'x.v0' }), 'eventTypeUnknown', { field: '/type' });
  await refused(sources.add({}), 'eventTypeMissing', { field: '/type' });
  await refused(sources.add({ type: updated, uri: 'x' }), 'fieldUnknown', { field: '/uri' });
  await sources.add({ type: updated, subscription_id: id, uri: '' });
  const other = { type: updated, subscription_id: `esb_${nobody}` };
  await refused(sources.add(other), 'pathParameterMismatch', { field: '/subscription_id' });
});

test('an update of a source takes an empty object, or what the path says', async () => {
  const { id } = await create({ sources: [{ type: created }] });
  const sources = sourcesOf(id);
  for (const body of [{}, { type: created }, { subscription_id: id, type: created }]) {
    assert.deepEqual(await sources.update(created, body), source(id, created));
  }
  await refused(sources.update(created, { type: updated }), 'pathParameterMismatch', { field: '/type' });
  await refused(sources.update(created, { filter: 'x' }), 'fieldUnknown', { field: '/filter' });
});

test("the sources of another account's subscription are those of one that never was", async () => {
  const { id } = await create({ sources: [{ type: created }] });
  const [foreign, missing] = [
    sourcesOf(id, platform.stranger),
    sourcesOf(`esb_${nobody}`, platform.stranger),
  ];
  for (const verb of [
    (of: typeof foreign) => of.add({ type: updated }),
    (of: typeof foreign) => of.add({ nonsense: 1 }),
    (of: typeof foreign) => of.list(),
    (of: typeof foreign) => of.get(created),
    (of: typeof foreign) => of.update(created, {}),
    (of: typeof foreign) => of.remove(created),
  ]) {
    const [one, other] = [
      await refused(verb(foreign), 'resourceNotFound'),
      await refused(verb(missing), 'resourceNotFound'),
    ];
    assert.deepEqual([one.message, one.details], [other.message, other.details]);
  }
  await refused(sourcesOf(`ed_${nobody}`).list(), 'idPrefixWrong');
  assert.equal((await sourcesOf(id).list()).length, 1);
});

test('of sources that are added at once none is lost, and of two of a type one is', async () => {
  const { id } = await create({});
  const sources = sourcesOf(id);
  const types = eventTypes.slice(0, 20);
  await Promise.all(types.map((type) => sources.add({ type })));
  assert.equal((await sources.list()).length, types.length);
  const twice = await Promise.allSettled([
    sources.add({ type: 'http_request_complete.v0' }),
    sources.add({ type: 'http_request_complete.v0' }),
  ]);
  assert.deepEqual(twice.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
});

test('a destination that is deleted while a subscription takes it stays, or the subscription is refused', async () => {
  for (let round = 0; round < 10; round++) {
    const id = await destination();
    const [made, gone] = await Promise.allSettled([
      create({ destination_ids: [id] }),
      platform.remove('event_destination', id),
    ]);
    assert.deepEqual([made.status, gone.status].sort(), ['fulfilled', 'rejected']);
  }
});

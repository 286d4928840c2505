import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import fc from 'fast-check';
import type { Settings } from '../../core/settings.ts';
import { openOnSqlite } from '../../store/sqlite/open.fixture.ts';
import { ConflictError, type JsonObject } from '../../store/store.ts';
import type { Principal } from '../definition.ts';
import { createEngine } from '../engine/engine.ts';
import { collection, type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { nobody } from '../samples/sample.fixture.ts';

async function open(t: TestContext, tcpPorts: Settings['tcpPorts']): Promise<Platform> {
  const platform = await startPlatform(openOnSqlite, { tcpPorts });
  t.after(() => platform.close());
  return platform;
}

const reserve = (on: Platform, as = on.admin) => on.create('reserved_addr', {}, as);

function portOf({ addr }: JsonObject): number {
  const match = /^([0-8])\.tcp\.underpass\.localhost:(\d+)$/.exec(String(addr));
  assert.ok(match, String(addr));
  return Number(match[2]);
}

describe('the address', () => {
  test('has a host of the service and a port of the range, and stays what it is', async (t) => {
    const platform = await open(t, { first: 20_000, last: 20_099 });
    for (let count = 0; count < 20; count++) {
      const created = await reserve(platform);
      const port = portOf(created);
      assert.ok(port >= 20_000 && port <= 20_099);
      const updated = await platform.update('reserved_addr', created.id, { description: 'd' });
      assert.equal(updated.addr, created.addr);
    }
  });

  test('is drawn at random, one that was released like any other', async (t) => {
    const platform = await open(t, { first: 7, last: 8 });
    const seen = new Set<number>();
    while (seen.size < 2) {
      const created = await reserve(platform);
      seen.add(portOf(created));
      await platform.remove('reserved_addr', created.id);
    }
  });

  test('is given to one account alone, until none is left', async (t) => {
    const platform = await open(t, { first: 65_530, last: 65_535 });
    const made = [];
    for (let count = 0; count < 3; count++) {
      made.push(await reserve(platform), await reserve(platform, platform.stranger));
    }
    assert.deepEqual(made.map(portOf).sort(), [65_530, 65_531, 65_532, 65_533, 65_534, 65_535]);
    await refused(reserve(platform), 'addressesExhausted');
    const [first] = made;
    await platform.remove('reserved_addr', first!.id);
    assert.equal(portOf(await reserve(platform, platform.stranger)), portOf(first!));
  });

  test('cannot be chosen', async (t) => {
    const platform = await open(t, { first: 20_000, last: 20_000 });
    const chosen = platform.create('reserved_addr', { addr: '1.tcp.underpass.localhost:20000' });
    await refused(chosen, 'fieldUnknown', { field: '/addr' });
  });
});

describe('at the same time', () => {
  test('everybody gets an address of their own while there are enough, on two daemons', async (t) => {
    const platform = await open(t, { first: 1, last: 64 });
    const { store, settings, online, sealer, admin, stranger } = platform;
    const nodes = [0, 1].map(() => createEngine({ store, settings, online, sealer, now: Date.now }));
    const made = await Promise.all(
      Array.from({ length: 64 }, (_, index) =>
        nodes[index % 2]!.create(collection('reserved_addr'), index % 3 === 0 ? stranger : admin, {}),
      ),
    );
    assert.equal(new Set(made.map(portOf)).size, 64);
  });

  test('another port is drawn where an agent binds the drawn one before the write', async (t) => {
    const platform = await open(t, { first: 20_000, last: 20_001 });
    const { online } = platform;
    const reserving = online.reserving.bind(online);
    let writes = 0;
    online.reserving = (names, account, write) => {
      writes += 1;
      if (writes > 1) return reserving(names, account, write);
      return Promise.reject(new ConflictError({ reason: 'occupied', at: 0, how: 'online' }));
    };
    await reserve(platform);
    assert.equal(writes, 2);
  });

  test('no address has two owners, whatever is created and deleted', async (t) => {
    const size = 6;
    const platform = await open(t, { first: 1, last: size });
    const step = fc.record({ create: fc.boolean(), own: fc.boolean() });
    const rounds = fc.array(fc.array(step, { maxLength: 8 }), { maxLength: 6 });
    const property = fc.asyncProperty(rounds, async (script) => {
      const held: { id: string; port: number; as: Principal }[] = [];
      const release = async ({ id, as }: (typeof held)[number]) => platform.remove('reserved_addr', id, as);
      const obtain = async (as: Principal) => {
        const made = await reserve(platform, as);
        held.push({ id: made.id, port: portOf(made), as });
      };
      for (const round of script) {
        const steps = round.map(({ create, own }) => {
          const as = own ? platform.admin : platform.stranger;
          if (create) return obtain(as);
          const at = held.findIndex((one) => one.as === as);
          return at === -1 ? null : release(held.splice(at, 1)[0]!);
        });
        for (const result of await Promise.allSettled(steps)) {
          if (result.status === 'rejected') assert.equal(result.reason.code, 'addressesExhausted');
        }
        assert.equal(new Set(held.map(({ port }) => port)).size, held.length);
      }
      await Promise.all(Array.from({ length: size - held.length }, () => obtain(platform.admin)));
      assert.equal(new Set(held.map(({ port }) => port)).size, size);
      await refused(reserve(platform), 'addressesExhausted');
      await Promise.all(held.map(release));
    });
    await fc.assert(property, { numRuns: 50 });
  });
});

test('the region is one that exists, us when not given, and never changes', async (t) => {
  const platform = await open(t, { first: 20_000, last: 29_999 });
  const { id, region, addr } = await platform.create('reserved_addr', { region: 'eu' });
  assert.equal(region, 'eu');
  assert.match(String(addr), /^[0-8]\.tcp\.eu\.underpass\.localhost:2\d{4}$/);
  for (const body of [{}, { region: 'us' }]) {
    const { addr } = await platform.create('reserved_addr', body);
    assert.match(String(addr), /^[0-8]\.tcp\.underpass\.localhost:2\d{4}$/);
  }
  await platform.update('reserved_addr', id, { region: 'eu' });
  await refused(platform.update('reserved_addr', id, { region: 'us' }), 'addressRegionFixed', {
    field: '/region',
  });
  for (const wrong of [' ', 'EU', 'mars']) {
    const call = platform.create('reserved_addr', { region: wrong });
    await refused(call, 'addressRegionInvalid', { field: '/region' });
  }
});

describe('an endpoint configuration', () => {
  const configure = async (on: Platform, type = 'tcp', as = on.admin) =>
    (await on.create('endpoint_configuration', { type }, as)).id;

  test('can be attached, replaced, and taken off in two ways', async (t) => {
    const platform = await open(t, { first: 20_000, last: 29_999 });
    const { engine, admin } = platform;
    const [first, second] = [await configure(platform), await configure(platform)];
    const { id, endpoint_configuration } = await reserve(platform);
    assert.equal(endpoint_configuration, null);
    const attach = async (endpoint_configuration_id: string) =>
      (await platform.update('reserved_addr', id, { endpoint_configuration_id })).endpoint_configuration;
    const uri = `https://api.underpass.localhost:8443/endpoint_configurations/${first}`;
    assert.deepEqual(await attach(first), { id: first, uri });
    const used = { used_by: [id] };
    await refused(platform.remove('endpoint_configuration', first), 'configurationInUse', used);
    assert.equal(((await attach(second)) as JsonObject).id, second);
    await platform.remove('endpoint_configuration', first);
    const described = await platform.update('reserved_addr', id, { description: 'd' });
    assert.equal((described.endpoint_configuration as JsonObject).id, second);
    assert.equal(await attach(''), null);
    await attach(second);
    const detach = () => engine.detach(collection('reserved_addr'), admin, id, 'endpoint_configuration');
    await detach();
    assert.equal((await platform.get('reserved_addr', id)).endpoint_configuration, null);
    await refused(detach(), 'nothingAttached');
    await platform.remove('endpoint_configuration', second);
  });

  test('is one of the account, of type tcp', async (t) => {
    const platform = await open(t, { first: 20_000, last: 29_999 });
    const { id } = await reserve(platform);
    for (const [endpoint_configuration_id, error] of [
      [await configure(platform, 'https'), 'addressConfigurationType'],
      [await configure(platform, 'tcp', platform.stranger), 'endpointConfigurationUnknown'],
      [`ec_${nobody}`, 'endpointConfigurationUnknown'],
      [id, 'referenceOfWrongKind'],
    ] as const) {
      const call = platform.update('reserved_addr', id, { endpoint_configuration_id });
      await refused(call, error, { field: '/endpoint_configuration_id' });
    }
    const early = platform.create('reserved_addr', { endpoint_configuration_id: `ec_${nobody}` });
    await refused(early, 'fieldUnknown');
  });

  test('and an edge exclude each other, also when both come at once', async (t) => {
    const platform = await open(t, { first: 20_000, last: 29_999 });
    const configured = { endpoint_configuration_id: await configure(platform) };
    const { id, addr } = await reserve(platform);
    const edge = await platform.create('tcp_edge', { hostports: [addr] });
    await refused(platform.update('reserved_addr', id, configured), 'addressOnEdge', { used_by: [edge.id] });
    await platform.remove('tcp_edge', edge.id);
    await platform.update('reserved_addr', id, configured);
    const at = { field: '/hostports/0' };
    await refused(platform.create('tcp_edge', { hostports: [addr] }), 'hostportAddressConfigured', at);
    for (let round = 0; round < 10; round++) {
      const address = await reserve(platform);
      const [attached, edged] = await Promise.allSettled([
        platform.update('reserved_addr', address.id, configured),
        platform.create('tcp_edge', { hostports: [address.addr] }),
      ]);
      assert.notEqual(attached.status, edged.status);
      if (attached.status === 'rejected') assert.equal(attached.reason.code, 'addressOnEdge');
      if (edged.status === 'rejected') {
        assert.ok(['hostportTaken', 'hostportAddressConfigured'].includes(edged.reason.code));
      }
    }
  });
});

test('names of addresses cannot be reserved as domains', async (t) => {
  const platform = await open(t, { first: 20_000, last: 29_999 });
  const domain = (name: string) => platform.create('reserved_domain', { name });
  await refused(domain('tcp'), 'domainBaseNotReservable');
  await refused(domain('tcp.underpass.localhost'), 'domainBaseNotReservable');
  for (const name of ['1.tcp', '*.tcp', '*.1.tcp', 'a.b.tcp']) {
    await refused(domain(`${name}.underpass.localhost`), 'domainBelowRestricted');
  }
  await domain('xtcp');
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { JsonObject, JsonValue } from '../../store/store.ts';
import { collection, type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { nobody } from '../samples/sample.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const base = 'https://api.underpass.localhost:8443';
const kind = collection('tcp_edge');

async function reserve(region = 'us', as = platform.admin): Promise<{ id: string; addr: string }> {
  const { id, addr } = await platform.create('reserved_addr', { region }, as);
  return { id, addr: String(addr) };
}
const create = (hostports: readonly string[]) => platform.create('tcp_edge', { hostports });

describe('TCP edge hostports', () => {
  test('are reserved addresses, in the order in which they are given', async () => {
    const addresses = [await reserve(), await reserve(), await reserve()].map(({ addr }) => addr);
    const edge = await create(addresses);
    assert.deepEqual(edge.hostports, addresses);
    const fewer = [addresses[2]!, addresses[0]!];
    const updated = await platform.update('tcp_edge', edge.id, { hostports: fewer });
    assert.deepEqual(updated.hostports, fewer);
    const kept = await platform.update('tcp_edge', edge.id, { description: 'd', hostports: null });
    assert.deepEqual(kept.hostports, fewer);
    assert.deepEqual((await create([`\t${addresses[1]!.toUpperCase()} `])).hostports, [addresses[1]]);
    const { addr } = await reserve('eu');
    assert.deepEqual((await create([addr])).hostports, [addr]);
  });

  test('what is no address of the account is refused, and the element named', async () => {
    const { addr } = await reserve();
    const foreign = await reserve('us', platform.stranger);
    const port = foreign.addr.split(':')[1]!;
    const host = foreign.addr.startsWith('0.') ? '1' : '0';
    await platform.create('reserved_domain', { name: 'tcp-edge' });
    const cases: [string, ErrorName][] = [
      ['', 'hostportMalformed'],
      ['1.tcp.underpass.localhost', 'hostportMalformed'],
      ['10.0.0.1:20000', 'hostportMalformed'],
      ['[::1]:20000', 'hostportMalformed'],
      ['1.tcp.underpass.localhost:0', 'hostportPort'],
      ['1.tcp.underpass.localhost:65536', 'hostportPort'],
      ['1.tcp.underpass.localhost:020000', 'hostportPort'],
      ['1.tcp.underpass.localhost:1', 'addressNotReserved'],
      [`${host}.tcp.underpass.localhost:${port}`, 'addressNotReserved'],
      ['*.tcp.underpass.localhost:1', 'addressNotReserved'],
      ['1.tcp.eu.underpass.localhost:1', 'addressNotReserved'],
      [foreign.addr, 'addressReservedElsewhere'],
      ['tcp-edge.underpass.localhost:443', 'hostportIsDomain'],
      [`example.com:${port}`, 'hostportIsDomain'],
      ['tcp.underpass.localhost:1', 'hostportIsDomain'],
      [addr, 'addressRepeated'],
    ];
    const { id } = await platform.create('tcp_edge', {});
    for (const [hostport, error] of cases) {
      await refused(create([addr, hostport]), error, { field: '/hostports/1' });
      const update = platform.update('tcp_edge', id, { hostports: [addr, hostport] });
      await refused(update, error, { field: '/hostports/1' });
    }
    const many = Array.from({ length: 101 }, () => 'x');
    await refused(create(many), 'hostportCount', { limit: 100 });
    const { message } = await refused(create(['x']), 'hostportMalformed');
    assert.match(message, /<N>\.tcp\[\.<region>\]\.<domain>:<port>/);
  });

  test('a TLS or HTTPS edge takes no address', async () => {
    const { addr } = await reserve();
    for (const [edge, error] of [
      ['tls_edge', 'hostportIsAddressForTls'],
      ['https_edge', 'hostportIsAddressForHttps'],
    ] as const) {
      await refused(platform.create(edge, { hostports: [addr] }), error, { field: '/hostports/0' });
      const { id } = await platform.create(edge, {});
      const update = platform.update(edge, id, { hostports: ['1.tcp.underpass.localhost:443'] });
      await refused(update, error, { field: '/hostports/0' });
    }
  });

  test('are all in one region', async () => {
    const [us, eu, other] = [await reserve(), await reserve('eu'), await reserve('eu')];
    const differ = { field: '/hostports/1' };
    await refused(create([us.addr, eu.addr]), 'hostportRegionsDiffer', differ);
    const { id } = await create([eu.addr]);
    const update = platform.update('tcp_edge', id, { hostports: [eu.addr, us.addr] });
    await refused(update, 'hostportRegionsDiffer', differ);
    await platform.update('tcp_edge', id, { hostports: [other.addr, eu.addr] });
    await platform.update('tcp_edge', id, { hostports: [us.addr] });
  });

  test('of two edges that ask for one address at once, one gets it', async () => {
    const { addr } = await reserve();
    const { id } = await platform.create('tcp_edge', {});
    const results = await Promise.allSettled([
      ...Array.from({ length: 6 }, () => create([addr])),
      platform.update('tcp_edge', id, { hostports: [addr] }),
    ]);
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
    for (const result of results) {
      if (result.status === 'rejected') assert.equal(result.reason.code, 'hostportTaken');
    }
    await refused(create([addr]), 'hostportTaken', { field: '/hostports/0' });
  });

  test('an address cannot be deleted while an edge has it, and is free again after the edge', async () => {
    const { id, addr } = await reserve();
    const edge = await create([addr]);
    await refused(platform.remove('reserved_addr', id), 'addressInUse', { used_by: [edge.id] });
    await platform.remove('tcp_edge', edge.id);
    const next = await create([addr]);
    await platform.update('tcp_edge', next.id, { hostports: [] });
    await platform.remove('reserved_addr', id);
    await refused(create([addr]), 'addressNotReserved');
  });

  test('an address that is deleted while an edge takes it is either kept or not taken', async () => {
    for (let round = 0; round < 10; round++) {
      const { id, addr } = await reserve();
      const [taken, deleted] = await Promise.allSettled([
        create([addr]),
        platform.remove('reserved_addr', id),
      ]);
      assert.notEqual(taken.status, deleted.status);
      if (taken.status === 'rejected') assert.equal(taken.reason.code, 'addressNotReserved');
      if (deleted.status === 'rejected') assert.equal(deleted.reason.code, 'addressInUse');
    }
  });
});

test('each address of an edge is an endpoint, which it keeps while it stands', async () => {
  const [first, second] = [await reserve('jp'), await reserve('jp')];
  const edge = await platform.create('tcp_edge', { hostports: [first.addr], metadata: 'of the edge' });
  const endpoints = async () =>
    (await platform.list('endpoint')).items.filter((item) => (item.edge as JsonObject)?.id === edge.id);
  const [shown] = (await endpoints()) as [JsonObject & { id: string; created_at: string }];
  assert.deepEqual(await platform.get('endpoint', shown.id), shown);
  assert.deepEqual(Object.entries(shown), [
    ['id', shown.id],
    ['uri', `${base}/endpoints/${shown.id}`],
    ['region', 'jp'],
    ['node', ''],
    ['created_at', shown.created_at],
    ['updated_at', shown.created_at],
    ['public_url', `tcp://${first.addr}`],
    ['url', `tcp://${first.addr}`],
    ['proto', 'tcp'],
    ['scheme', 'tcp'],
    ['hostport', first.addr],
    ['host', first.addr.split(':')[0]],
    ['port', Number(first.addr.split(':')[1])],
    ['type', 'edge'],
    ['name', ''],
    ['description', ''],
    ['metadata', 'of the edge'],
    ['bindings', ['public']],
    ['pooling_enabled', false],
    ['traffic_policy', ''],
    ['upstream_url', ''],
    ['upstream_protocol', ''],
    ['principal', null],
    ['domain', null],
    ['tcp_addr', { id: first.id, uri: `${base}/reserved_addrs/${first.id}` }],
    ['tunnel', null],
    ['tunnel_session', null],
    ['edge', { id: edge.id, uri: `${base}/edges/tcp/${edge.id}` }],
  ]);
  await refused(platform.get('endpoint', shown.id, platform.stranger), 'resourceNotFound');
  await platform.update('tcp_edge', edge.id, { hostports: [second.addr, first.addr] });
  const now = await endpoints();
  assert.deepEqual(
    now.find((one) => one.hostport === first.addr),
    shown,
  );
  assert.equal(now.length, 2);
  await platform.remove('tcp_edge', edge.id);
  assert.deepEqual(await endpoints(), []);
});

describe('TCP edge modules', () => {
  const put = (id: string, module: string, body: JsonValue) =>
    platform.engine.putModule(kind, platform.admin, id, module, body);

  test('backend and IP restriction can be given with the edge, put, read and deleted', async () => {
    const { engine, admin } = platform;
    const { id: backend_id } = await platform.create('static_backend', { address: 'example.com:22' });
    const { id: policy } = await platform.create('ip_policy', {});
    const bodies: Record<string, { send: JsonObject; shown: JsonObject }> = {
      backend: {
        send: { backend_id },
        shown: { enabled: true, backend: { id: backend_id, uri: `${base}/backends/static/${backend_id}` } },
      },
      ip_restriction: {
        send: { enabled: false, ip_policy_ids: [policy] },
        shown: { enabled: false, ip_policies: [{ id: policy, uri: `${base}/ip_policies/${policy}` }] },
      },
    };
    for (const [module, { send, shown }] of Object.entries(bodies)) {
      assert.deepEqual((await platform.create('tcp_edge', { [module]: send }))[module], shown);
      const { id } = await platform.create('tcp_edge', {});
      await refused(engine.getModule(kind, admin, id, module), 'moduleNotSet');
      await refused(engine.removeModule(kind, admin, id, module), 'moduleNotSet');
      assert.deepEqual(await put(id, module, send), shown);
      assert.deepEqual(await engine.getModule(kind, admin, id, module), shown);
      await platform.update('tcp_edge', id, { description: 'd', [module]: null });
      assert.deepEqual((await platform.get('tcp_edge', id))[module], shown);
      await engine.removeModule(kind, admin, id, module);
      assert.equal((await platform.get('tcp_edge', id))[module], null);
    }
  });

  test('modules that need HTTP or TLS are unknown', async () => {
    for (const module of ['mutual_tls', 'tls_termination', 'saml']) {
      await refused(platform.create('tcp_edge', { [module]: { enabled: true } }), 'fieldUnknown', {
        field: `/${module}`,
      });
    }
  });

  test('references to nothing are refused, and a backend stays while the edge has it', async () => {
    const { id } = await platform.create('tcp_edge', {});
    const unknown = put(id, 'backend', { backend_id: `bkdsc_${nobody}` });
    await refused(unknown, 'backendUnknown', { field: '/backend_id' });
    const restriction = put(id, 'ip_restriction', { ip_policy_ids: [`ipp_${nobody}`] });
    await refused(restriction, 'ipPolicyUnknown', { field: '/ip_policy_ids/0' });
    const { id: backend_id } = await platform.create('http_response_backend', {});
    await put(id, 'backend', { backend_id });
    await refused(platform.remove('http_response_backend', backend_id), 'backendInUse', { used_by: [id] });
  });
});

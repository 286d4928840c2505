/** The overview and the status of an account. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { eventually, selfSigned, startUpstream, type Upstream } from '../harness/index.ts';
import { startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';

let world: TwoAccounts;
let upstream: Upstream;
before(async () => {
  [world, upstream] = await Promise.all([
    startTwoAccounts(),
    startUpstream((_request, response) => response.end('ok')),
  ]);
});
after(async () => {
  await world.platform.stop();
  await upstream.stop();
});

interface Warning {
  readonly code: string;
  readonly name: string;
  readonly resource: { readonly kind: string; readonly id: string; readonly uri: string } | null;
}

interface Overview {
  readonly counts: Readonly<Record<string, number>>;
  readonly warnings: readonly Warning[];
  readonly warning_count: number;
  readonly last_minute: Readonly<Record<string, number>>;
  readonly last_hour: Readonly<Record<string, number>>;
  readonly last_hour_requests: readonly number[];
}

async function overview(call = world.platform.api.bind(world.platform)) {
  const { status, json, text } = await call('GET', '/overview');
  assert.equal(status, 200, text);
  return json as Overview;
}

test('an account without anything has no warnings, and all counts are 0', async () => {
  const { counts, warnings, warning_count, last_minute, last_hour } = await overview(world.asOther);
  assert.deepEqual([warnings, warning_count], [[], 0]);
  assert.deepEqual([...new Set(Object.values(counts))], [0]);
  assert.deepEqual([last_minute.requests, last_hour.requests], [0, 0]);
});

test('counts and warnings follow what is made and removed, for its account only', async () => {
  const { platform, asOther } = world;
  const make = async (path: string, body: object) => {
    const { status, json, text } = await platform.api('POST', path, body);
    assert.equal(status, 201, text);
    return json;
  };
  const domain = await make('/reserved_domains', { name: 'watched' });
  const tlsEdge = await make('/edges/tls', {});
  const edge = await make('/edges/https', {});
  const group = await make('/backends/tunnel_group', { labels: { app: 'nowhere' } });
  const route = await make(`/edges/https/${edge.id}/routes`, {
    ...{ match_type: 'path_prefix', match: '/', backend: { enabled: true, backend_id: group.id } },
  });
  const { pem: certificate_pem, key: private_key_pem } = selfSigned('watched.example.com');
  const certificate = await make('/tls_certificates', { certificate_pem, private_key_pem });
  const expected = [
    ['backend_without_agent', route.id],
    ['name_without_agent', domain.id],
    ['edge_without_name', tlsEdge.id],
    ['edge_without_name', edge.id],
    ['edge_without_backend', tlsEdge.id],
    ['certificate_unused', certificate.id],
  ];
  await eventually(async () => {
    const { warnings, warning_count, counts } = await overview();
    assert.deepEqual(warnings.map(({ code, resource }) => [code, resource?.id]).sort(), expected.toSorted());
    assert.equal(warning_count, expected.length);
    assert.deepEqual([counts.edges, counts.reserved_domains, counts.tls_certificates], [2, 1, 1]);
  });
  for (const { resource } of (await overview()).warnings) {
    assert.ok(resource !== null);
    const { status } = await platform.api('GET', new URL(resource.uri).pathname);
    assert.equal(status, 200, resource.uri);
  }
  const theirs = JSON.stringify([await overview(asOther), (await asOther('GET', '/status')).json]);
  for (const [, id] of expected) assert.ok(!theirs.includes(String(id)));

  const agent = await platform.agent([
    'http',
    String(upstream.port),
    '--domain',
    'watched.underpass.localhost',
  ]);
  await eventually(async () => {
    const { warnings, counts } = await overview();
    assert.ok(!warnings.some(({ code }) => code === 'name_without_agent'));
    assert.deepEqual([counts.agents, counts.tunnels, counts.names], [1, 1, 1]);
  });
  await platform.visit('watched.underpass.localhost');
  await eventually(async () => {
    const { last_minute, last_hour, last_hour_requests: line } = await overview();
    assert.deepEqual([last_minute.requests, last_hour.requests, last_minute.errors], [1, 1, 0]);
    assert.equal(line.length, 60);
    assert.equal(line.at(-1)! + line.at(-2)!, 1);
  });
  await agent.process.stop();
  for (const { uri } of [route, edge, tlsEdge, group, domain, certificate])
    assert.equal((await platform.api('DELETE', new URL(uri).pathname)).status, 204);
  await eventually(async () => {
    const { warnings, counts } = await overview();
    assert.deepEqual([warnings, ...new Set(Object.values(counts))], [[], 0]);
  });
});

test('the status has the version and the daemon, and nothing for operators only', async () => {
  const { status, json, text } = await world.asOther('GET', '/status');
  assert.equal(status, 200);
  assert.match(json.version, /^\d+\.\d+/);
  assert.equal(json.database, 'available');
  assert.deepEqual(
    json.nodes.map(({ state }: { state: string }) => state),
    ['ready'],
  );
  assert.ok(!text.includes(world.platform.dataDir));
});

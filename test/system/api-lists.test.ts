/** Lists of the API with a filter and a search, as the client and `underpass api` read them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { ApiError, Client } from '@underpass/client';
import { Platform } from '../harness/index.ts';
import { ApiCommand } from './api-command.fixture.ts';

let platform: Platform;
let api: ApiCommand;
let client: Client;

before(async () => {
  platform = await Platform.shared();
  api = new ApiCommand(platform);
  const { base_url: baseUrl, api_key: apiKey, ca_file: caFile } = platform.bootstrap;
  client = new Client({ baseUrl, apiKey, caFile });
});
after(async () => {
  client.close();
  await platform.stop();
  api[Symbol.dispose]();
});

async function idsOf(list: AsyncIterable<{ readonly id: string }>): Promise<readonly string[]> {
  return (await Array.fromAsync(list)).map(({ id }) => id);
}

test('client and command read the selected resources through all pages', async () => {
  const made = [];
  for (const description of ['spring "sale"', 'summer', 'Spring', 'autumn'])
    made.unshift((await client.ipPolicies.create({ description })).id);
  const [, second, , first] = made;
  const { ipPolicies } = client;
  assert.deepEqual(await idsOf(ipPolicies.list({ q: 'spring' })), [second, first]);
  const filter = 'description starts_with spring and description != Spring';
  assert.deepEqual(await idsOf(ipPolicies.list({ filter, limit: 1 })), [first]);
  assert.deepEqual(await idsOf(ipPolicies.list({ filter: 'description = "spring \\"sale\\""', q: 'SALE' })), [
    first,
  ]);

  const rows = await api.json('ip-policies', 'list', '-q', 'spring');
  assert.deepEqual(
    rows.map(({ id }: { id: string }) => id),
    [second, first],
  );
  const table = await api.text('ip-policies', 'list', '--filter', filter, '--query', 'sale');
  assert.match(table, new RegExp(`^${first} `, 'm'));
  assert.doesNotMatch(table, new RegExp(`${second}`));
  const { code, err } = await api.run(['ip-policies', 'list', '--filter', 'descripton = a']);
  assert.deepEqual([code, err.includes('Choose one of: id, uri, created_at, description')], [1, true], err);
});

test('the address of the next page keeps both parameters', async () => {
  for (const description of ['kept & found', 'kept & found', 'kept'])
    await client.ipPolicies.create({ description });
  const query = new URLSearchParams({ limit: '1', filter: 'description != "a & b"', q: 'kept &' });
  const first = await platform.api('GET', `/ip_policies?${query}`);
  const next = new URL(first.json.next_page_uri);
  assert.deepEqual(Object.fromEntries(next.searchParams), {
    ...Object.fromEntries(query),
    before_id: first.json.ip_policies[0].id,
  });
  const second = await platform.api('GET', `${next.pathname}${next.search}`);
  assert.equal(second.json.ip_policies[0].description, 'kept & found');
});

test('client and command list what refers to a resource', async () => {
  const { id } = await client.ipPolicies.create({ description: 'referred to' });
  const edges = [];
  for (let at = 0; at < 3; at++)
    edges.unshift(await client.tcpEdges.create({ ip_restriction: { ip_policy_ids: [id] } }));
  const found = await Array.fromAsync(client.ipPolicies.usedBy(id, { limit: 1 }));
  const field = 'ip_restriction.ip_policy_ids';
  assert.deepEqual(
    found,
    edges.map((edge) => ({ id: edge.id, uri: edge.uri, kind: 'tcp_edge', field })),
  );
  assert.deepEqual(await api.json('ip-policies', 'used-by', 'referred to'), found);
  assert.match(await api.text('ip-policies', 'used-by', id), /tcp_edge/);
});

test('keys are selected by their last use', async () => {
  const unused = await client.apiKeys.create({ description: 'unused' });
  assert.deepEqual(await idsOf(client.apiKeys.list({ filter: 'last_used_at = null' })), [unused.id]);
  const used = await idsOf(
    client.apiKeys.list({ filter: 'last_ip = 127.0.0.1 and last_used_at > 2026-01-01' }),
  );
  assert.equal(used.length, 1);
});

test('a wrong filter is refused with its position', async () => {
  const listing = client.ipPolicies.list({ filter: 'description like a' });
  await assert.rejects(listing.page(), (error) => {
    assert.ok(error instanceof ApiError && error.is('filterMalformed'));
    return /at character 13/.test(error.message);
  });
});

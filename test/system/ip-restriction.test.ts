/**
 * The IP restriction of an edge, with visitors from several addresses.
 * Invariant: an address without a rule is refused.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import { after, before, test } from 'node:test';
import { Platform, Visitor, type VisitorAnswer } from '../harness/index.ts';
import { selfSigned } from '../harness/make-certificate.ts';

const NAME = 'guarded.underpass.localhost';
const RAW = 'raw.underpass.localhost';
const served = { status: 200, code: '' };
const refused = { status: 403, code: '3205' };
let platform: Platform;
let edge: string;
let policy: string;
const visitors: Visitor[] = [];

before(async () => {
  platform = await Platform.start({ host: '[::]' });
  const backend = await create('/backends/http_response', { body: 'open' });
  await create('/reserved_domains', { name: 'guarded' });
  const { id } = await create('/edges/tls', {
    hostports: [`${NAME}:443`],
    backend: { backend_id: backend.id },
    tls_termination: { terminate_at: 'edge' },
  });
  edge = `/edges/tls/${id}`;
});
after(async () => {
  for (const visitor of visitors) visitor.close();
  await platform.stop();
});

async function create(path: string, body: object): Promise<{ id: string }> {
  const { status, json } = await platform.api('POST', path, body);
  assert.equal(status, 201, JSON.stringify(json));
  return json;
}

async function remove(path: string): Promise<void> {
  assert.equal((await platform.api('DELETE', path)).status, 204);
}

function rule(action: 'allow' | 'deny', cidr: string, of = policy): Promise<{ id: string }> {
  return create('/ip_policy_rules', { ip_policy_id: of, action, cidr });
}

/** The edge, restricted by a fresh policy with these rules alone. */
async function restrict(...rules: readonly (readonly ['allow' | 'deny', string])[]): Promise<void> {
  policy = (await create('/ip_policies', {})).id;
  for (const [action, cidr] of rules) await rule(action, cidr);
  const { status } = await platform.api('PUT', `${edge}/ip_restriction`, { ip_policy_ids: [policy] });
  assert.equal(status, 200);
}

async function visitor(from = '127.0.0.1', servername = NAME, ca = platform.ca): Promise<Visitor> {
  const host = from.includes(':') ? '::1' : '127.0.0.1';
  const opened = await Visitor.connect({ port: platform.port, servername, ca, host, from });
  visitors.push(opened);
  return opened;
}

async function visit(from: string, headers: Record<string, string> = {}): Promise<VisitorAnswer> {
  const opened = await visitor(from);
  const answer = await opened.get(headers);
  opened.close();
  return answer;
}

test('P1: a rule has one spelling of its range, or is refused with a code that says why', async () => {
  const { id } = await create('/ip_policies', {});
  const post = (cidr: string) =>
    platform.api('POST', '/ip_policy_rules', { ip_policy_id: id, action: 'allow', cidr });
  for (const [cidr, canonical] of [
    ['::FFFF:10.1.0.0/112', '10.1.0.0/16'],
    ['2001:DB8::/32', '2001:db8::/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
  ] as const) {
    const { status, json } = await post(cidr);
    assert.equal(status, 201, cidr);
    assert.equal(json.cidr, canonical);
  }
  for (const [cidr, status, code] of [
    ['10.0.0.5/8', 400, 1409],
    ['10.0.0.1', 400, 1413],
    ['010.0.0.1/32', 400, 1406],
    ['167772161/32', 400, 1406],
    ['0x0a.0.0.1/32', 400, 1406],
    ['fe80::1%lo/128', 400, 1406],
    ['10.1.0.0/16', 409, 1408],
  ] as const) {
    const answer = await post(cidr);
    assert.equal(answer.status, status, cidr);
    assert.equal(answer.json.error_code, `ERR_SERVICE_${code}`, cidr);
  }
});

test('P1: on a socket for both families an IPv4 visitor is IPv4, and each family needs its own rules', async () => {
  await restrict(['allow', '::ffff:127.0.0.0/104']);
  assert.deepEqual(await visit('127.0.0.1'), served);
  assert.deepEqual(await visit('::1'), refused);
  await restrict(['allow', '::/0']);
  assert.deepEqual(await visit('127.0.0.1'), refused);
  assert.deepEqual(await visit('::1'), served);
  await restrict(['allow', '0.0.0.0/0']);
  assert.deepEqual(await visit('127.0.0.1'), served);
  assert.deepEqual(await visit('::1'), refused);
});

test('P2: without a matching allow rule everybody is refused, also when the policy is gone', async () => {
  await restrict();
  assert.deepEqual(await visit('127.0.0.1'), refused);
  await restrict(['deny', '10.0.0.0/8']);
  assert.deepEqual(await visit('127.0.0.1'), refused);
  await restrict(['allow', '127.0.0.0/8'], ['deny', '127.0.0.2/32']);
  assert.deepEqual(await visit('127.0.0.1'), served);
  assert.deepEqual(await visit('127.0.0.2'), refused);
  await remove(`/ip_policies/${policy}`);
  assert.deepEqual(await visit('127.0.0.1'), refused);
  await platform.killAndRestart();
  assert.deepEqual(await visit('127.0.0.1'), refused);
});

test('P3: a module that is off, or removed, restricts no visitor', async () => {
  await restrict();
  assert.deepEqual(await visit('127.0.0.1'), refused);
  await platform.api('PUT', `${edge}/ip_restriction`, { enabled: false, ip_policy_ids: [policy] });
  assert.deepEqual(await visit('127.0.0.1'), served);
  await platform.api('PUT', `${edge}/ip_restriction`, { ip_policy_ids: [policy] });
  assert.deepEqual(await visit('127.0.0.1'), refused);
  await remove(`${edge}/ip_restriction`);
  assert.deepEqual(await visit('127.0.0.1'), served);
});

test('P4: what the API answered applies to the next request of a connection that is already open', async () => {
  await restrict(['allow', '127.0.0.0/8']);
  const kept = await visitor();
  assert.deepEqual(await kept.get(), served);
  for (let round = 0; round < 5; round++) {
    const { id } = await rule('deny', '127.0.0.1/32');
    assert.deepEqual(await kept.get(), refused);
    assert.deepEqual(await kept.get(), refused);
    await platform.api('PATCH', `/ip_policy_rules/${id}`, { cidr: '127.0.0.9/32' });
    assert.deepEqual(await kept.get(), served);
    await remove(`/ip_policy_rules/${id}`);
  }
});

test('H7: headers that claim another address change nothing, in either direction', async () => {
  const claims = (address: string) => ({
    'x-forwarded-for': address,
    'x-real-ip': address,
    'true-client-ip': address,
    forwarded: `for=${address}`,
  });
  await restrict(['allow', '127.0.0.1/32']);
  assert.deepEqual(await visit('127.0.0.2', claims('127.0.0.1')), refused);
  assert.deepEqual(await visit('127.0.0.1', claims('127.0.0.2')), served);
});

test('P4: connections that pass through are closed at accept, and later when the policy no longer allows them', async (t) => {
  const { pem: ca, key } = selfSigned(RAW);
  const upstream: Server = createServer({ key, cert: ca }, (_request, response) => {
    response.setHeader('content-length', '2').end('ok');
  });
  upstream.listen(0, '127.0.0.1');
  await once(upstream, 'listening');
  t.after(() => {
    upstream.closeAllConnections();
    upstream.close();
  });
  const backend = await create('/backends/tunnel_group', { labels: { tls: 'raw' } });
  policy = (await create('/ip_policies', {})).id;
  await rule('allow', '127.0.0.0/8');
  await create('/reserved_domains', { name: 'raw' });
  await create('/edges/tls', {
    hostports: [`${RAW}:443`],
    backend: { backend_id: backend.id },
    ip_restriction: { ip_policy_ids: [policy] },
  });
  const { port } = upstream.address() as { port: number };
  await platform.agent(['http', `127.0.0.1:${port}`, '--label', 'tls=raw']);

  const first = await visitor('127.0.0.1', RAW, ca);
  const second = await visitor('127.0.0.2', RAW, ca);
  assert.deepEqual(await second.get(), served);
  const closed = new Promise<void>((resolve) => second.socket.once('close', () => resolve()));
  const { id } = await rule('deny', '127.0.0.2/32');
  await closed;
  assert.deepEqual(await first.get(), served);
  await assert.rejects(visitor('127.0.0.2', RAW, ca));
  await assert.rejects(visitor('::1', RAW, ca));
  await remove(`/ip_policy_rules/${id}`);
  const again = await visitor('127.0.0.2', RAW, ca);
  assert.deepEqual(await again.get(), served);
});

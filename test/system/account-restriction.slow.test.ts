/** IP restrictions of an account's API and agents, with a real daemon, real agents, and curl from two addresses. */
import assert from 'node:assert/strict';
import { after, afterEach, before, test } from 'node:test';
import { curl, curlMissing, Platform, startUpstream, type Upstream, underpassd } from '../harness/index.ts';

const HERE = '127.0.0.1';
const THERE = '127.0.0.2';

let platform: Platform;
let upstream: Upstream;
before(async () => {
  platform = await Platform.start({ host: '[::]' });
  upstream = await startUpstream((_request, response) => response.end('ok'));
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});
afterEach(async () => {
  const { ip_restrictions: left } = (await platform.api('GET', '/ip_restrictions')).json;
  for (const { id } of left) await change('DELETE', `/ip_restrictions/${id}`, undefined, 204);
});

/** A request of the API from one of the loopback addresses: its status, and the number of its error. */
async function from(
  address: string,
  method = 'GET',
  path = '/ip_policies',
  headers: readonly string[] = [],
): Promise<[status: number, code: string]> {
  const { api_key, base_url } = platform.bootstrap;
  const sent = [`Authorization: Bearer ${api_key}`, 'Service-Version: 2', ...headers];
  const { stdout, stderr } = await curl(platform, [
    ...['--interface', address, '-X', method, '-w', '\n%{http_code}'],
    ...sent.flatMap((header) => ['-H', header]),
    `${base_url}${path}`,
  ]);
  const [, body = '', status] = /^(.*)\n(\d{3})$/s.exec(stdout) ?? assert.fail(stdout + stderr);
  return [Number(status), /"ERR_SERVICE_(\d+)"/.exec(body)?.[1] ?? ''];
}

const served = [200, ''];
const refused = [403, '220'];

async function change(method: string, path: string, body?: object, expected = 200): Promise<{ id: string }> {
  const { status, text } = await platform.api(method, path, body);
  assert.equal(status, expected, text);
  return text === '' ? { id: '' } : (JSON.parse(text) as { id: string });
}

async function denied(method: string, path: string, body: object | undefined, code: number): Promise<void> {
  const { status, json } = await platform.api(method, path, body);
  assert.deepEqual([status, json.error_code], [409, `ERR_SERVICE_${code}`], json.msg);
}

function rule(policy: string, action: 'allow' | 'deny', cidr: string): Promise<{ id: string }> {
  return change('POST', '/ip_policy_rules', { ip_policy_id: policy, action, cidr }, 201);
}

async function policy(...allowed: readonly string[]): Promise<string> {
  const { id } = await change('POST', '/ip_policies', {}, 201);
  for (const cidr of allowed) await rule(id, 'allow', cidr);
  return id;
}

async function restrict(type: 'api' | 'agent', policies: readonly string[]): Promise<string> {
  const body = { type, enforced: true, ip_policy_ids: policies };
  return `/ip_restrictions/${(await change('POST', '/ip_restrictions', body, 201)).id}`;
}

test('an enforced restriction lets one address use the API and refuses the other, until it is enforced no more', {
  skip: curlMissing,
}, async () => {
  assert.deepEqual([await from(HERE), await from(THERE)], [served, served]);
  const restriction = await restrict('api', [await policy('127.0.0.1/32')]);
  assert.deepEqual([await from(HERE), await from(THERE)], [served, refused]);
  assert.deepEqual(await from(THERE, 'POST'), refused);
  assert.deepEqual(await from(THERE, 'GET', '/nowhere'), refused);
  assert.deepEqual(await from(THERE, 'GET', '/ip_policies', [`X-Forwarded-For: ${HERE}`]), refused);
  assert.deepEqual(await from(THERE, 'GET', '/openapi.json'), served);
  await platform.killAndRestart();
  assert.deepEqual([await from(HERE), await from(THERE)], [served, refused]);
  await change('PATCH', restriction, { enforced: false });
  assert.deepEqual([await from(HERE), await from(THERE)], [served, served]);
  await platform.daemon.line(/would have been refused: the IP restriction is not enforced/);
});

test('a caller who is locked out all the same is let in again by the operator', {
  skip: curlMissing,
}, async () => {
  await restrict('api', [await policy('127.0.0.1/32')]);
  assert.deepEqual(await from(THERE), refused);
  const { account_id } = platform.bootstrap;
  const lift = ['restriction', 'lift', '--account', account_id, '--data-dir', platform.dataDir];
  const lifted = await underpassd(lift);
  assert.match(lifted.stdout, /^no longer enforced {2}ipx_\w+ {2}of ac_/, lifted.stderr);
  assert.deepEqual(await from(THERE), served);
  const again = await underpassd(lift);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /no IP restriction of the API or the console is enforced/);
});

test('P1: on a socket for both families an IPv4 caller is IPv4, and rules of either spelling meet it', {
  skip: curlMissing,
}, async () => {
  const all = await policy('::ffff:127.0.0.1/128', '::/0');
  await restrict('api', [all]);
  assert.deepEqual([await from(HERE), await from(THERE), await from('::1')], [served, refused, served]);
  await rule(all, 'allow', '0.0.0.0/0');
  await rule(all, 'deny', '::1/128');
  assert.deepEqual([await from(HERE), await from(THERE), await from('::1')], [served, served, refused]);
});

test('P2: deny rules beat allow rules, and a policy that is deleted lets nobody in', {
  skip: curlMissing,
}, async () => {
  const [mine, theirs] = [await policy('127.0.0.1/32'), await policy('127.0.0.2/32')];
  await restrict('api', [mine, theirs]);
  assert.deepEqual([await from(HERE), await from(THERE)], [served, served]);
  const { id } = await rule(mine, 'deny', '127.0.0.2/32');
  assert.deepEqual([await from(HERE), await from(THERE)], [served, refused]);
  await change('DELETE', `/ip_policy_rules/${id}`, undefined, 204);
  assert.deepEqual(await from(THERE), served);
  await change('DELETE', `/ip_policies/${theirs}`, undefined, 204);
  assert.deepEqual([await from(HERE), await from(THERE)], [served, refused]);
});

test('P4: what the API answered applies to the next request, in either direction', {
  skip: curlMissing,
}, async () => {
  const mine = await policy('127.0.0.1/32');
  await restrict('api', [mine]);
  for (let round = 0; round < 3; round++) {
    const { id } = await rule(mine, 'allow', '127.0.0.2/32');
    assert.deepEqual(await from(THERE), served);
    await change('PATCH', `/ip_policy_rules/${id}`, { cidr: '127.0.0.3/32' });
    assert.deepEqual(await from(THERE), refused);
    await change('DELETE', `/ip_policy_rules/${id}`, undefined, 204);
  }
});

test('no caller can lock itself out of the API, and everything else can be changed', {
  skip: curlMissing,
}, async () => {
  const [mine, theirs] = [await policy('127.0.0.1/32'), await policy('127.0.0.2/32')];
  const { json } = await platform.api('GET', '/ip_policy_rules');
  const allowing = json.ip_policy_rules.find((one: { cidr: string }) => one.cidr === '127.0.0.1/32');
  const mineOnly = { type: 'api', enforced: true, ip_policy_ids: [theirs] };
  await denied('POST', '/ip_restrictions', mineOnly, 1420);
  const restriction = await restrict('api', [mine, theirs]);
  await denied('PATCH', restriction, { ip_policy_ids: [theirs] }, 1420);
  await denied('DELETE', `/ip_policies/${mine}`, undefined, 1420);
  await denied('DELETE', `/ip_policy_rules/${allowing.id}`, undefined, 1419);
  await denied('PATCH', `/ip_policy_rules/${allowing.id}`, { cidr: '127.0.0.2/32' }, 1419);
  const deny = { ip_policy_id: theirs, action: 'deny', cidr: '127.0.0.0/8' };
  await denied('POST', '/ip_policy_rules', deny, 1419);
  assert.deepEqual([await from(HERE), await from(THERE)], [served, served]);
  await change('DELETE', `/ip_policies/${theirs}`, undefined, 204);
  await change('DELETE', restriction, undefined, 204);
  await change('DELETE', `/ip_policies/${mine}`, undefined, 204);
});

test('P4: an agent from a forbidden address is refused with 115, and one that runs ends when its rule is deleted', {
  skip: curlMissing,
}, async () => {
  const id = await policy('127.0.0.2/32');
  await restrict('agent', [id]);
  const args = ['http', String(upstream.port)];
  await assert.rejects(platform.agent(args), /ERR_SERVICE_115/);
  const { id: allowing } = await rule(id, 'allow', '127.0.0.1/32');
  const { process, url } = await platform.agent(args);
  assert.equal((await platform.visit(url)).status, 200);
  await change('DELETE', `/ip_policy_rules/${allowing}`, undefined, 204);
  assert.notEqual((await platform.visit(url)).status, 200);
  assert.deepEqual((await platform.api('GET', '/tunnel_sessions')).json.tunnel_sessions, []);
  assert.equal((await process.exited).code, 1, 'it does not try for ever');
  assert.match(process.output, /ERR_SERVICE_115/);
});

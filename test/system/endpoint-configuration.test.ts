/**
 * Names whose reservation has modules.
 * Invariant: no way around a module exists.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { idpMetadata } from '../../packages/server/src/pki/idp-metadata.fixture.ts';
import { eventually, Platform, startUpstream, type Upstream, Visitor } from '../harness/index.ts';

const NAME = 'shop.underpass.localhost';
const BELOW = 'a.wild.underpass.localhost';
const served = { status: 200, code: '' };
/** The redirect of SAML, which serves no visitor without a login. */
const refused = { status: 302, code: '' };

let platform: Platform;
let upstream: Upstream;
/** Paths of the reservations. */
let domain: string;
let wildcard: string;

before(async () => {
  platform = await Platform.shared();
  upstream = await startUpstream((_request, response) => response.end('ok'));
  domain = await reserve('shop');
  wildcard = await reserve('*.wild.underpass.localhost');
  for (const name of [NAME, BELOW]) {
    await platform.agent(['http', String(upstream.port), '--domain', name]);
  }
});
after(async () => {
  await platform.stop();
  await upstream.stop();
});

async function reserve(name: string): Promise<string> {
  return `/reserved_domains/${(await create('/reserved_domains', { name })).id}`;
}

async function create(path: string, body: object): Promise<{ id: string }> {
  const { status, json } = await platform.api('POST', path, body);
  assert.equal(status, 201, JSON.stringify(json));
  return json;
}

async function call(method: string, path: string, body?: object): Promise<void> {
  const { status, text } = await platform.api(method, path, body);
  assert.ok(status < 300, text);
}

function connect(name = NAME): Promise<Visitor> {
  const { port, ca } = platform;
  return Visitor.connect({ port, ca, servername: name });
}

async function visit(name = NAME): Promise<{ status: number; code: string }> {
  const visitor = await connect(name);
  const answer = await visitor.get();
  visitor.close();
  return answer;
}

async function configuration(type: string, modules: object = {}): Promise<string> {
  return (await create('/endpoint_configurations', { type, ...modules })).id;
}

test('a tunnel on a name with a module serves nobody whom it keeps out, from the answer of the API on', async () => {
  const id = await configuration('https');
  await call('PATCH', domain, { https_endpoint_configuration_id: id });
  assert.deepEqual(await visit(), served);
  const path = `/endpoint_configurations/${id}`;
  await call('PUT', `${path}/saml`, { idp_metadata: idpMetadata() });
  assert.deepEqual(await visit(), refused);
  await call('PUT', `${path}/saml`, { enabled: false, idp_metadata: idpMetadata() });
  assert.deepEqual(await visit(), served);
  const policy = await create('/ip_policies', {});
  await call('PATCH', path, { ip_policy: { ip_policy_ids: [policy.id] } });
  assert.deepEqual(await visit(), { status: 403, code: '3205' });
  await call('DELETE', `${domain}/https_endpoint_configuration`);
  assert.deepEqual(await visit(), served);
  await call('DELETE', path);
});

test('a connection that was open before is not served either', async () => {
  const id = await configuration('https', { saml: { idp_metadata: idpMetadata() } });
  const visitor = await connect();
  assert.deepEqual(await visitor.get(), served);
  await call('PATCH', domain, { https_endpoint_configuration_id: id });
  const later = await visitor.get().catch(() => 'closed');
  if (later !== 'closed') assert.deepEqual(later, refused);
  visitor.close();
  await call('PATCH', domain, { https_endpoint_configuration_id: '' });
  assert.deepEqual(await visit(), served);
});

test('a wildcard reservation with a module shuts the names below it, and only those', async () => {
  const id = await configuration('https', { saml: { idp_metadata: idpMetadata() } });
  assert.deepEqual(await visit(BELOW), served);
  await call('PATCH', wildcard, { https_endpoint_configuration_id: id });
  assert.deepEqual(await visit(BELOW), refused);
  assert.deepEqual(await visit(), served);
  await call('DELETE', `${wildcard}/https_endpoint_configuration`);
  assert.deepEqual(await visit(BELOW), served);
});

test('after a restart what was shut is shut, and SAML has the same key pair, which is nowhere in the clear', async () => {
  const id = await configuration('https', { saml: { idp_metadata: idpMetadata() } });
  await call('PATCH', domain, { https_endpoint_configuration_id: id });
  const read = async () => (await platform.api('GET', `/endpoint_configurations/${id}/saml`)).json;
  const before = await read();
  assert.equal(before.entity_id, `https://idp.underpass.localhost:${platform.port}/saml/${id}`);
  await platform.restart();
  assert.deepEqual(await read(), before);
  assert.equal(await platform.grepDataDir('BEGIN PRIVATE KEY'), false);
  await eventually(async () => assert.deepEqual(await visit(), refused));
  await call('DELETE', `${domain}/https_endpoint_configuration`);
  assert.deepEqual(await visit(), served);
});

test('the name that identity providers send users to is the service’s own', async () => {
  for (const name of ['idp', 'x.idp.underpass.localhost', '*.idp.underpass.localhost']) {
    const { status, json } = await platform.api('POST', '/reserved_domains', { name });
    assert.equal(status, 400, name);
    assert.match(json.error_code, /^ERR_SERVICE_4(04|50)$/, name);
  }
});

test('modules that this version does not have are unknown', async () => {
  const id = await configuration('https');
  for (const name of ['webhook_verification', 'logging']) {
    const { status } = await platform.api('GET', `/endpoint_configurations/${id}/${name}`);
    assert.equal(status, 404, name);
    const put = await platform.api('PUT', `/endpoint_configurations/${id}/${name}`, {});
    assert.equal(put.status, 404, name);
    const body = { [name]: { enabled: true } };
    const { json } = await platform.api('PATCH', `/endpoint_configurations/${id}`, body);
    assert.equal(json.error_code, 'ERR_SERVICE_214', name);
  }
});

test('XML that would keep a parser busy is refused, and the daemon goes on', async () => {
  const size = 130_000;
  const bombs = [
    `<!DOCTYPE a [<!ENTITY b "${'c'.repeat(1000)}">]><a>${'&b;'.repeat(1000)}</a>`,
    '<a>'.repeat(size / 3),
    'x'.repeat(900_000),
    '<'.repeat(size),
  ];
  for (const idp_metadata of bombs) {
    const { status } = await platform.api('POST', '/endpoint_configurations', {
      type: 'http',
      saml: { idp_metadata },
    });
    assert.equal(status, 400);
  }
  assert.deepEqual(await visit(), served);
});

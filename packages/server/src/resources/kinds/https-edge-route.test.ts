import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import { idpMetadata } from '../../pki/idp-metadata.fixture.ts';
import { proxy } from '../../store/proxy.fixture.ts';
import type { JsonObject, JsonValue } from '../../store/store.ts';
import type { Principal } from '../definition.ts';
import { createEngine } from '../engine/engine.ts';
import { collection, type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { nobody } from '../samples/sample.fixture.ts';

let platform: Platform;
let edge: string;
before(async () => {
  platform = await startPlatform();
  edge = await newEdge();
});
after(() => platform.close());

async function newEdge(as?: Principal): Promise<string> {
  return (await platform.create('https_edge', {}, as)).id;
}

function create(body: JsonObject, below = edge, as?: Principal) {
  return platform.create('https_edge_route', body, as, below);
}
function add(match: string, more: JsonObject = {}, below = edge) {
  return create({ match_type: 'path_prefix', match, ...more }, below);
}
function update(id: string, patch: JsonObject, below = edge) {
  return platform.update('https_edge_route', id, patch, platform.admin, below);
}
function put(id: string, module: string, body: JsonValue, below = edge) {
  return platform.engine.putModule(collection('https_edge_route', below), platform.admin, id, module, body);
}
function getModule(id: string, module: string, below = edge) {
  return platform.engine.getModule(collection('https_edge_route', below), platform.admin, id, module);
}
function removeModule(id: string, module: string, below = edge) {
  return platform.engine.removeModule(collection('https_edge_route', below), platform.admin, id, module);
}

async function refTo(kind: string): Promise<{ id: string; uri: string }> {
  const { id, uri } = await platform.create(kind, {});
  return { id, uri: String(uri) };
}

describe('what a route matches', () => {
  test('match and match type must be given, and be ones that there are', async () => {
    const at = { field: '/match' };
    await refused(create({ match_type: 'exact_path' }), 'routeMatchMissing', at);
    await refused(create({ match_type: 'exact_path', match: null }), 'routeMatchMissing', at);
    for (const match_type of [undefined, null, '', 'prefix', 'EXACT_PATH']) {
      const body = { match: '/a', ...(match_type === undefined ? {} : { match_type }) };
      await refused(create(body), 'routeMatchTypeInvalid', { field: '/match_type' });
    }
  });

  test('a match that no path can have is refused, also when it becomes one', async () => {
    const wrong: [string, ErrorName][] = [
      [' ', 'routeMatchNotAbsolute'],
      ['admin', 'routeMatchNotAbsolute'],
      ['/%2e%2e/admin', 'routeMatchEncoded'],
      ['/a%2Fb', 'routeMatchEncoded'],
      ['/a?b', 'routeMatchCharacter'],
      ['/a\0', 'routeMatchCharacter'],
      ['//admin', 'routeMatchEmptySegment'],
      ['/api/../admin', 'routeMatchDotSegment'],
    ];
    const { id } = await add('/dots/..');
    for (const [match, error] of wrong) {
      for (const match_type of ['exact_path', 'path_prefix'])
        await refused(create({ match_type, match }), error, { field: '/match' });
      await refused(update(id, { match }), error, { field: '/match' });
    }
    await refused(update(id, { match_type: 'exact_path' }), 'routeMatchDotSegment', { field: '/match' });
    await update(id, { match_type: 'exact_path', match: '/no-dots' });
  });

  test('a match is limited in bytes', async () => {
    const longest = `/${'ü'.repeat(255)}x`;
    assert.equal((await add(longest)).match, longest);
    await refused(add(`${longest}x`), 'routeMatchTooLong', { field: '/match', limit: 512 });
  });

  test('a match is unique within its edge, whatever the match types are', async () => {
    const below = await newEdge();
    const { id } = await add('/same', {}, below);
    const same = { match: '/same', match_type: 'exact_path' };
    const { message } = await refused(create(same, below), 'routeMatchTaken', { field: '/match' });
    assert.match(message, /"\/same"/);
    await add('/same/', {}, below);
    await add('/Same', {}, below);
    await add('/same', {}, await newEdge());
    await refused(update(id, { match: '/same/' }, below), 'routeMatchTaken');
    await update(id, { match: '/moved' }, below);
    await create(same, below);
  });

  test('of routes that take a match at once, one gets it', async () => {
    const below = await newEdge();
    const taken = await Promise.allSettled(Array.from({ length: 5 }, () => add('/once', {}, below)));
    assert.equal(taken.filter((one) => one.status === 'fulfilled').length, 1);
  });
});

test('an edge has at most 100 routes, however many are made at once', async () => {
  const below = await newEdge();
  const made = await Promise.all(Array.from({ length: 98 }, (_, at) => add(`/${at}`, {}, below)));
  const last = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => add(`/last/${at}`, {}, below)));
  assert.equal(last.filter((one) => one.status === 'fulfilled').length, 2);
  for (const one of last) if (one.status === 'rejected') assert.equal(one.reason.code, 'routeCount');
  const routes = async () => (await platform.get('https_edge', below)).routes as JsonObject[];
  assert.equal((await routes()).length, 100);
  const { revision } = await platform.store.snapshot(['https_edge_route']);
  await refused(add('/more', {}, below), 'routeCount', { limit: 100 });
  assert.equal(
    (await platform.store.snapshot(['https_edge_route'])).revision,
    revision,
    'nothing is written',
  );
  await add('/elsewhere', {}, await newEdge());
  await platform.remove('https_edge_route', made[0]!.id, platform.admin, below);
  await add('/more', {}, below);
  assert.equal((await routes()).length, 100);
});

test('a route too many is taken back also when somebody changes it before that', async () => {
  const below = await newEdge();
  await Promise.all(Array.from({ length: 100 }, (_, at) => add(`/${at}`, {}, below)));
  const { store, settings, online, sealer, admin } = platform;
  let changed = '';
  const engine = createEngine({
    settings,
    online,
    sealer,
    now: Date.now,
    store: proxy(store, {
      /** Hides one route before the insert, as if it were made at the same time, and changes the new one after it. */
      async page(query) {
        const found = await store.page(query);
        const { before, ...all } = query;
        if (before === undefined) return found.slice(1);
        const [newest] = await store.page({ ...all, limit: 1 });
        changed = newest!.id;
        await update(changed, { description: 'changed' }, below);
        return found;
      },
    }),
  });
  const body = { match_type: 'exact_path', match: '/more' };
  await refused(engine.create(collection('https_edge_route', below), admin, body), 'routeCount');
  assert.notEqual(changed, '');
  assert.equal(await store.get(changed), null);
});

describe('where a route is', () => {
  test('a route is found below its own edge only', async () => {
    const { id } = await add('/here');
    const sibling = await newEdge();
    const { message, details } = await refused(
      platform.get('https_edge_route', `edghtsrt_${nobody}`, platform.admin, edge),
      'resourceNotFound',
    );
    for (const call of [
      platform.get('https_edge_route', id, platform.admin, sibling),
      platform.get('https_edge_route', id, platform.admin, `edghts_${nobody}`),
      platform.get('https_edge_route', id, platform.stranger, edge),
      update(id, { description: 'x' }, sibling),
      put(id, 'backend', {}, sibling),
      getModule(id, 'backend', sibling),
      platform.remove('https_edge_route', id, platform.admin, sibling),
    ]) {
      const problem = await refused(call, 'resourceNotFound');
      assert.deepEqual([problem.message, problem.details], [message, details]);
    }
  });

  test('a route cannot be made below what is no HTTPS edge of the account', async () => {
    const route = { match_type: 'exact_path', match: '/x' };
    const { id: tls } = await platform.create('tls_edge', {});
    await refused(create(route, tls), 'idPrefixWrong', { field: 'edge_id' });
    await refused(create(route, `edghts_${nobody}`), 'resourceNotFound');
    await refused(create(route, await newEdge(platform.stranger)), 'resourceNotFound');
    await refused(create({ nonsense: 1 }, edge, platform.stranger), 'resourceNotFound');
  });

  test('a body may repeat the edge of the path, and name no other one', async () => {
    const { id, edge_id } = await add('/repeated', { edge_id: edge });
    assert.equal(edge_id, edge);
    const other = await newEdge();
    await refused(add('/other', { edge_id: other }), 'pathParameterMismatch', { field: '/edge_id' });
    await refused(update(id, { edge_id: other }), 'pathParameterMismatch', { field: '/edge_id' });
    assert.equal((await update(id, { id, edge_id: edge, description: 'x' })).edge_id, edge);
    const { id: backend_id } = await platform.create('http_response_backend', {});
    await put(id, 'backend', { id, edge_id: edge, backend_id });
    await refused(put(id, 'backend', { edge_id: other, backend_id }), 'pathParameterMismatch');
  });
});

describe('the modules of a route', () => {
  test('each is set, read, replaced and removed', async () => {
    const policy = await refTo('ip_policy');
    const backend = await refTo('http_response_backend');
    const modules: [string, JsonObject, JsonObject][] = [
      ['backend', { backend_id: backend.id }, { backend }],
      ['ip_restriction', { ip_policy_ids: [policy.id] }, { ip_policies: [policy] }],
      ['compression', {}, {}],
      ['websocket_tcp_converter', {}, {}],
      ['request_headers', { add: { 'X-One': '1' } }, { add: { 'x-one': '1' }, remove: [] }],
      ['response_headers', { remove: ['Server'] }, { add: {}, remove: ['server'] }],
      ['user_agent_filter', { deny: ['bot'] }, { allow: [], deny: ['bot'] }],
      ['webhook_verification', { provider: 'SLACK', secret: 's' }, { provider: 'SLACK', secret: '' }],
      [
        'circuit_breaker',
        { error_threshold_percentage: 0.5 },
        {
          tripped_duration: 0,
          rolling_window: 0,
          num_buckets: 0,
          volume_threshold: 0,
          error_threshold_percentage: 0.5,
        },
      ],
    ];
    for (const [name, body, read] of modules) {
      const { id, [name]: unset } = await add(`/modules/${name}`);
      assert.equal(unset, null, name);
      await refused(getModule(id, name), 'moduleNotSet');
      await refused(removeModule(id, name), 'moduleNotSet');
      assert.deepEqual(await put(id, name, body), { enabled: true, ...read }, name);
      assert.deepEqual(await put(id, name, { ...body, enabled: false }), { enabled: false, ...read }, name);
      assert.deepEqual(await getModule(id, name), { enabled: false, ...read }, name);
      const patched = await update(id, { [name]: body });
      assert.deepEqual(patched[name], { enabled: true, ...read }, name);
      assert.deepEqual((await update(id, { [name]: null }))[name], patched[name], name);
      await removeModule(id, name);
      assert.equal((await platform.get('https_edge_route', id, platform.admin, edge))[name], null, name);
      const created = await add(`/created-with/${name}`, { [name]: body });
      assert.deepEqual(created[name], patched[name], name);
    }
  });

  test('SAML names the route in its URLs, and shows no key', async () => {
    const { id, saml } = await add('/login', { saml: { idp_metadata: idpMetadata() } }, await newEdge());
    const { entity_id, request_signing_certificate_pem } = saml as JsonObject;
    assert.equal(entity_id, `https://idp.underpass.localhost:8443/saml/${id}`);
    assert.match(String(request_signing_certificate_pem), /^-----BEGIN CERTIFICATE-----/);
    assert.doesNotMatch(JSON.stringify(saml), /sealed|PRIVATE KEY/);
  });

  test('one route of an edge may have SAML, also when several ask at once or it is off', async () => {
    const below = await newEdge();
    const saml = { idp_metadata: idpMetadata() };
    const { id: first } = await add('/first', { saml }, below);
    const { id: second } = await add('/second', {}, below);
    await refused(add('/third', { saml }, below), 'loginOnOtherRoute');
    await refused(update(second, { saml }, below), 'loginOnOtherRoute');
    await refused(put(second, 'saml', saml, below), 'loginOnOtherRoute');
    await put(first, 'saml', { ...saml, enabled: false }, below);
    await refused(put(second, 'saml', saml, below), 'loginOnOtherRoute');
    await add('/elsewhere', { saml }, await newEdge());
    await removeModule(first, 'saml', below);
    const both = await Promise.allSettled([first, second].map((id) => put(id, 'saml', saml, below)));
    assert.deepEqual(both.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
    for (const one of both) if (one.status === 'rejected') assert.equal(one.reason.code, 'loginOnOtherRoute');
  });

  test('the secret of a webhook verification stays while its sender does, and is nowhere shown', async () => {
    const { id } = await add('/hook', { webhook_verification: { provider: 'stripe', secret: 'whsec_1' } });
    const at = async () => (await platform.store.get(id))?.body;
    const before = await at();
    assert.doesNotMatch(JSON.stringify(before), /whsec_1/);
    await put(id, 'webhook_verification', { provider: 'STRIPE', enabled: false });
    await update(id, { webhook_verification: { provider: 'stripe', secret: '', enabled: true } });
    assert.deepEqual(await at(), before);
    const other = put(id, 'webhook_verification', { provider: 'github' });
    await refused(other, 'webhookSecretMissing', { field: '/secret' });
    await put(id, 'webhook_verification', { provider: 'stripe', secret: 'whsec_2' });
    assert.notDeepEqual(await at(), before);
  });

  test('a secret that has to be base64 and is not is refused, and a stored one stays', async () => {
    const hook = (provider: string, secret: string) => ({ webhook_verification: { provider, secret } });
    const field = { field: '/webhook_verification/secret' };
    const { id } = await add('/base64', hook('svix', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'));
    for (const provider of ['svix', 'CLERK', 'brex', 'microsoft_teams'])
      for (const secret of ['It is a secret', 'whsec_', 'abcde', 'whsec_ab=c', 'abcd\n', '====']) {
        await refused(update(id, hook(provider, secret)), 'webhookSecretNotBase64', field);
        await refused(add('/other', hook(provider, secret)), 'webhookSecretNotBase64', field);
      }
    for (const secret of ['whsec_ab==', 'YWJj', 'YWI', 'a-_b', 'a+/b', 'whsec_whse'])
      await update(id, hook('svix', secret));
    await update(id, hook('github', 'It is a secret'));
    await update(id, { webhook_verification: { provider: 'github', enabled: false } });
  });

  test('a module that comes later is unknown', async () => {
    for (const name of ['basic_auth', 'traffic_policy', 'mutual_tls']) {
      await refused(add('/later', { [name]: { enabled: true } }), 'fieldUnknown', { field: `/${name}` });
    }
  });

  test('references to nothing and to another account are refused', async () => {
    const { id } = await add('/references');
    const { id: foreign } = await platform.create('http_response_backend', {}, platform.stranger);
    await refused(put(id, 'backend', { backend_id: foreign }), 'backendUnknown', { field: '/backend_id' });
    await refused(put(id, 'backend', { backend_id: `ipp_${nobody}` }), 'notBackendId');
    const unknown = { ip_policy_ids: [`ipp_${nobody}`] };
    await refused(add('/unknown', { ip_restriction: unknown }), 'ipPolicyUnknown', {
      field: '/ip_restriction/ip_policy_ids/0',
    });
  });
});

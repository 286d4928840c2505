import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { Problem } from '../../errors/problem.ts';
import { makeChain } from '../../pki/certificates.fixture.ts';
import { idpMetadata } from '../../pki/idp-metadata.fixture.ts';
import type { JsonObject } from '../../store/store.ts';
import type { Principal } from '../definition.ts';
import { collection, type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { nobody } from '../samples/sample.fixture.ts';

const kind = 'endpoint_configuration';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

async function configured(type: string, modules: JsonObject = {}): Promise<string> {
  return (await platform.create(kind, { type, ...modules })).id;
}

/** A body for each module, and how it is read; what it refers to is made first. */
async function everyModule(): Promise<Readonly<Record<string, { send: JsonObject; shown?: JsonObject }>>> {
  const policy = await platform.create('ip_policy', {});
  const backend = await platform.create('http_response_backend', {});
  const authority = await platform.create('certificate_authority', {
    ca_pem: makeChain('a.example.com').root,
  });
  const ref = ({ id, uri }: JsonObject) => ({ id, uri }) as JsonObject;
  return {
    websocket_tcp_converter: { send: {}, shown: { enabled: true } },
    user_agent_filter: { send: { deny: ['a'] }, shown: { enabled: true, allow: [], deny: ['a'] } },
    circuit_breaker: {
      send: { error_threshold_percentage: 0.5 },
      shown: {
        enabled: true,
        tripped_duration: 0,
        rolling_window: 0,
        num_buckets: 0,
        volume_threshold: 0,
        error_threshold_percentage: 0.5,
      },
    },
    basic_auth: {
      send: { realm: 'Reports' },
      shown: { enabled: true, auth_provider_id: 'agent', realm: 'Reports', allow_options: false },
    },
    compression: { send: {}, shown: { enabled: true } },
    request_headers: {
      send: { add: { 'X-A': '1' } },
      shown: { enabled: true, add: { 'x-a': '1' }, remove: [] },
    },
    response_headers: {
      send: { remove: ['Server'] },
      shown: { enabled: true, add: {}, remove: ['server'] },
    },
    ip_policy: {
      send: { ip_policy_ids: [policy.id] },
      shown: { enabled: true, ip_policies: [ref(policy)] },
    },
    mutual_tls: {
      send: { certificate_authority_ids: [authority.id] },
      shown: { enabled: true, certificate_authorities: [ref(authority)] },
    },
    tls_termination: {
      send: { terminate_at: 'edge' },
      shown: { enabled: true, terminate_at: 'edge', min_version: '' },
    },
    webhook_validation: {
      send: { provider: 'TWILIO', secret: 'token' },
      shown: { enabled: true, provider: 'TWILIO', secret: '' },
    },
    saml: { send: { idp_metadata: idpMetadata() } },
    backend: { send: { backend_id: backend.id }, shown: { enabled: true, backend: ref(backend) } },
  };
}

describe('modules of endpoint configurations', () => {
  test('each can be put, read and removed; unset it is not found', async () => {
    const id = await configured('https');
    const { engine, admin } = platform;
    for (const [name, { send, shown }] of Object.entries(await everyModule())) {
      const get = (as = admin) => engine.getModule(collection(kind), as, id, name);
      await refused(get(), 'moduleNotSet');
      const put = await engine.putModule(collection(kind), admin, id, name, send);
      if (shown !== undefined) assert.deepEqual(put, shown, name);
      assert.deepEqual(await get(), put, name);
      assert.deepEqual((await platform.get(kind, id))[name], put, name);
      await refused(get(platform.stranger), 'resourceNotFound');
      await refused(
        engine.putModule(collection(kind), platform.stranger, id, name, send),
        'resourceNotFound',
      );
      await engine.removeModule(collection(kind), admin, id, name);
      assert.equal((await platform.get(kind, id))[name], null);
      await refused(engine.removeModule(collection(kind), admin, id, name), 'moduleNotSet');
    }
  });

  test('all of them can be given when it is created, and a patch changes one', async () => {
    const modules = Object.entries(await everyModule());
    const body = Object.fromEntries(modules.map(([name, { send }]) => [name, send]));
    const created = await platform.create(kind, { type: 'https', ...body });
    for (const [name, { shown }] of modules) if (shown !== undefined) assert.deepEqual(created[name], shown);
    const updated = await platform.update(kind, created.id, { compression: { enabled: false } });
    assert.deepEqual(updated, { ...created, compression: { enabled: false } });
  });

  test('one that was stored before there were all modules has those it has, and takes others', async () => {
    const { engine, admin, store } = platform;
    let id = '';
    await store.write((newId) => {
      id = newId('ec');
      const body = { type: 'https', description: '', metadata: '', compression: { enabled: true } };
      return [{ op: 'insert', id, account: admin.account, kind, parent: null, body, links: [], names: [] }];
    });
    const { compression, user_agent_filter } = await platform.get(kind, id);
    assert.deepEqual(
      { compression, user_agent_filter },
      { compression: { enabled: true }, user_agent_filter: null },
    );
    await engine.putModule(collection(kind), admin, id, 'user_agent_filter', { deny: ['a'] });
    const patched = await platform.update(kind, id, { description: 'old' });
    assert.deepEqual(patched.user_agent_filter, { enabled: true, allow: [], deny: ['a'] });
  });

  test('the addresses of SAML bear the id, and its key pair outlives everything but its removal', async () => {
    const { engine, admin } = platform;
    const send = { idp_metadata: idpMetadata() };
    const { id, saml } = await platform.create(kind, { type: 'http', saml: send });
    const { entity_id, request_signing_certificate_pem: pem } = saml as JsonObject;
    assert.equal(entity_id, `https://idp.underpass.localhost:8443/saml/${id}`);
    const put = await engine.putModule(collection(kind), admin, id, 'saml', { ...send, force_authn: true });
    assert.equal(put.force_authn, true);
    assert.equal(put.request_signing_certificate_pem, pem);
    const patched = (await platform.update(kind, id, { saml: send })).saml as JsonObject;
    assert.deepEqual(patched, saml);
    await engine.removeModule(collection(kind), admin, id, 'saml');
    const anew = await engine.putModule(collection(kind), admin, id, 'saml', send);
    assert.notEqual(anew.request_signing_certificate_pem, pem);
    const stored = JSON.stringify(await platform.store.get(id));
    assert.ok(!stored.includes('PRIVATE KEY') && stored.includes('request_signing_key_sealed'));
    assert.ok(!JSON.stringify([put, await platform.get(kind, id)]).includes('sealed'));
  });

  test('users log in by one module, be it turned on or not', async () => {
    const { engine, admin } = platform;
    const oidc = { issuer: 'https://accounts.example.com', client_id: 'c', client_secret: 's' };
    const id = await configured('https', { saml: { enabled: false, idp_metadata: idpMetadata() } });
    const put = () => engine.putModule(collection(kind), admin, id, 'oidc', oidc);
    await refused(put(), 'loginModuleTwice', { field: '/oidc' });
    await engine.removeModule(collection(kind), admin, id, 'saml');
    assert.equal((await put()).client_secret, '');
  });

  test('faults are named by where they stand in the request', async () => {
    const id = await configured('https');
    const cases: [string, JsonObject, ErrorName, string][] = [
      ['circuit_breaker', { num_buckets: 129 }, 'bucketCountInvalid', '/num_buckets'],
      ['request_headers', { remove: ['te'] }, 'headerKeptByEdge', '/remove/0'],
      ['response_headers', { add: { ' ': '' } }, 'headerNameInvalid', '/add/ '],
      ['saml', {}, 'samlMetadataMissing', '/idp_metadata'],
      ['oidc', { client_id: 'c' }, 'oidcIssuerMissing', '/issuer'],
      ['webhook_validation', {}, 'webhookProviderMissing', '/provider'],
      ['webhook_validation', { provider: 'sns' }, 'webhookProviderUnsupported', '/provider'],
      ['webhook_validation', { provider: 'github' }, 'webhookSecretMissing', '/secret'],
      [
        'webhook_validation',
        { provider: 'github', secret: 's'.repeat(513) },
        'webhookSecretTooLong',
        '/secret',
      ],
      ['basic_auth', { auth_provider_id: 'ldap' }, 'authProviderInvalid', '/auth_provider_id'],
      ['basic_auth', { realm: 'ä' }, 'realmInvalid', '/realm'],
      ['basic_auth', { realm: 'r'.repeat(129) }, 'realmTooLong', '/realm'],
      ['ip_policy', {}, 'ipPolicyMissing', '/ip_policy_ids'],
      ['ip_policy', { ip_policy_ids: [`ipp_${nobody}`] }, 'configurationPolicyUnknown', '/ip_policy_ids/0'],
      ['ip_policy', { ip_policy_ids: ['ca_1'] }, 'notIpPolicyId', '/ip_policy_ids/0'],
      [
        'mutual_tls',
        { certificate_authority_ids: [`ca_${nobody}`] },
        'configurationAuthorityUnknown',
        '/certificate_authority_ids/0',
      ],
    ];
    for (const [name, body, error, field] of cases) {
      const at = { field: `/${name}${field}` };
      await refused(platform.engine.putModule(collection(kind), platform.admin, id, name, body), error, {
        field,
      });
      // Inside the resource an empty module is one that is not given.
      if (Object.keys(body).length === 0) continue;
      await refused(platform.create(kind, { type: 'https', [name]: body }), error, at);
      await refused(platform.update(kind, id, { [name]: body }), error, at);
    }
  });

  test('what it refers to stays, but for IP policies', async () => {
    const { backend, mutual_tls, ip_policy } = await everyModule();
    const modules = { backend: backend!.send, mutual_tls: mutual_tls!.send, ip_policy: ip_policy!.send };
    const id = await configured('https', modules);
    const backendId = String(modules.backend.backend_id);
    await refused(platform.remove('http_response_backend', backendId), 'backendInUse', { used_by: [id] });
    const [authority] = modules.mutual_tls.certificate_authority_ids as string[];
    const inUse = platform.remove('certificate_authority', authority!);
    await refused(inUse, 'certificateAuthorityInUse', { used_by: [id] });
    const [policy] = modules.ip_policy.ip_policy_ids as string[];
    await platform.remove('ip_policy', policy!);
    await platform.remove(kind, id);
    await platform.remove('http_response_backend', backendId);
  });
});

describe('types of endpoint configurations', () => {
  test('one is needed, exists, and never changes', async () => {
    await refused(platform.create(kind, {}), 'configurationTypeMissing', { field: '/type' });
    await refused(platform.create(kind, { type: null }), 'configurationTypeMissing', { field: '/type' });
    await refused(platform.create(kind, { type: 'tls' }), 'configurationTypeInvalid', {
      field: '/type',
      allowed: ['http', 'https', 'tcp'],
    });
    const id = await configured('http');
    await refused(platform.update(kind, id, { type: 'http' }), 'fieldUnknown', { field: '/type' });
  });

  test('each takes the modules that can work on it, and no others', async () => {
    const notForHttp = ['mutual_tls', 'tls_termination'];
    const forTcp = ['ip_policy', 'backend'];
    const possible: Record<string, (name: string) => boolean> = {
      https: () => true,
      http: (name) => !notForHttp.includes(name),
      tcp: (name) => forTcp.includes(name),
    };
    for (const [type, isPossible] of Object.entries(possible)) {
      const id = await configured(type);
      for (const [name, { send }] of Object.entries(await everyModule())) {
        const { engine, admin } = platform;
        const calls = [
          () => engine.putModule(collection(kind), admin, id, name, { ...send, enabled: false }),
          () => platform.update(kind, id, { [name]: send }),
          () => platform.create(kind, { type, [name]: send }),
        ];
        for (const call of calls) {
          if (isPossible(name)) await call();
          else await refused(call(), 'moduleNotForType', { field: `/${name}` });
        }
      }
    }
  });

  test('modules that need to see inside TLS are refused where it passes through, in whatever order', async () => {
    const { engine, admin } = platform;
    const through = { terminate_at: 'upstream' };
    const blind = new Set(['ip_policy', 'backend', 'tls_termination']);
    for (const [name, { send }] of Object.entries(await everyModule())) {
      if (blind.has(name)) continue;
      const error = name === 'mutual_tls' ? 'mutualTlsNotTerminated' : 'configurationNotTerminated';
      const id = await configured('https', { tls_termination: through });
      const put = (module: string, body: JsonObject) =>
        engine.putModule(collection(kind), admin, id, module, body);
      await refused(put(name, send), error, { field: `/${name}` });
      await put(name, { ...send, enabled: false });
      await refused(platform.update(kind, id, { [name]: send }), error);
      await put('tls_termination', { ...through, enabled: false });
      await put(name, send);
      await refused(put('tls_termination', through), error);
      await put('tls_termination', { terminate_at: 'edge' });
    }
    const modules = await everyModule();
    const rest = { ip_policy: modules.ip_policy!.send, backend: modules.backend!.send };
    await configured('https', { tls_termination: through, ...rest });
  });
});

describe('endpoint configurations on reserved domains', () => {
  let counter = 0;
  const reserve = (as?: Principal) =>
    platform.create('reserved_domain', { name: `ec-${++counter}.example.com` }, as);

  test('one of each type is attached, shown, changed and taken off', async () => {
    const { id } = await reserve();
    const patch = (body: JsonObject) => platform.update('reserved_domain', id, body);
    for (const type of ['http', 'https']) {
      const [one, two] = [await configured(type), await configured(type)];
      const field = `${type}_endpoint_configuration`;
      const shown = async () => (await platform.get('reserved_domain', id))[field];
      const ref = (of: string) => ({
        id: of,
        uri: `https://api.underpass.localhost:8443/endpoint_configurations/${of}`,
      });
      assert.deepEqual((await patch({ [`${field}_id`]: one }))[field], ref(one));
      await patch({ [`${field}_id`]: one });
      await patch({ description: 'x', [`${field}_id`]: null });
      assert.deepEqual(await shown(), ref(one));
      await refused(platform.remove(kind, one), 'configurationInUse', { used_by: [id] });
      await patch({ [`${field}_id`]: two });
      await platform.remove(kind, one);
      await patch({ [`${field}_id`]: '' });
      assert.equal(await shown(), null);
      await patch({ [`${field}_id`]: two });
      const detach = (as = platform.admin) =>
        platform.engine.detach(collection('reserved_domain'), as, id, field);
      await refused(detach(platform.stranger), 'resourceNotFound');
      await detach();
      assert.equal(await shown(), null);
      await refused(detach(), 'nothingAttached');
      await platform.remove(kind, two);
    }
  });

  test('a managed certificate that nobody asked for is not there to be taken off', async () => {
    const { id } = await reserve();
    const { engine, admin } = platform;
    const detach = engine.detach(collection('reserved_domain'), admin, id, 'certificate_management_policy');
    await refused(detach, 'nothingAttached');
  });

  test('both may stand side by side, and go with the domain', async () => {
    const { id } = await reserve();
    const [http, https] = [await configured('http'), await configured('https')];
    await platform.update('reserved_domain', id, {
      http_endpoint_configuration_id: http,
      https_endpoint_configuration_id: https,
    });
    await platform.remove('reserved_domain', id);
    await platform.remove(kind, http);
    await platform.remove(kind, https);
  });

  test('another type, another kind, nothing, and what another account has are refused', async () => {
    const { id } = await reserve();
    const foreign = await platform.create(kind, { type: 'http' }, platform.stranger);
    for (const [name, types] of [
      ['http_endpoint_configuration_id', ['https', 'tcp']],
      ['https_endpoint_configuration_id', ['http', 'tcp']],
    ] as const) {
      const field = `/${name}`;
      const patch = (value: string) => platform.update('reserved_domain', id, { [name]: value });
      for (const type of types) {
        await refused(patch(await configured(type)), 'domainConfigurationType', { field });
      }
      await refused(patch(`ec_${nobody}`), 'endpointConfigurationUnknown', { field });
      await refused(patch(foreign.id), 'endpointConfigurationUnknown', { field });
      await refused(patch(id), 'referenceOfWrongKind', { field });
    }
  });

  for (const edge of ['tls_edge', 'https_edge']) {
    test(`a domain has either endpoint configurations or a ${edge}`, async () => {
      const ec = await configured('https');
      const { id, domain } = await reserve();
      const hostports = [`${domain}:443`];
      const attach = () => platform.update('reserved_domain', id, { https_endpoint_configuration_id: ec });
      const bound = await platform.create(edge, { hostports });
      await refused(attach(), 'domainOnEdge', {
        field: '/https_endpoint_configuration_id',
        used_by: [bound.id],
      });
      await platform.update(edge, bound.id, { hostports: [] });
      await attach();
      const at = { field: '/hostports/0' };
      await refused(platform.create(edge, { hostports }), 'hostportDomainConfigured', at);
      await refused(platform.update(edge, bound.id, { hostports }), 'hostportDomainConfigured', at);
      await platform.update('reserved_domain', id, { https_endpoint_configuration_id: '' });
      await platform.update(edge, bound.id, { hostports });
    });
  }

  test('of an edge and a configuration that ask for one domain at once, one gets it', async () => {
    for (let round = 0; round < 10; round++) {
      const ec = await configured('http');
      const { id, domain } = await reserve();
      const outcomes = await Promise.allSettled([
        platform.create('tls_edge', { hostports: [`${domain}:443`] }),
        platform.update('reserved_domain', id, { http_endpoint_configuration_id: ec }),
      ]);
      const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
      assert.equal(refusals.length, 1);
      const { code } = refusals[0]!.reason as Problem;
      assert.ok(['domainOnEdge', 'hostportDomainConfigured', 'hostportTaken'].includes(code), code);
    }
  });

  test('a wildcard counts for the names below it that have no reservation of their own', async () => {
    const ec = await configured('http');
    const wildcard = await platform.create('reserved_domain', { name: '*.wild.example.com' });
    await platform.create('reserved_domain', { name: 'own.wild.example.com' });
    const attach = () =>
      platform.update('reserved_domain', wildcard.id, { http_endpoint_configuration_id: ec });
    const below = await platform.create('tls_edge', { hostports: ['below.wild.example.com:443'] });
    await refused(attach(), 'domainOnEdge', { used_by: [below.id] });
    await platform.remove('tls_edge', below.id);
    await attach();
    const hostports = ['below.wild.example.com:443'];
    await refused(platform.create('tls_edge', { hostports }), 'hostportDomainConfigured');
    await platform.create('tls_edge', { hostports: ['own.wild.example.com:443'] });
  });
});

describe('endpoint configurations on reserved addresses', () => {
  test('one of type tcp is attached, shown, and taken off', async () => {
    const { id } = await platform.create('reserved_addr', {});
    const [one, two] = [await configured('tcp'), await configured('tcp')];
    const patch = async (endpoint_configuration_id: string | null) =>
      (await platform.update('reserved_addr', id, { endpoint_configuration_id })).endpoint_configuration;
    const ref = (of: string) => ({
      id: of,
      uri: `https://api.underpass.localhost:8443/endpoint_configurations/${of}`,
    });
    assert.deepEqual(await patch(one), ref(one));
    assert.deepEqual(await patch(null), ref(one));
    await refused(platform.remove(kind, one), 'configurationInUse', { used_by: [id] });
    assert.deepEqual(await patch(two), ref(two));
    await platform.remove(kind, one);
    assert.equal(await patch(''), null);
    await patch(two);
    const detach = () =>
      platform.engine.detach(collection('reserved_addr'), platform.admin, id, 'endpoint_configuration');
    await detach();
    assert.equal((await platform.get('reserved_addr', id)).endpoint_configuration, null);
    await refused(detach(), 'nothingAttached');
    const field = '/endpoint_configuration_id';
    for (const type of ['http', 'https']) {
      await refused(patch(await configured(type)), 'addressConfigurationType', { field });
    }
    await refused(patch(`ec_${nobody}`), 'endpointConfigurationUnknown', { field });
    await refused(patch(id), 'referenceOfWrongKind', { field });
  });
});

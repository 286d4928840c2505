import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { JsonObject, JsonValue } from '../../store/store.ts';
import { collection, type Platform, pattern, refused, startPlatform } from '../engine.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const nobody = '0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const kind = collection('tls_edge');
let counter = 0;

async function reserve(
  as = platform.admin,
  name = `edge-${++counter}`,
): Promise<{ id: string; domain: string }> {
  const { id, domain } = await platform.create('reserved_domain', { name }, as);
  return { id, domain: String(domain) };
}

function put(id: string, module: string, body: JsonValue): Promise<JsonObject> {
  return platform.engine.putModule(kind, platform.admin, id, module, body);
}
function getModule(id: string, module: string): Promise<JsonObject> {
  return platform.engine.getModule(kind, platform.admin, id, module);
}
function removeModule(id: string, module: string): Promise<void> {
  return platform.engine.removeModule(kind, platform.admin, id, module);
}

describe('TLS edge hostports', () => {
  test('port 443 and the port of the base URL are the same hostport', async () => {
    const { domain } = await reserve();
    const first = await platform.create('tls_edge', { hostports: [`${domain.toUpperCase()}.:8443`] });
    assert.deepEqual(first.hostports, [`${domain}:443`]);
    await refused(platform.create('tls_edge', { hostports: [`${domain}:443`] }), 'hostportTaken', {
      field: '/hostports/0',
    });
    const { domain: other } = await reserve();
    const both = [`${other}:443`, `${other}:8443`];
    await refused(platform.create('tls_edge', { hostports: both }), 'hostportRepeated', {
      field: '/hostports/1',
    });
  });

  test('what is no hostport is refused, and the element named', async () => {
    const wrong: [string, ErrorName][] = [
      ['', 'hostportMalformed'],
      ['a.example.com', 'hostportMalformed'],
      ['a.example.com:', 'hostportMalformed'],
      ['a.example.com:https', 'hostportMalformed'],
      ['a_b.example.com:443', 'hostportMalformed'],
      ['10.0.0.1:443', 'hostportMalformed'],
      ['[::1]:443', 'hostportMalformed'],
      ['a.*.example.com:443', 'hostportMalformed'],
      ['a.example.com:443:443', 'hostportMalformed'],
      ['a.example.com:0', 'hostportPort'],
      ['a.example.com:0443', 'hostportPort'],
      ['a.example.com:65536', 'hostportPort'],
      ['a.example.com:80', 'hostportPortNotServed'],
      ['a.example.com:443', 'hostportNotReserved'],
      ['*.example.com:443', 'hostportNotReserved'],
      ['underpass.localhost:443', 'hostportOfService'],
      ['*.underpass.localhost:443', 'hostportOfService'],
      ['connect.underpass.localhost:443', 'hostportOfService'],
      ['a.cname.us.underpass.localhost:443', 'hostportOfService'],
      ['1.tcp.underpass.localhost:443', 'hostportIsAddressForTls'],
    ];
    const { domain } = await reserve();
    for (const [hostport, error] of wrong) {
      const call = platform.create('tls_edge', { hostports: [`${domain}:443`, hostport] });
      await refused(call, error, { field: '/hostports/1' });
    }
    const many = Array.from({ length: 101 }, () => 'x');
    await refused(platform.create('tls_edge', { hostports: many }), 'hostportCount', { limit: 100 });
  });

  test('a name of another account is refused, below its wildcard too', async () => {
    const { domain } = await reserve(platform.stranger);
    await reserve(platform.stranger, '*.foreign.example.com');
    for (const name of [
      domain,
      'a.foreign.example.com',
      '*.foreign.example.com',
      '*.a.foreign.example.com',
    ]) {
      await refused(platform.create('tls_edge', { hostports: [`${name}:443`] }), 'hostportReservedElsewhere');
    }
  });

  test('an own wildcard carries every name below it, and not the name itself', async () => {
    const { id } = await reserve(platform.admin, '*.wild.example.com');
    const hostports = ['a.wild.example.com:443', 'b.a.wild.example.com:443', '*.c.wild.example.com:443'];
    const edge = await platform.create('tls_edge', { hostports });
    assert.deepEqual(edge.hostports, hostports);
    await refused(
      platform.create('tls_edge', { hostports: ['wild.example.com:443'] }),
      'hostportNotReserved',
    );
    await refused(platform.remove('reserved_domain', id), 'domainInUse', { used_by: [edge.id] });
  });

  test('a name that is held for an agent of another account is refused, for an agent of the own one it is not', async () => {
    for (const [owner, error] of [
      [platform.stranger, 'hostportHeld'],
      [platform.admin, null],
    ] as const) {
      const { domain } = await reserve();
      platform.online.held.set(pattern(String(domain)), owner.account);
      const made = platform.create('tls_edge', { hostports: [`${domain}:443`] });
      if (error === null) assert.deepEqual((await made).hostports, [`${domain}:443`]);
      else await refused(made, error, { field: '/hostports/0' });
    }
  });

  test('a name that an agent has online is refused, but one that the edge already has is kept', async () => {
    const { domain } = await reserve();
    await platform.tunnel(platform.admin.account, { name: domain });
    await refused(platform.create('tls_edge', { hostports: [`${domain}:443`] }), 'hostportOnline');
    const { domain: own } = await reserve();
    const { id } = await platform.create('tls_edge', { hostports: [`${own}:443`] });
    await platform.tunnel(platform.admin.account, { name: own });
    await platform.update('tls_edge', id, { hostports: [`${own}:443`] });
  });

  test('a reserved domain cannot be deleted while an edge has it', async () => {
    const { id, domain } = await reserve();
    const edge = await platform.create('tls_edge', { hostports: [`${domain}:443`] });
    await refused(platform.remove('reserved_domain', id), 'domainInUse', { used_by: [edge.id] });
    await platform.update('tls_edge', edge.id, { hostports: [] });
    await platform.remove('reserved_domain', id);
  });

  test('deleting the edge frees its hostports and domains', async () => {
    const { id, domain } = await reserve();
    const edge = await platform.create('tls_edge', { hostports: [`${domain}:443`] });
    await platform.remove('tls_edge', edge.id);
    const next = await platform.create('tls_edge', { hostports: [`${domain}:443`] });
    await platform.remove('tls_edge', next.id);
    await platform.remove('reserved_domain', id);
  });

  test('of two edges that ask for one hostport at once, one gets it', async () => {
    const { domain } = await reserve();
    const body = { hostports: [`${domain}:443`] };
    const { id } = await platform.create('tls_edge', {});
    const results = await Promise.allSettled([
      ...Array.from({ length: 6 }, () => platform.create('tls_edge', body)),
      platform.update('tls_edge', id, body),
    ]);
    assert.equal(results.filter((result) => result.status === 'fulfilled').length, 1);
    for (const result of results) {
      if (result.status === 'rejected') assert.equal(result.reason.code, 'hostportTaken');
    }
  });

  test('each hostport has an endpoint of its own, which it keeps while it stands', async () => {
    const names = [await reserve(), await reserve(), await reserve()].map(({ domain }) => `${domain}:443`);
    const endpoints = async (id: string) =>
      new Map(
        (await platform.list('endpoint')).items
          .filter((item) => (item.edge as JsonObject | null)?.id === id)
          .map((item) => [item.hostport, item.id]),
      );
    const { id } = await platform.create('tls_edge', { hostports: names.slice(0, 2) });
    const before = await endpoints(id);
    assert.equal(before.size, 2);
    await platform.update('tls_edge', id, { hostports: names.slice(1) });
    const now = await endpoints(id);
    assert.equal(now.get(names[1]!), before.get(names[1]!));
    assert.ok(now.has(names[2]!) && !now.has(names[0]!));
    await put(id, 'tls_termination', { terminate_at: 'edge' });
    assert.deepEqual(await endpoints(id), now);
  });
});

describe('TLS edge modules', () => {
  test('a module can be put, read and deleted; unset it is not found', async () => {
    const { id: backend } = await platform.create('http_response_backend', {});
    const bodies: Record<string, { send: JsonObject; shown: JsonObject }> = {
      tls_termination: {
        send: { terminate_at: 'edge' },
        shown: { enabled: true, terminate_at: 'edge', min_version: '' },
      },
      mutual_tls: {
        send: { certificate_authority_ids: [] },
        shown: { enabled: true, certificate_authorities: [] },
      },
      backend: {
        send: { enabled: false, backend_id: backend },
        shown: {
          enabled: false,
          backend: {
            id: backend,
            uri: `https://api.underpass.localhost:8443/backends/http_response/${backend}`,
          },
        },
      },
    };
    const { id } = await platform.create('tls_edge', {});
    for (const module of ['backend', 'ip_restriction', 'mutual_tls', 'tls_termination']) {
      await refused(getModule(id, module), 'moduleNotSet');
      await refused(removeModule(id, module), 'moduleNotSet');
    }
    for (const [module, { send, shown }] of Object.entries(bodies)) {
      assert.deepEqual(await put(id, module, send), shown);
      assert.deepEqual(await put(id, module, { id, ...send }), shown);
      assert.deepEqual(await getModule(id, module), shown);
      assert.deepEqual((await platform.get('tls_edge', id))[module], shown);
    }
    for (const module of Object.keys(bodies).reverse()) {
      await removeModule(id, module);
      await refused(getModule(id, module), 'moduleNotSet');
    }
  });

  test('a patch leaves absent and null modules alone and replaces one that is given', async () => {
    const { id: backend } = await platform.create('http_response_backend', {});
    const { id } = await platform.create('tls_edge', {
      backend: { backend_id: backend, enabled: false },
      tls_termination: { terminate_at: 'edge', min_version: '1.3' },
    });
    await platform.update('tls_edge', id, { description: 'x', backend: null });
    assert.equal(((await getModule(id, 'backend')) as { enabled: boolean }).enabled, false);
    await platform.update('tls_edge', id, { tls_termination: { terminate_at: 'edge' } });
    assert.deepEqual(await getModule(id, 'tls_termination'), {
      enabled: true,
      terminate_at: 'edge',
      min_version: '',
    });
    assert.equal(((await getModule(id, 'backend')) as { enabled: boolean }).enabled, false);
  });

  test('the minimum TLS version is one that exists, and only where the edge terminates', async () => {
    const { id } = await platform.create('tls_edge', {});
    const min = (terminate_at: JsonValue, min_version: JsonValue) =>
      put(id, 'tls_termination', { terminate_at, min_version });
    for (const version of ['1.0', '1.1', '1.2', '1.3', '', null]) await min('edge', version);
    for (const version of ['1.4', '1', 'TLSv1.2', ' 1.2']) {
      await refused(min('edge', version), 'tlsVersionUnsupported', { field: '/min_version' });
    }
    await refused(min('edge', 1.3), 'valueInvalid', { field: '/min_version' });
    await refused(min('upstream', '1.3'), 'minVersionNeedsEdge', { field: '/min_version' });
    const passing = { enabled: true, terminate_at: 'upstream', min_version: null };
    for (const none of [null, '']) assert.deepEqual(await min('upstream', none), passing);
    assert.deepEqual((await platform.get('tls_edge', id)).tls_termination, passing);
    assert.deepEqual(await put(id, 'tls_termination', passing), passing);
    assert.equal((await min('edge', null)).min_version, '');
    for (const at of ['agent', 'EDGE']) {
      await refused(min(at, null), 'terminateAtUnsupported', { allowed: ['edge', 'upstream'] });
    }
    const inside = { tls_termination: { terminate_at: 'upstream', min_version: '1.2' } };
    await refused(platform.update('tls_edge', id, inside), 'minVersionNeedsEdge', {
      field: '/tls_termination/min_version',
    });
  });

  test('mutual TLS needs an edge that terminates, in whatever order that is asked for', async () => {
    const mutual_tls = { certificate_authority_ids: [] };
    await refused(platform.create('tls_edge', { mutual_tls }), 'tlsNotTerminated');
    for (const tls_termination of [
      { terminate_at: 'upstream' },
      { terminate_at: 'edge', enabled: false },
      {},
    ]) {
      await refused(platform.create('tls_edge', { mutual_tls, tls_termination }), 'tlsNotTerminated');
    }
    const { id } = await platform.create('tls_edge', {
      mutual_tls,
      tls_termination: { terminate_at: 'edge' },
    });
    await refused(removeModule(id, 'tls_termination'), 'tlsNotTerminated');
    await refused(put(id, 'tls_termination', { terminate_at: 'upstream' }), 'tlsNotTerminated');
    await refused(platform.update('tls_edge', id, { tls_termination: {} }), 'tlsNotTerminated');
    await put(id, 'mutual_tls', { ...mutual_tls, enabled: false });
    await removeModule(id, 'tls_termination');
    await refused(put(id, 'mutual_tls', mutual_tls), 'tlsNotTerminated');
  });

  test('references to nothing, to another account and of a wrong kind are refused', async () => {
    const { id: foreign } = await platform.create('http_response_backend', {}, platform.stranger);
    const { id: credential } = await platform.create('credential', {});
    const { id } = await platform.create('tls_edge', { tls_termination: { terminate_at: 'edge' } });
    const cases: [string, string, string, ErrorName][] = [
      ['backend', 'backend_id', `bkdhr_${nobody}`, 'backendUnknown'],
      ['backend', 'backend_id', `bkdfo_${nobody}`, 'backendUnknown'],
      ['backend', 'backend_id', 'bkdhr_', 'backendUnknown'],
      ['backend', 'backend_id', foreign, 'backendUnknown'],
      ['backend', 'backend_id', credential, 'notBackendId'],
      ['ip_restriction', 'ip_policy_ids', `ipp_${nobody}`, 'ipPolicyUnknown'],
      ['ip_restriction', 'ip_policy_ids', `ipr_${nobody}`, 'notIpPolicyId'],
      ['mutual_tls', 'certificate_authority_ids', `ca_${nobody}`, 'certificateAuthorityUnknown'],
      ['mutual_tls', 'certificate_authority_ids', `cert_${nobody}`, 'notCertificateAuthorityId'],
    ];
    for (const [module, field, value, error] of cases) {
      const body = { [field]: module === 'backend' ? value : [value] };
      const at = module === 'backend' ? `/${field}` : `/${field}/0`;
      await refused(put(id, module, body), error, { field: at });
      await refused(platform.update('tls_edge', id, { [module]: body }), error, { field: `/${module}${at}` });
      const create = { [module]: body, tls_termination: { terminate_at: 'edge' } };
      await refused(platform.create('tls_edge', create), error, { field: `/${module}${at}` });
    }
    const message = async (backend_id: string) =>
      (await refused(put(id, 'backend', { backend_id }), 'backendUnknown')).message.replace(backend_id, '');
    assert.equal(await message(foreign), await message(`bkdhr_${nobody}`));
  });

  test('an IP restriction needs a policy, and lists have limits', async () => {
    const { id } = await platform.create('tls_edge', { tls_termination: { terminate_at: 'edge' } });
    await refused(put(id, 'ip_restriction', {}), 'ipPolicyMissing', { field: '/ip_policy_ids' });
    const nobody = { ip_restriction: { enabled: true, ip_policy_ids: [] } };
    await refused(platform.update('tls_edge', id, nobody), 'ipPolicyMissing', {
      field: '/ip_restriction/ip_policy_ids',
    });
    const eleven = Array.from({ length: 11 }, () => `ca_${nobody}`);
    await refused(put(id, 'ip_restriction', { ip_policy_ids: eleven }), 'ipPolicyCount', { limit: 10 });
    await refused(put(id, 'mutual_tls', { certificate_authority_ids: eleven }), 'certificateAuthorityCount');
  });

  test('module bodies are as strict as the others', async () => {
    const { id } = await platform.create('tls_edge', {});
    await refused(put(id, 'backend', {}), 'fieldMissing', { field: '/backend_id' });
    await refused(put(id, 'backend', { backend_id: null }), 'fieldMissing');
    await refused(put(id, 'backend', { backend_id: 1 }), 'valueInvalid', { field: '/backend_id' });
    await refused(put(id, 'backend', { backend_id: 'x', colour: 1 }), 'fieldUnknown', { field: '/colour' });
    await refused(put(id, 'backend', { id: 'edgtls_1', backend_id: 'x' }), 'pathParameterMismatch');
    await refused(put(id, 'backend', []), 'bodyNotObject');
    await refused(put(id, 'mutual_tls', { enabled: 1 }), 'valueInvalid', { field: '/enabled' });
    await refused(put(id, 'mutual_tls', { certificate_authority_ids: [1] }), 'valueInvalid', {
      field: '/certificate_authority_ids/0',
    });
    await refused(platform.update('tls_edge', id, { backend: { backend_id: 'x', id } }), 'fieldUnknown', {
      field: '/backend/id',
    });
  });

  test('another account finds no module', async () => {
    const { id } = await platform.create('tls_edge', { tls_termination: { terminate_at: 'edge' } });
    const { engine, stranger } = platform;
    await refused(engine.getModule(kind, stranger, id, 'tls_termination'), 'resourceNotFound');
    await refused(engine.putModule(kind, stranger, id, 'tls_termination', {}), 'resourceNotFound');
    await refused(engine.removeModule(kind, stranger, id, 'tls_termination'), 'resourceNotFound');
  });

  test('a backend cannot be deleted while an edge uses it', async () => {
    for (const [backendKind, body] of [
      ['http_response_backend', {}],
      ['tunnel_group_backend', { labels: { a: 'b' } }],
    ] as const) {
      const { id: backend_id } = await platform.create(backendKind, body);
      const { id } = await platform.create('tls_edge', { backend: { backend_id } });
      await refused(platform.remove(backendKind, backend_id), 'backendInUse', { used_by: [id] });
      await removeModule(id, 'backend');
      await platform.remove(backendKind, backend_id);
    }
  });

  test('a backend that is deleted while an edge takes it is either kept or not taken', async () => {
    for (let round = 0; round < 10; round++) {
      const { id: backend_id } = await platform.create('http_response_backend', {});
      const { id } = await platform.create('tls_edge', {});
      const [taken, deleted] = await Promise.allSettled([
        put(id, 'backend', { backend_id }),
        platform.remove('http_response_backend', backend_id),
      ]);
      assert.notEqual(taken.status, deleted.status);
      if (taken.status === 'rejected') assert.equal(taken.reason.code, 'backendUnknown');
      if (deleted.status === 'rejected') assert.equal(deleted.reason.code, 'backendInUse');
    }
  });

  test('module operations at once lose nothing', async () => {
    const { id: backend_id } = await platform.create('http_response_backend', {});
    const { domain } = await reserve();
    const { id } = await platform.create('tls_edge', { tls_termination: { terminate_at: 'edge' } });
    await Promise.all([
      put(id, 'backend', { backend_id }),
      put(id, 'mutual_tls', {}),
      platform.update('tls_edge', id, { hostports: [`${domain}:443`] }),
      platform.update('tls_edge', id, { description: 'd' }),
    ]);
    const edge = await platform.get('tls_edge', id);
    assert.ok(edge.backend && edge.mutual_tls && edge.tls_termination);
    assert.deepEqual([edge.hostports, edge.description], [[`${domain}:443`], 'd']);
  });
});

test('the hostport of an edge is stored in canonical form, with its reservation', async () => {
  const { id: domain_id, domain } = await reserve();
  const { id } = await platform.create('tls_edge', { hostports: [`${domain}:8443`] });
  const edge = await platform.store.get(id);
  assert.ok(edge?.kind === 'tls_edge');
  const [hostport] = edge.body.hostports;
  assert.deepEqual(
    { ...hostport, endpoint_id: '', created_at: '' },
    {
      hostname: pattern(domain),
      port: 443,
      endpoint_id: '',
      created_at: '',
      domain_id,
    },
  );
  assert.match(String(hostport?.endpoint_id), /^ep_[0-9A-Za-z]{27}$/);
});

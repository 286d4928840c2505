import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeChain } from '../../pki/certificates.fixture.ts';
import type { JsonObject, JsonValue } from '../../store/store.ts';
import { collection, type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { nobody } from '../samples/sample.fixture.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const kind = collection('https_edge');
let counter = 0;

async function reserve(): Promise<{ id: string; domain: string }> {
  const { id, domain } = await platform.create('reserved_domain', { name: `https-${++counter}` });
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

function addRoute(edge: string, match: string, more: JsonObject = {}): Promise<JsonObject & { id: string }> {
  const body = { match_type: 'path_prefix', match, ...more };
  return platform.create('https_edge_route', body, platform.admin, edge);
}

describe('HTTPS edge hostports', () => {
  test('a hostport belongs to one edge, whatever the kinds are', async () => {
    const { domain } = await reserve();
    const hostports = [`${domain}:8443`];
    const edge = await platform.create('https_edge', { hostports });
    assert.deepEqual(edge.hostports, [`${domain}:443`]);
    for (const other of ['https_edge', 'tls_edge']) {
      await refused(platform.create(other, { hostports }), 'hostportTaken', { field: '/hostports/0' });
    }
    await platform.update('https_edge', edge.id, { hostports: [] });
    await platform.create('tls_edge', { hostports });
    await refused(platform.update('https_edge', edge.id, { hostports }), 'hostportTaken');
  });

  test('of a TLS edge and an HTTPS edge that take a hostport at once, one gets it', async () => {
    for (let round = 0; round < 10; round++) {
      const { domain } = await reserve();
      const body = { hostports: [`${domain}:443`] };
      const taken = await Promise.allSettled([
        platform.create('https_edge', body),
        platform.create('tls_edge', body),
        platform.create('https_edge', body),
      ]);
      assert.equal(taken.filter((one) => one.status === 'fulfilled').length, 1);
      for (const one of taken) if (one.status === 'rejected') assert.equal(one.reason.code, 'hostportTaken');
    }
  });

  test('names that are online, of somebody else or not reserved are refused', async () => {
    const { domain } = await reserve();
    await platform.tunnel(platform.admin.account, { name: domain });
    await refused(platform.create('https_edge', { hostports: [`${domain}:443`] }), 'hostportOnline');
    const { domain: foreign } = await platform.create(
      'reserved_domain',
      { name: 'abroad' },
      platform.stranger,
    );
    const elsewhere = { hostports: [`${foreign}:443`] };
    await refused(platform.create('https_edge', elsewhere), 'hostportReservedElsewhere');
    const unknown = { hostports: ['nobody.example.com:443'] };
    await refused(platform.create('https_edge', unknown), 'hostportNotReserved', { field: '/hostports/0' });
  });

  test('a reserved domain cannot be deleted while it is attached', async () => {
    const { id, domain } = await reserve();
    const edge = await platform.create('https_edge', { hostports: [`${domain}:443`] });
    await refused(platform.remove('reserved_domain', id), 'domainInUse', { used_by: [edge.id] });
    await platform.remove('https_edge', edge.id);
    await platform.remove('reserved_domain', id);
  });
});

describe('HTTPS edge modules', () => {
  test('TLS always terminates at the edge: that is shown, and cannot be said', async () => {
    const at = { field: '/tls_termination/terminate_at' };
    for (const terminate_at of ['edge', 'upstream']) {
      const body = { tls_termination: { terminate_at } };
      await refused(platform.create('https_edge', body), 'terminateAtMisplaced', at);
    }
    const created = await platform.create('https_edge', { tls_termination: { terminate_at: null } });
    const shown = { enabled: true, terminate_at: 'edge', min_version: '' };
    assert.deepEqual(created.tls_termination, shown);
    const { id } = created;
    await refused(
      platform.update('https_edge', id, { tls_termination: { terminate_at: 'edge' } }),
      'terminateAtMisplaced',
      at,
    );
    await refused(put(id, 'tls_termination', { terminate_at: 'edge' }), 'terminateAtMisplaced', {
      field: '/terminate_at',
    });
    const replaced = { enabled: false, terminate_at: 'edge', min_version: '1.3' };
    assert.deepEqual(await put(id, 'tls_termination', { enabled: false, min_version: '1.3' }), replaced);
    assert.deepEqual(await getModule(id, 'tls_termination'), replaced);
    await refused(put(id, 'tls_termination', { min_version: '1.4' }), 'tlsVersionUnsupported', {
      field: '/min_version',
    });
    await removeModule(id, 'tls_termination');
    await refused(getModule(id, 'tls_termination'), 'moduleNotSet');
    assert.equal((await platform.get('https_edge', id)).tls_termination, null);
  });

  test('mutual TLS needs no termination module, and keeps its authorities', async () => {
    const { root } = makeChain('mutual.example.com');
    const { id: ca, uri } = await platform.create('certificate_authority', { ca_pem: root });
    const mutual_tls = { certificate_authority_ids: [ca] };
    const edge = await platform.create('https_edge', { mutual_tls });
    assert.deepEqual(edge.mutual_tls, { enabled: true, certificate_authorities: [{ id: ca, uri }] });
    assert.deepEqual(await getModule(edge.id, 'mutual_tls'), edge.mutual_tls);
    await refused(platform.remove('certificate_authority', ca), 'certificateAuthorityInUse', {
      used_by: [edge.id],
    });
    const unknown = { certificate_authority_ids: [`ca_${nobody}`] };
    await refused(put(edge.id, 'mutual_tls', unknown), 'certificateAuthorityUnknown');
    await removeModule(edge.id, 'mutual_tls');
    await platform.remove('certificate_authority', ca);
  });

  test('what belongs to routes is refused on the edge', async () => {
    for (const field of ['backend', 'ip_restriction', 'routes', 'saml', 'oauth', 'compression']) {
      const body = { [field]: { enabled: true } };
      await refused(platform.create('https_edge', body), 'fieldUnknown', { field: `/${field}` });
    }
  });
});

describe('the routes of an HTTPS edge', () => {
  test('an edge shows its own routes in full, the newest first', async () => {
    const { id: policy } = await platform.create('ip_policy', {});
    const { id: backend_id } = await platform.create('http_response_backend', {});
    const { id } = await platform.create('https_edge', {});
    const { id: other } = await platform.create('https_edge', {});
    const modules = { backend: { backend_id }, ip_restriction: { ip_policy_ids: [policy] } };
    const first = await addRoute(id, '/', modules);
    await addRoute(other, '/');
    const second = await addRoute(id, '/second');
    assert.deepEqual((await platform.get('https_edge', id)).routes, [second, first]);
    assert.deepEqual((await platform.update('https_edge', id, { description: 'x' })).routes, [second, first]);
    const { items } = await platform.list('https_edge', { limit: 2 });
    const listed = items.map((edge) => [edge.id, (edge.routes as JsonObject[]).length]);
    assert.deepEqual(listed, [
      [other, 1],
      [id, 2],
    ]);
  });

  test('a deleted edge takes its routes along, and what they used is free', async () => {
    const { id: backend_id } = await platform.create('http_response_backend', {});
    const { id } = await platform.create('https_edge', {});
    const route = await addRoute(id, '/', { backend: { backend_id } });
    await refused(platform.remove('http_response_backend', backend_id), 'backendInUse', {
      used_by: [route.id],
    });
    await platform.remove('https_edge', id);
    await refused(platform.get('https_edge_route', route.id, platform.admin, id), 'resourceNotFound');
    await refused(addRoute(id, '/other'), 'resourceNotFound');
    assert.equal(await platform.store.get(route.id), null);
    await platform.remove('http_response_backend', backend_id);
  });

  test('a route that is made while its edge is deleted dies with it, or is never made', async () => {
    for (let round = 0; round < 10; round++) {
      const { id } = await platform.create('https_edge', {});
      const [added, removed] = await Promise.allSettled([
        addRoute(id, '/'),
        platform.remove('https_edge', id),
      ]);
      assert.equal(removed.status, 'fulfilled');
      if (added.status === 'rejected') assert.equal(added.reason.code, 'resourceNotFound');
      else assert.equal(await platform.store.get(added.value.id), null);
    }
  });
});

/**
 * HTTPS edges and their routes.
 * Invariant: a wildcard does not serve their names.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Answer, curl, curlMissing, negotiatedSuite, opensslMissing } from '../harness/index.ts';
import { startTwoAccounts, type TwoAccounts } from './attacks.fixture.ts';

const WILDCARD = '*.shop.example.com';
const NAME = 'https.shop.example.com';
const BELOW = 'other.shop.example.com';
const ROUTES = '/edges/https/{edge_id}/routes';
const nobody = '0'.repeat(27);
let world: TwoAccounts;
let edge: string;

before(async () => {
  world = await startTwoAccounts();
  edge = await create('/edges/https', {});
});
after(() => world.platform.stop());

function api(method: string, path: string, body?: object): Promise<Answer> {
  return world.platform.api(method, path, body);
}

async function create(path: string, body: object): Promise<string> {
  const { status, text, json } = await api('POST', path, body);
  assert.equal(status, 201, text);
  return json.id;
}

function addRoute(match: string, below = edge): Promise<string> {
  return create(`/edges/https/${below}/routes`, { match_type: 'path_prefix', match });
}

/** An answer without what differs between any two: the operation id and the time. */
function shape({ status, headers, text }: Answer): unknown {
  const { date: _date, 'underpass-operation-id': _operation, ...rest } = headers;
  return { status, headers: rest, text: text.replace(/op_[0-9A-Za-z]+/, 'op_') };
}

async function refused(call: Promise<Answer>, status: number, code: number): Promise<Answer> {
  const answer = await call;
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.json.error_code, `ERR_SERVICE_${code}`);
  return answer;
}

test('paths of an HTTPS edge go to the backends of their routes, and no wildcard takes its name over', {
  skip: curlMissing,
}, async () => {
  const { platform } = world;
  const visit = async (name: string, path = '/path?query', ...more: string[]) => {
    const { stdout } = await curl(platform, [
      ...['--resolve', `${name}:${platform.port}:127.0.0.1`, '--path-as-is', ...more],
      ...['-w', ' %{http_code} %header{underpass-error-code}'],
      `https://${name}:${platform.port}${path}`,
    ]);
    return stdout;
  };
  const respond = (body: string) => create('/backends/http_response', { body });
  const wildcard = await respond('wildcard');
  await create('/reserved_domains', { name: WILDCARD });
  await create('/edges/tls', {
    hostports: [`${WILDCARD}:443`],
    backend: { backend_id: wildcard },
    tls_termination: { terminate_at: 'edge' },
  });
  const id = await create('/edges/https', { hostports: [`${NAME}:443`] });
  const path = `/edges/https/${id}`;
  assert.match(await visit(NAME), / 404 ERR_SERVICE_60250$/);
  assert.equal(await visit(BELOW), 'wildcard 200 ');
  const routes = [
    ['path_prefix', '/', 'rest'],
    ['path_prefix', '/admin/', 'admin'],
    ['path_prefix', '/admin/a', 'longer'],
    ['exact_path', '/admin/abc', 'exact'],
  ] as const;
  for (const [match_type, match, body] of routes) {
    const guard = match === '/' ? {} : { user_agent_filter: { deny: ['bot'] } };
    await create(`${path}/routes`, {
      match_type,
      match,
      backend: { backend_id: await respond(body) },
      ...guard,
    });
  }
  for (const [at, body] of [
    ['/path?query=/admin/', 'rest'],
    ['/administrator', 'rest'],
    ['/admin/', 'admin'],
    ['/admin/ab', 'longer'],
    ['/admin/abc', 'exact'],
    ['/admin/abc?x', 'exact'],
    ['/%61dmin/x', 'admin'],
    ['//admin/x', 'admin'],
    ['/x/../admin/x', 'admin'],
    ['/x/%2e%2e/admin/x', 'admin'],
  ] as const) {
    assert.equal(await visit(NAME, at), `${body} 200 `, at);
  }
  for (const at of ['/%2Fadmin/x', '/x%2f..%2fadmin/x', '/x/..;/admin/x', '/x%5c..%5cadmin/x', '/%00']) {
    assert.match(await visit(NAME, at), / 400 ERR_SERVICE_60251$/, at);
  }

  assert.equal((await api('PUT', `${path}/tls_termination`, { min_version: '1.3' })).status, 200);
  assert.equal(await visit(NAME), 'rest 200 ');
  assert.equal(await visit(NAME, '/', '--tls-max', '1.2'), ' 000 ', 'older TLS than the edge takes');
  assert.equal(await visit(BELOW, '/', '--tls-max', '1.2'), 'wildcard 200 ');
  await platform.killAndRestart();
  assert.equal(await visit(NAME), 'rest 200 ');
  assert.equal((await api('DELETE', path)).status, 204);
  assert.equal(await visit(NAME), 'wildcard 200 ');
});

test('an HTTPS edge shakes hands with every version of TLS from its least one on, and with no older one', {
  skip: opensslMissing,
}, async () => {
  const name = 'versions.example.com';
  const versions = ['1', '1_1', '1_2', '1_3'];
  await create('/reserved_domains', { name });
  const id = await create('/edges/https', { hostports: [`${name}:443`] });
  for (const [least, oldest] of [
    [null, '1_2'],
    ['1.0', '1'],
    ['1.1', '1_1'],
    ['1.2', '1_2'],
    ['1.3', '1_3'],
  ] as const) {
    await api('PUT', `/edges/https/${id}/tls_termination`, { min_version: least });
    // Without the security level this openssl would not offer old versions itself.
    const suites = versions.map((version) =>
      negotiatedSuite(world.platform, name, [`-tls${version}`, '-cipher', 'ALL:@SECLEVEL=0']),
    );
    const taken = versions.slice(versions.indexOf(oldest));
    const isTaken = (await Promise.all(suites)).map((suite) => suite !== null);
    assert.deepEqual(
      versions.filter((_, at) => isTaken[at]),
      taken,
      `${least}`,
    );
  }
});

test('a route is read, changed and deleted below its edge, which shows it', async () => {
  const id = await addRoute('/mine');
  const path = `/edges/https/${edge}/routes/${id}`;
  const read = (await api('GET', path)).json;
  const { base_url } = world.platform.bootstrap;
  assert.equal(read.uri, `${base_url}${path}`);
  assert.equal(read.edge_id, edge);
  const patched = await api('PATCH', path, { id, edge_id: edge, match: '/ours' });
  assert.deepEqual(patched.json, { ...read, match: '/ours' });
  assert.deepEqual((await api('GET', `/edges/https/${edge}`)).json.routes, [patched.json]);
  const module = await api('PUT', `${path}/compression`, { id, edge_id: edge });
  assert.deepEqual([module.status, module.json], [200, { enabled: true }]);
  assert.deepEqual((await api('GET', `${path}/compression`)).json, { enabled: true });
  assert.equal((await api('DELETE', `${path}/compression`)).status, 204);
  await refused(api('GET', `${path}/compression`), 404, 60108);
  await refused(api('PUT', `${path}/traffic_policy`, {}), 404, 60001);
  const removed = await api('DELETE', path);
  assert.deepEqual([removed.status, removed.text], [204, '']);
  await refused(api('GET', path), 404, 60000);
});

test('below another edge, another account and no edge at all the answer is that of a route that never was', async () => {
  const id = await addRoute('/placed');
  const sibling = await create('/edges/https', {});
  const unknown = shape(
    await refused(api('GET', `/edges/https/${edge}/routes/edghtsrt_${nobody}`), 404, 60000),
  );
  for (const suffix of ['', '/backend', '/saml']) {
    const write = suffix === '' ? 'PATCH' : 'PUT';
    for (const [method, body] of [['GET'], [write, {}], [write, { nonsense: 1 }], ['DELETE']] as const) {
      for (const below of [sibling, `edghts_${nobody}`]) {
        const answer = await api(method, `/edges/https/${below}/routes/${id}${suffix}`, body);
        assert.deepEqual(shape(answer), unknown, `${method} below ${below}`);
      }
      const foreign = await world.asOther(method, `/edges/https/${edge}/routes/${id}${suffix}`, body);
      assert.deepEqual(shape(foreign), unknown, `${method} as another account`);
    }
  }
  const route = { match_type: 'exact_path', match: '/x' };
  const never = await api('POST', `/edges/https/edghts_${nobody}/routes`, route);
  assert.deepEqual(shape(never), unknown);
  assert.deepEqual(shape(await world.asOther('POST', `/edges/https/${edge}/routes`, route)), unknown);
  const listed = await world.asOther('GET', '/edges/https');
  assert.deepEqual(listed.json.https_edges, []);
});

test('the edge in the path must be an HTTPS edge, and a body may only repeat it', async () => {
  const id = await addRoute('/strict');
  const other = await create('/edges/https', {});
  const route = { match_type: 'exact_path', match: '/x' };
  for (const [method, path, body] of [
    ['POST', `/edges/https/edgtls_${nobody}/routes`, route],
    ['GET', `/edges/https/edgtls_${nobody}/routes/${id}`],
    ['PATCH', `/edges/https/${id}/routes/${id}`, {}],
    ['PUT', `/edges/https/edgtls_${nobody}/routes/${id}/backend`, {}],
    ['DELETE', `/edges/https/edgtls_${nobody}/routes/${id}`],
  ] as const) {
    const { json } = await refused(api(method, path, body), 400, 227);
    assert.equal(json.details.field, 'edge_id', method);
    assert.match(json.msg, /"edghts_"/);
  }
  const wrong = await refused(api('GET', `/edges/https/${edge}/routes/${edge}`), 400, 227);
  assert.equal(wrong.json.details.field, 'id');
  const path = `/edges/https/${edge}/routes`;
  for (const call of [
    api('POST', path, { ...route, edge_id: other }),
    api('PATCH', `${path}/${id}`, { edge_id: other }),
    api('PUT', `${path}/${id}/compression`, { edge_id: other }),
  ]) {
    assert.equal((await refused(call, 400, 60105)).json.details.field, '/edge_id');
  }
  assert.equal((await api('POST', path, { ...route, edge_id: edge })).status, 201);
});

test('routes are read through their edge: their collection takes POST alone', async () => {
  const id = await addRoute('/methods');
  for (const [path, allow] of [
    [ROUTES.replace('{edge_id}', edge), 'POST, OPTIONS'],
    [`${ROUTES.replace('{edge_id}', edge)}/${id}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    [`${ROUTES.replace('{edge_id}', edge)}/${id}/saml`, 'GET, HEAD, PUT, DELETE, OPTIONS'],
  ] as const) {
    for (const method of ['GET', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      if (allow.includes(method)) continue;
      const { headers } = await refused(api(method, path), 405, 60002);
      assert.equal(headers.allow, allow, `${method} ${path}`);
    }
  }
  await refused(api('GET', `/edges/https/${edge}/routes/`), 404, 60001);
  await refused(api('GET', '/edges/https//routes'), 404, 60001);
});

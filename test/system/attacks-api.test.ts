/** Attacks on the management API: other accounts, odd bodies, pages, races, tokens, limits. */
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { request as plainRequest } from 'node:http';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Answer, startUpstream, type Upstream } from '../harness/index.ts';
import { fixedEdge, rawHttp, startTwoAccounts, statuses, type TwoAccounts } from './attacks.fixture.ts';

const API = 'api.underpass.localhost';
let world: TwoAccounts;
let limited: TwoAccounts;
let upstream: Upstream;

before(async () => {
  world = await startTwoAccounts();
  limited = await startTwoAccounts({ apiRateLimit: 6 });
  upstream = await startUpstream((_request, response) => response.end('ok'));
});
after(async () => {
  await Promise.all([world.platform.stop(), limited.platform.stop()]);
  await upstream.stop();
});

/** An answer without what differs between any two: the operation id and the time. */
function shape({ status, headers, text }: Answer): unknown {
  const { date: _date, 'underpass-operation-id': _operation, ...rest } = headers;
  return { status, headers: rest, text: text.replace(/op_[0-9A-Za-z]+/, 'op_') };
}

const neverWas = (id: string): string => `${id.slice(0, id.indexOf('_'))}_${'0'.repeat(27)}`;

test("another account's id is answered byte for byte like one that never was, whatever is asked of it", async () => {
  const { platform, asOther } = world;
  const { edgeId, backendId, domainId } = await fixedEdge(platform, 'a1', 'mine');
  const created = async (path: string, body: unknown) => (await platform.api('POST', path, body)).json.id;
  const groupId = await created('/backends/tunnel_group', { labels: { a: '1' } });
  const credentialId = await created('/credentials', {});
  const keyId = await created('/api_keys', {});
  await platform.agent(['http', String(upstream.port)]);
  const [tunnel] = (await platform.api('GET', '/tunnels')).json.tunnels;
  const { endpoints } = (await platform.api('GET', '/endpoints')).json;

  const all = ['GET', 'PATCH', 'DELETE'];
  const module = ['GET', 'PUT', 'DELETE'];
  const targets: [string, string, readonly string[], string][] = [
    ['/backends/http_response', backendId, all, ''],
    ['/backends/tunnel_group', groupId, all, ''],
    ['/edges/tls', edgeId, all, ''],
    ['/edges/tls', edgeId, module, '/backend'],
    ['/edges/tls', edgeId, module, '/ip_restriction'],
    ['/edges/tls', edgeId, module, '/mutual_tls'],
    ['/edges/tls', edgeId, module, '/tls_termination'],
    ['/reserved_domains', domainId, all, ''],
    ['/credentials', credentialId, all, ''],
    ['/api_keys', keyId, all, ''],
    ['/tunnels', tunnel.id, ['GET'], ''],
    ['/tunnel_sessions', tunnel.tunnel_session.id, ['GET'], ''],
    ...endpoints.map(({ id }: { id: string }): [string, string, string[], string] => [
      '/endpoints',
      id,
      ['GET'],
      '',
    ]),
  ];
  assert.equal(endpoints.length, 2);
  for (const [path, id, methods, suffix] of targets) {
    for (const method of methods) {
      for (const body of method === 'PATCH' || method === 'PUT' ? [{}, { nonsense: 1 }] : [undefined]) {
        const foreign = await asOther(method, `${path}/${id}${suffix}`, body);
        const unknown = await asOther(method, `${path}/${neverWas(id)}${suffix}`, body);
        assert.equal(foreign.status, 404, `${method} ${path}${suffix}`);
        assert.deepEqual(shape(foreign), shape(unknown), `${method} ${path}${suffix}`);
      }
    }
    const listed = await asOther('GET', path);
    assert.doesNotMatch(listed.text, new RegExp(id));
  }
  const borrowed = await asOther('POST', '/edges/tls', { backend: { backend_id: backendId } });
  const invented = await asOther('POST', '/edges/tls', { backend: { backend_id: neverWas(backendId) } });
  assert.equal(borrowed.json.error_code, 'ERR_SERVICE_6501');
  assert.equal(borrowed.text.length, invented.text.length);
  assert.equal((await platform.api('GET', `/edges/tls/${edgeId}`)).status, 200);
});

test('an id in body or query does not override the path; lists, repeated and special fields are refused by name', async () => {
  const { platform } = world;
  const { json: one } = await platform.api('POST', '/credentials', {});
  const { json: two } = await platform.api('POST', '/credentials', {});
  const path = `/credentials/${one.id}`;
  const code = async (answer: Promise<Answer>) => (await answer).json.error_code;
  assert.equal(await code(platform.api('PATCH', path, { id: two.id, metadata: 'x' })), 'ERR_SERVICE_20105');
  assert.equal(await code(platform.api('PATCH', `${path}?id=${two.id}`, {})), 'ERR_SERVICE_231');
  assert.equal((await platform.api('PATCH', path, { id: one.id, metadata: 'one' })).json.metadata, 'one');
  assert.equal((await platform.api('GET', `/credentials/${two.id}`)).json.metadata, '');
  assert.equal(await code(platform.api('POST', '/credentials', { id: two.id })), 'ERR_SERVICE_214');
  assert.equal(await code(platform.api('POST', '/credentials', { metadata: ['x'] })), 'ERR_SERVICE_215');

  const { api_key } = platform.bootstrap;
  const post = (path: string, json: string) =>
    rawHttp(
      platform,
      API,
      `POST ${path} HTTP/1.1\r\nHost: ${API}\r\nAuthorization: Bearer ${api_key}\r\nService-Version: 2\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${json.length}\r\nConnection: close\r\n\r\n${json}`,
    );
  assert.match(await post('/credentials', '{"metadata":"a","metadata":"b"}'), /ERR_SERVICE_20004/);
  assert.match(await post('/credentials', '{"__proto__":{"acl":["*"]}}'), /ERR_SERVICE_214/);
  const labels = '{"labels":{"__proto__":"x","constructor":"y"}}';
  assert.match(
    await post('/backends/tunnel_group', labels),
    /"labels":\{"__proto__":"x","constructor":"y"\}/,
  );
  assert.deepEqual((await platform.api('POST', '/credentials', {})).json.acl, []);
});

test('an id of another kind in a path is refused, and the field named', async () => {
  const answer = await world.platform.api('GET', `/credentials/rd_${'0'.repeat(27)}`);
  assert.equal(answer.json.error_code, 'ERR_SERVICE_227');
  assert.equal(answer.json.details.field, 'id');
});

test('each bad page parameter has its own error; ids of deleted resources and of others page on', async () => {
  const { platform, other, asOther } = world;
  const expected: [string, string][] = [
    ['limit=0', '233'],
    ['limit=101', '233'],
    ['limit=-1', '233'],
    ['limit=1e2', '244'],
    ['limit=', '244'],
    ['limit=1&limit=1', '232'],
    ['Limit=1', '231'],
    ['limit=%zz', '230'],
    ['before_id=', '227'],
    [`before_id=rd_${'0'.repeat(27)}`, '227'],
    ['before_id=cr_short', '20012'],
  ];
  for (const [query, code] of expected) {
    const answer = await platform.api('GET', `/credentials?${query}`);
    assert.equal(answer.status, 400, query);
    assert.equal(answer.json.error_code, `ERR_SERVICE_${code}`, query);
  }
  const ids: string[] = [];
  for (let n = 0; n < 4; n++) ids.push((await platform.api('POST', '/api_keys', {})).json.id);
  const [oldest, older, middle] = ids as [string, string, string];
  assert.equal((await platform.api('DELETE', `/api_keys/${middle}`)).status, 204);
  const page = (await platform.api('GET', `/api_keys?limit=2&before_id=${middle}`)).json;
  assert.deepEqual(
    page.keys.map(({ id }: { id: string }) => id),
    [older, oldest],
  );
  assert.equal(page.next_page_uri, `${platform.bootstrap.base_url}/api_keys?before_id=${oldest}&limit=2`);
  const foreign = await asOther('GET', `/api_keys?before_id=${middle}`);
  assert.deepEqual(
    foreign.json.keys.map(({ owner_id }: { owner_id: string }) => owner_id),
    [other.user_id],
  );
});

test('of many writers that want one name, one gets it, and nothing is left over after races on one edge', async () => {
  const { platform, asOther } = world;
  const won = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 201);
  const domains = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      n % 2 === 0
        ? platform.api('POST', '/reserved_domains', { name: 'race' })
        : asOther('POST', '/reserved_domains', { name: 'RACE.underpass.localhost.' }),
    ),
  );
  assert.equal(won(domains).length, 1);
  for (const { status } of domains) assert.ok(status === 201 || status === 409);

  const { json: domain } = await platform.api('POST', '/reserved_domains', { name: 'races' });
  const { json: backend } = await platform.api('POST', '/backends/http_response', {});
  const hostports = ['races.underpass.localhost:443'];
  const edges = await Promise.all(
    Array.from({ length: 10 }, () => platform.api('POST', '/edges/tls', { hostports })),
  );
  assert.equal(won(edges).length, 1);
  const path = `/edges/tls/${won(edges)[0]?.json.id}`;
  const racing = Array.from({ length: 8 }, () => [
    platform.api('PUT', `${path}/backend`, { backend_id: backend.id }),
    platform.api('DELETE', `${path}/backend`),
    platform.api('PATCH', path, { hostports: [] }),
    platform.api('PATCH', path, { hostports }),
    platform.api('PUT', `${path}/tls_termination`, { terminate_at: 'edge' }),
    platform.api('DELETE', `/backends/http_response/${backend.id}`),
  ]).flat();
  for (const { status, text } of await Promise.all(racing)) {
    assert.ok([200, 204, 400, 404, 409].includes(status), text);
  }
  const { json: left } = await platform.api('GET', path);
  const backendThere = await platform.api('GET', `/backends/http_response/${backend.id}`);
  assert.equal(left.tls_termination.terminate_at, 'edge', 'no write of another module was lost');
  if (left.backend !== null)
    assert.equal(backendThere.status, 200, 'an edge never names a backend that is gone');
  assert.equal((await platform.api('DELETE', path)).status, 204);
  assert.equal((await platform.api('DELETE', `/reserved_domains/${domain.id}`)).status, 204);
  assert.equal((await platform.api('POST', '/reserved_domains', { name: 'races' })).status, 201);
});

test('what is in use is not deleted, and the users are named', async () => {
  const { platform } = world;
  const { edgeId, backendId, domainId } = await fixedEdge(platform, 'used', 'x');
  for (const [path, code] of [
    [`/backends/http_response/${backendId}`, 'ERR_SERVICE_6502'],
    [`/reserved_domains/${domainId}`, 'ERR_SERVICE_446'],
  ] as const) {
    const refused = await platform.api('DELETE', path);
    assert.equal(refused.status, 409);
    assert.equal(refused.json.error_code, code);
    assert.equal(refused.json.details.used_by, edgeId);
  }
  assert.equal((await platform.api('DELETE', `/edges/tls/${edgeId}`)).status, 204);
  assert.equal((await platform.api('DELETE', `/backends/http_response/${backendId}`)).status, 204);
  assert.equal((await platform.api('DELETE', `/reserved_domains/${domainId}`)).status, 204);
});

test('a token is in the answer to its creation and nowhere else', async () => {
  const { platform } = world;
  for (const path of ['/credentials', '/api_keys']) {
    const { json } = await platform.api('POST', path, {});
    const secret = json.token.split('_')[1];
    const answers = [
      await platform.api('GET', `${path}/${json.id}`),
      await platform.api('GET', path),
      await platform.api('PATCH', `${path}/${json.id}`, { metadata: 'x' }),
      await platform.api('POST', path, { token: json.token }),
      await platform.api('DELETE', `${path}/${json.id}`),
    ];
    for (const { text } of answers) assert.doesNotMatch(text, new RegExp(secret));
    assert.equal(answers[0]?.json.token, null);
    await platform.api('GET', `${path}/${json.token}?token=${json.token}`);
    const metrics = await admin('/metrics', {});
    assert.equal(metrics.status, 200);
    assert.doesNotMatch(metrics.text, new RegExp(secret));
    assert.doesNotMatch(platform.daemon.output, new RegExp(secret));
    assert.equal(await platform.grepDataDir(secret), false);
  }
});

test('the rate limit counts an account over connections, keys, spellings and failed requests, and no other account', async () => {
  const { platform, asOther } = limited;
  const { api_key } = platform.bootstrap;
  const head = (authorization: string, target: string) =>
    `GET ${target} HTTP/1.1\r\nHost: ${API}\r\n${authorization} ${api_key}\r\nsErViCe-vErSiOn: 2\r\n`;
  const { status, json: key } = await platform.api('POST', '/api_keys', {});
  assert.equal(status, 201);
  const pipeline = `${head('AUTHORIZATION: Bearer', '/tunnels')}\r\n${head('authorization: bEARER', '/nothing')}\r\n${head('Authorization: bearer', '/tunnels?limit=0')}Connection: close\r\n\r\n`;
  assert.deepEqual(statuses(await rawHttp(platform, API, pipeline)), [200, 404, 400]);
  const noVersion = `GET /tunnels HTTP/1.1\r\nHost: ${API}\r\nAuthorization: Bearer ${key.token}\r\nConnection: close\r\n\r\n`;
  assert.deepEqual(statuses(await rawHttp(platform, API, noVersion)), [400]);
  assert.equal((await platform.api('GET', '/tunnels')).status, 200);
  const over = await rawHttp(platform, API, noVersion);
  assert.match(over, /^HTTP\/1\.1 429 /);
  assert.match(over, /ERR_SERVICE_226/);
  assert.match(over, /\r\nretry-after: ([1-9]|[1-5]\d|60)\r\n/i);
  assert.equal((await asOther('GET', '/tunnels')).status, 200);
});

test('failed authentications are limited by source, and a good key still gets in', async () => {
  const { platform, asOther } = limited;
  const wrong = { authorization: `Bearer ${'0'.repeat(27)}_${'0'.repeat(22)}` };
  const answers: number[] = [];
  for (let n = 0; n < 8; n++) answers.push((await platform.api('GET', '/tunnels', undefined, wrong)).status);
  assert.deepEqual(answers, [401, 401, 401, 401, 401, 401, 429, 429]);
  assert.equal((await asOther('GET', '/tunnels')).status, 200);
});

test('the admin listener answers to its address, not to web pages or rebound names', async () => {
  assert.equal((await admin('/healthz', {})).status, 200);
  assert.equal((await admin('/metrics', { origin: 'https://evil.example.com' })).status, 403);
  assert.equal(
    (await admin('/metrics', { host: `evil.example.com:${world.platform.adminPort}` })).status,
    403,
  );
  assert.equal((await admin('/metrics', {}, 'POST')).status, 405);
});

test('two first starts have no secret in common, and keep theirs to themselves', () => {
  const secrets = [world, limited].map(({ platform }) => {
    const { api_key, authtoken } = platform.bootstrap;
    for (const file of ['bootstrap.json', 'master.key']) {
      assert.equal(statSync(join(platform.dataDir, file)).mode & 0o077, 0, file);
    }
    return [api_key, authtoken, readFileSync(join(platform.dataDir, 'master.key'), 'latin1'), platform.ca];
  });
  const [one = [], two = []] = secrets;
  for (const [at, secret] of one.entries()) assert.notEqual(secret, two[at]);
});

function admin(
  path: string,
  headers: Record<string, string>,
  method = 'GET',
): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const request = plainRequest({
      host: '127.0.0.1',
      port: world.platform.adminPort,
      path,
      headers,
      method,
    });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
    });
    request.end();
  });
}

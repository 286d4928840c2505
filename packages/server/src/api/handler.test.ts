import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { ErrorName } from '../errors/catalogue.ts';
import { Problem } from '../errors/problem.ts';
import { NewerFormatError } from '../store/format.ts';
import { StoreUnavailableError, WriteOutcomeUnknownError } from '../store/store.ts';
import { fails, KEY, startApi } from './api.fixture.ts';
import { WIDGET } from './samples.fixture.ts';

type Headers = Record<string, string | undefined>;

const NO_KEY = { authorization: undefined };
const BAD_KEY = { authorization: 'Bearer wrong_key' };
const NO_VERSION = { 'service-version': undefined };

test('each method on each path of a kind is its operation, and no other', async (t) => {
  const { request, engine } = await startApi(t);
  const path = `/samples/widgets/${WIDGET}`;
  const expected: [string, string, string, number, string][] = [
    ['POST', '/samples/widgets', '{"a":[1]}', 201, 'create widget {"a":[1]}'],
    ['GET', path, '', 200, `get widget ${WIDGET}`],
    ['PATCH', path, '{}', 200, `update widget ${WIDGET} {}`],
    ['PATCH', path, '', 200, `update widget ${WIDGET} {}`],
    ['DELETE', path, '', 204, `remove widget ${WIDGET}`],
    ['PUT', `${path}/cover`, '{"enabled":true}', 200, `putModule widget ${WIDGET} cover {"enabled":true}`],
    ['PUT', `${path}/cover`, '', 200, `putModule widget ${WIDGET} cover {}`],
    ['GET', `${path}/cover`, '', 200, `getModule widget ${WIDGET} cover`],
    ['DELETE', `${path}/link`, '', 204, `removeModule widget ${WIDGET} link`],
    ['DELETE', `${path}/owner`, '', 204, `detach widget ${WIDGET} owner`],
    ['GET', `${path}/size`, '', 200, `view widget ${WIDGET} size`],
    ['POST', `${path}/weigh`, '', 200, `act widget ${WIDGET} weigh`],
    ['POST', `${path}/weigh`, '{"a":1}', 200, `act widget ${WIDGET} weigh`],
    ['GET', '/gadgets/gadget_x%2Fy', '', 200, 'get gadget gadget_x/y'],
    ['GET', `/gadgets/gadget_${'x'.repeat(3000)}`, '', 200, `get gadget gadget_${'x'.repeat(3000)}`],
  ];
  for (const [method, target, body, status, asked] of expected) {
    const answer = await request(method, target, {}, body);
    assert.equal(answer.status, status, `${method} ${target}`);
    assert.equal(engine.asked.at(-1), asked);
    assert.equal(answer.text, status === 204 ? '' : JSON.stringify({ asked }));
    assert.equal(answer.headers.get('content-type'), status === 204 ? undefined : 'application/json');
    assert.match(answer.headers.get('underpass-operation-id') ?? '', /^op_[0-9A-Za-z]{27}$/);
  }
});

test('a list has its own key, its address and that of the next page', async (t) => {
  const { request, engine } = await startApi(t);
  const last = await request('GET', '/samples/widgets');
  assert.deepEqual(last.json, {
    widgets: [{ id: WIDGET }],
    uri: 'https://api.underpass.test/samples/widgets',
    next_page_uri: null,
  });
  assert.equal(engine.asked.at(-1), 'list widget ac_1 {"limit":100}');
  engine.next = WIDGET;
  const more = await request('GET', `/samples/widgets?limit=7&before_id=${WIDGET}`);
  assert.equal(
    more.json.next_page_uri,
    `https://api.underpass.test/samples/widgets?before_id=${WIDGET}&limit=7`,
  );
  assert.equal(engine.asked.at(-1), `list widget ac_1 {"limit":7,"before":"${WIDGET}"}`);
});

test('the address of the next page keeps the filter and the search, which the log does not have', async (t) => {
  const { request, engine, log } = await startApi(t);
  engine.next = WIDGET;
  const given = { filter: 'id != "a&b=ü" and id > a', q: 'x y%+' };
  const first = await request('GET', `/samples/widgets?${new URLSearchParams({ limit: '7', ...given })}`);
  const next = new URL(String(first.json.next_page_uri));
  assert.deepEqual(Object.fromEntries(next.searchParams), { before_id: WIDGET, limit: '7', ...given });
  const second = await request('GET', `${next.pathname}${next.search}`);
  assert.equal(second.json.next_page_uri, String(next));
  assert.match(engine.asked.at(-1) ?? '', /"selection":\{"text":\{"filter":"id != /);
  assert.equal(JSON.parse(log.at(-1)!).path, `/samples/widgets?limit=7&before_id=${WIDGET}&…`);
  assert.doesNotMatch(log.join(''), /filter|x y/);
});

test('the list of what refers to a resource has pages of ids of any kind', async (t) => {
  const { request, engine } = await startApi(t);
  const path = `/samples/widgets/${WIDGET}/used_by`;
  const uri = `https://api.underpass.test${path}`;
  assert.deepEqual((await request('GET', path)).json, {
    used_by: [{ id: WIDGET }],
    uri,
    next_page_uri: null,
  });
  engine.next = WIDGET;
  const other = `gadget_${WIDGET.slice('widget_'.length)}`;
  const page = await request('GET', `${path}?limit=7&before_id=${other}`);
  assert.equal(page.json.next_page_uri, `${uri}?before_id=${WIDGET}&limit=7`);
  assert.equal(engine.asked.at(-1), `usedBy widget ${WIDGET} {"limit":7,"before":"${other}"}`);
  fails(await request('GET', `${path}?before_id=gadget_x`), 'idMalformed', { field: 'before_id' });
  fails(await request('GET', `${path}?before_id=x`), 'idMalformed', { field: 'before_id' });
  fails(await request('GET', `${path}?q=x`), 'queryParameterUnknown', { allowed: ['limit', 'before_id'] });
  fails(await request('GET', '/gadgets/gadget_x/used_by'), 'pathNotFound');
});

test('a wrong filter or search names the parameter', async (t) => {
  const { request } = await startApi(t);
  const list = (query: Record<string, string>) =>
    request('GET', `/samples/widgets?${new URLSearchParams(query)}`);
  fails(await list({ filter: 'id =' }), 'filterMalformed', { field: 'filter' });
  fails(await list({ filter: 'nothing = 1' }), 'filterFieldUnknown', {
    field: 'filter',
    allowed: ['id', 'description', 'friend', 'labels', 'cover'],
  });
  fails(await list({ filter: 'id.x = 1' }), 'filterFieldUnknown', { field: 'filter' });
  fails(await list({ filter: 'id = null and id > null' }), 'filterValueUnsuitable', { field: 'filter' });
  fails(await list({ filter: `id = ${'a'.repeat(2050)}` }), 'filterTooLong', { limit: 2048 });
  fails(await list({ filter: Array(21).fill('id = a').join(' and ') }), 'filterTooManyTerms', { limit: 20 });
  fails(await list({ q: 'ä'.repeat(101) }), 'searchTooLong', { field: 'q', limit: 200 });
});

test('wrong page parameters each get their own error, and other operations take none', async (t) => {
  const { request } = await startApi(t);
  for (const limit of ['0', '101', '-1'])
    fails(await request('GET', `/samples/widgets?limit=${limit}`), 'limitOutOfRange', { field: 'limit' });
  for (const limit of ['1e2', 'x'])
    fails(await request('GET', `/samples/widgets?limit=${limit}`), 'limitNotNumber', { field: 'limit' });
  fails(await request('GET', `/gadgets?before_id=${WIDGET}`), 'idPrefixWrong', { field: 'before_id' });
  fails(await request('GET', '/samples/widgets?limit=5&limit=5'), 'queryParameterRepeated', {
    field: 'limit',
  });
  fails(await request('GET', '/samples/widgets?limit=%zz'), 'queryMalformed');
  fails(await request('GET', '/samples/widgets?order=up'), 'queryParameterUnknown', {
    field: 'order',
    allowed: ['limit', 'before_id', 'filter', 'q'],
  });
  for (const [method, body] of [
    ['GET', ''],
    ['PATCH', '{}'],
    ['DELETE', ''],
  ] as const) {
    fails(await request(method, `/samples/widgets/${WIDGET}?limit=5`, {}, body), 'queryParameterUnknown', {
      field: 'limit',
      allowed: [],
    });
  }
});

test('a path that leads nowhere is 404', async (t) => {
  const { request } = await startApi(t);
  for (const path of [
    '/',
    '/samples',
    '/samples/widgets/',
    '/samples/widgets//cover',
    '//gadgets',
    '/gadgets/a/b',
    '/DISHES',
    '/gadgets/../gadgets',
    '/toString',
  ]) {
    fails(await request('GET', path), 'pathNotFound');
  }
  fails(await request('GET', '/gadgets/gadget_gone'), 'resourceNotFound');
});

test('a method that a path does not have is 405 with Allow, whatever the method', async (t) => {
  const { request } = await startApi(t);
  for (const method of ['PUT', 'DELETE', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH']) {
    const answer = await request(method, '/samples/widgets');
    assert.equal(answer.status, 405, method);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, POST, OPTIONS');
    fails(answer, 'methodNotAllowed', { allowed: ['GET', 'HEAD', 'POST', 'OPTIONS'] });
  }
  for (const method of ['BREW', 'get', 'X-1']) {
    const answer = await request(method, `/samples/widgets/${WIDGET}/cover?x=1`);
    fails(answer, 'methodNotAllowed', { allowed: ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS'] });
    assert.equal(answer.headers.get('allow'), 'GET, HEAD, PUT, DELETE, OPTIONS');
  }
  fails(await request('BREW', '/nowhere'), 'pathNotFound');
  assert.equal((await request('POST', '/openapi.json')).headers.get('allow'), 'GET, HEAD, OPTIONS');
});

test('without a good key nothing is answered but 401', async (t) => {
  const { request, engine } = await startApi(t);
  const cases: [string | undefined, ErrorName][] = [
    [undefined, 'authorizationMissing'],
    ['', 'authorizationMissing'],
    ['Basic dXNlcg==', 'authorizationUnsupported'],
    ['Bearer', 'authorizationUnsupported'],
    ['Bearer a b', 'authorizationUnsupported'],
    [KEY, 'authorizationUnsupported'],
    ['Bearer short', 'apiKeyMalformed'],
    ['Bearer wrong_key', 'apiKeyInvalid'],
  ];
  for (const [authorization, code] of cases) {
    for (const [method, path] of [
      ['GET', '/samples/widgets'],
      ['GET', '/nowhere'],
      ['PUT', '/gadgets'],
    ] as const) {
      const answer = await request(method, path, { authorization });
      fails(answer, code);
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer');
    }
  }
  assert.deepEqual(engine.asked, []);
  const basic = `Basic ${Buffer.from(`${KEY}:`).toString('base64')}`;
  for (const authorization of [`bEARER  ${KEY}`, basic])
    assert.equal((await request('GET', '/gadgets', { authorization })).status, 200);
});

test('the version header goes by any configured name, in any case, and must say 2', async (t) => {
  const { request } = await startApi(t, { versionHeaders: ['Service-Version', 'Other-Version'] });
  fails(await request('GET', '/gadgets', NO_VERSION), 'versionMissing', { allowed: ['2'] });
  for (const value of ['1', '', '2.0', '02', '2, 2', 'latest']) {
    fails(await request('GET', '/gadgets', { 'service-version': value }), 'versionUnsupported', {
      allowed: ['2'],
    });
  }
  assert.equal((await request('GET', '/gadgets', { ...NO_VERSION, 'OTHER-version': '2' })).status, 200);
  fails(await request('GET', '/gadgets', { 'other-version': '1' }), 'versionUnsupported', {
    field: 'other-version',
  });
});

test('the checks come in their order: each fault hides those after it', async (t) => {
  const api = await startApi(t, { limit: 1000 });
  const path = `/samples/widgets/${WIDGET}`;
  const text = { 'content-type': 'text/plain' };
  const steps: [string, string, Headers, string, ErrorName][] = [
    ['PUT', '/nowhere', { ...BAD_KEY, ...NO_VERSION, ...text }, 'x', 'versionMissing'],
    ['PUT', '/nowhere', { ...NO_KEY, 'service-version': '3', ...text }, 'x', 'versionUnsupported'],
    ['PUT', '/nowhere', { ...BAD_KEY, ...text }, 'x', 'apiKeyInvalid'],
    ['PUT', '/nowhere', { ...NO_KEY, ...text }, 'x', 'authorizationMissing'],
    ['PUT', '/nowhere', text, 'x', 'pathNotFound'],
    ['PUT', path, text, 'x', 'methodNotAllowed'],
    ['PATCH', path, text, 'x', 'contentTypeUnsupported'],
    ['PATCH', path, {}, 'x', 'bodyMalformed'],
  ];
  for (const [method, target, headers, body, code] of steps)
    fails(await api.request(method, target, headers, body), code);
  fails(await api.request('GET', '/gadgets/widget_1'), 'idPrefixWrong');

  const full = await startApi(t, { limit: 1 });
  await full.request('GET', '/gadgets');
  fails(await full.request('PUT', '/nowhere', { ...NO_VERSION, ...text }, 'x'), 'rateLimited');
  fails(await full.request('PUT', '/nowhere', { ...NO_KEY, ...NO_VERSION }), 'versionMissing');
  fails(await full.request('PUT', '/nowhere', { ...NO_KEY, ...NO_VERSION }), 'authenticationFailuresLimited');
});

test('a packed body is refused as that, and not read as JSON that is broken', async (t) => {
  const { request } = await startApi(t);
  const path = `/samples/widgets/${WIDGET}`;
  const packed = gzipSync('{}');
  for (const coding of ['gzip', 'GZIP', 'br', 'gzip, identity', 'x']) {
    const answer = await request('PATCH', path, { 'content-encoding': coding }, packed);
    fails(answer, 'contentEncodingUnsupported', { allowed: ['identity'] });
    assert.equal(answer.headers.get('accept-encoding'), 'identity');
  }
  for (const coding of ['identity', 'Identity', '']) {
    assert.equal((await request('PATCH', path, { 'content-encoding': coding }, '{}')).status, 200, coding);
  }
  const other = await request(
    'PATCH',
    path,
    { 'content-encoding': 'gzip', 'content-type': 'text/plain' },
    '{}',
  );
  fails(other, 'contentTypeUnsupported');
  assert.equal(other.headers.get('accept-encoding'), undefined);
});

test('content types: JSON with or without parameters, needed with a body only', async (t) => {
  const { request } = await startApi(t);
  const path = `/samples/widgets/${WIDGET}`;
  for (const type of [
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON ;charset="UTF-8"',
    'application/json;v=1',
  ]) {
    assert.equal((await request('PATCH', path, { 'content-type': type }, '{}')).status, 200, type);
  }
  for (const type of [
    'text/plain',
    'application/jsonp',
    'application/json charset=utf-8',
    'application/json; charset=utf-16',
    ';',
    'x'.repeat(9000),
  ]) {
    fails(await request('PATCH', path, { 'content-type': type }, '{}'), 'contentTypeUnsupported', {
      allowed: ['application/json'],
    });
  }
  fails(await request('PATCH', path, { 'content-type': undefined }, '{}'), 'contentTypeMissing');
  fails(await request('PATCH', path, { 'content-type': '' }, '{}'), 'contentTypeMissing');
  for (const type of ['application/json', 'text/plain', 'broken']) {
    assert.equal((await request('GET', path, { 'content-type': type })).status, 200);
    assert.equal((await request('DELETE', path, { 'content-type': type })).status, 204);
    assert.equal(
      (await request('DELETE', path, { 'content-type': type, 'content-length': '0' })).status,
      204,
    );
  }
});

test('bodies: none where none is taken, JSON where one is', async (t) => {
  const { request, engine } = await startApi(t);
  const path = `/samples/widgets/${WIDGET}`;
  fails(await request('GET', path, {}, '{}'), 'bodyNotAllowed');
  fails(await request('DELETE', path, {}, '{}'), 'bodyNotAllowed');
  fails(await request('GET', '/openapi.json', {}, '{}'), 'bodyNotAllowed');
  fails(await request('POST', '/samples/widgets', { 'content-type': 'application/json' }), 'bodyMalformed');
  fails(await request('POST', '/samples/widgets'), 'bodyMalformed');
  const { asked } = engine;
  assert.deepEqual(asked, []);
  for (const text of ['{', '{"a":1}}', "{'a':1}", 'undefined', '{"a":}']) {
    fails(await request('POST', '/samples/widgets', {}, text), 'bodyMalformed');
  }
  fails(await request('POST', '/samples/widgets', {}, '{"id":"a","id":"b"}'), 'fieldRepeated', {
    field: '/id',
  });
  fails(await request('POST', '/samples/widgets', {}, Buffer.from([0x22, 0xff, 0x22])), 'bodyNotUtf8');
  fails(await request('POST', '/samples/widgets', {}, '['.repeat(100_000)), 'bodyTooDeep');
  assert.equal((await request('POST', '/samples/widgets', {}, '["an","array"]')).status, 201);
  await request('POST', '/samples/widgets', {}, '{"__proto__":{"admin":true}}');
  assert.equal(asked.at(-1), 'create widget {"__proto__":{"admin":true}}');
});

test('a store that is away is 503, and what nobody foresaw is 500 without a word of what it was', async (t) => {
  const { request, engine, log } = await startApi(t);
  engine.failure = new StoreUnavailableError('disk at /var/lib/secret is full');
  const away = await request('GET', '/gadgets');
  fails(away, 'storeUnavailable');
  assert.equal(away.headers.get('retry-after'), '1');
  assert.doesNotMatch(away.text, /secret/);
  engine.failure = new NewerFormatError(WIDGET, 2);
  const newer = await request('GET', '/gadgets');
  fails(newer, 'documentFormatNewer');
  assert.ok(newer.text.includes(WIDGET));

  engine.failure = new WriteOutcomeUnknownError('connection to 10.0.0.5 (secret) terminated');
  const open = await request('GET', '/gadgets');
  fails(open, 'writeOutcomeUnknown');
  assert.equal(open.headers.get('retry-after'), undefined);
  assert.doesNotMatch(open.text, /secret|nothing was changed/);

  engine.failure = new TypeError('cannot read /var/lib/secret');
  const broken = await request('GET', '/gadgets');
  fails(broken, 'internalError');
  assert.doesNotMatch(broken.text, /secret|TypeError/);
  const line = log.find(
    (text) => text.includes('TypeError') && text.includes(String(broken.json.details?.operation_id)),
  );
  assert.match(line ?? '', /"stack":"TypeError: cannot read.*\\n +at /);

  const before = log.length;
  engine.failure = new Problem('agentAnswerMissing', { seconds: 15 }, {}, 1);
  fails(await request('GET', '/gadgets'), 'agentAnswerMissing');
  assert.deepEqual(
    log.slice(before).map((text) => [JSON.parse(text).msg, JSON.parse(text).level]),
    [['api request', 30]],
    'an agent that never answers is no failure of the service',
  );

  engine.failure = new Problem(
    'valueInvalid',
    { field: 'a', reason: 'b' },
    { field: '/a', used_by: [WIDGET] },
  );
  fails(await request('GET', '/gadgets'), 'valueInvalid', { field: '/a', used_by: [WIDGET] });
});

test('each request is one line of the log, with what identifies it', async (t) => {
  const { request, open, log, observed } = await startApi(t);
  const answer = await request('GET', `/samples/widgets?limit=5&before_id=${WIDGET}`);
  const stranger = await open();
  stranger.send('hello\r\n\r\n');
  await stranger.answer();
  assert.equal(log.length, 2);
  const {
    time: _time,
    pid: _pid,
    hostname: _hostname,
    level: _level,
    bytes_out,
    ...line
  } = JSON.parse(log[0]!);
  assert.ok(bytes_out > 0);
  assert.deepEqual(line, {
    operation_id: answer.headers.get('underpass-operation-id'),
    host: '',
    method: 'GET',
    route: '/samples/widgets',
    path: `/samples/widgets?limit=5&before_id=${WIDGET}`,
    operation: 'widget_list',
    status: 200,
    duration_ms: 0,
    account: 'ac_1',
    key: 'ak_1',
    source: '127.0.0.1',
    msg: 'api request',
  });
  assert.deepEqual(observed, [
    { operation: 'widget_list', status: 200 },
    { operation: '', status: 400 },
  ]);
});

test('a token never gets into the log, wherever it was put', async (t) => {
  const { request, log, engine, open } = await startApi(t);
  await request('GET', '/gadgets');
  await request('GET', '/gadgets', { authorization: `Bearer ${KEY}x` });
  await request('GET', '/gadgets', { authorization: `Basic ${KEY}` });
  await request('GET', '/gadgets', { 'service-version': KEY });
  await request('GET', '/gadgets', { 'content-type': KEY, host: KEY });
  await request('POST', '/samples/widgets', {}, `{"token":"${KEY}"}`);
  await request('POST', '/samples/widgets', { 'content-type': KEY }, `{"${KEY}":"${KEY}`);
  await request('POST', '/samples/widgets', {}, `{"${KEY}":1,"${KEY}":2}`);
  for (const query of [
    `token=${KEY}`,
    `${KEY}`,
    `limit=${KEY}`,
    `before_id=${KEY}`,
    `before_id=widget_${KEY}`,
  ]) {
    await request('GET', `/samples/widgets?${query}`);
    await request('GET', `/nowhere?${query}`);
    await request('GET', `/openapi.json?${query}`);
  }
  for (const path of [
    `/${KEY}`,
    `/gadgets/${KEY}`,
    `/samples/widgets/${KEY}/cover`,
    `/samples/widgets/${WIDGET}/${KEY}`,
    `/gadgets#${KEY}`,
    `http://u:${KEY}@x/gadgets`,
  ]) {
    await request('GET', path);
  }
  await request(KEY, '/gadgets');
  engine.failure = new Error('engine failure');
  await request('GET', `/gadgets?limit=5`);
  await request('POST', '/samples/widgets', {}, `{"token":"${KEY}"}`);
  const client = await open();
  client.send(`GET / HTTP/1.1\r\nhost: x\r\nauthorization: ${KEY}\r\nbad header ${KEY}\r\n\r\n`);
  await client.answer();

  assert.ok(log.length >= 30);
  // The first part of a token is also that of an id, which is no secret.
  const secret = KEY.slice(28);
  assert.deepEqual(
    log.filter((line) => line.includes(secret)),
    [],
  );
});

test('the log shows ids in a path and nothing longer', async (t) => {
  const { request, log } = await startApi(t);
  await request('GET', `/samples/widgets/${WIDGET}/cover`);
  assert.equal(JSON.parse(log.at(-1)!).path, `/samples/widgets/${WIDGET}/cover`);
  await request('GET', `/samples/widgets/${WIDGET}x1234567890/cover`);
  assert.equal(JSON.parse(log.at(-1)!).path, '/samples/widgets/…/cover');
  await request('GET', `/${'a/'.repeat(1000)}`);
  assert.equal(JSON.parse(log.at(-1)!).path.length, 200);
});

test('answers about what is online name the number of daemons that cannot be reached', async (t) => {
  const api = await startApi(t);
  const header = async (path: string) =>
    (await api.request('GET', path)).headers.get('unreachable-nodes') ?? null;
  assert.equal(await header('/gadgets'), null);
  api.unreachable = 2;
  assert.deepEqual([await header('/gadgets'), await header('/gadgets/gadget_1')], ['2', '2']);
  assert.equal(await header('/samples/widgets'), null, 'stored resources are whole');
});

test('responses to writes name the number of daemons that have not applied them, and of those without a link', async (t) => {
  const api = await startApi(t);
  const headers = async (method: string, path: string) => {
    const answer = await api.request(
      method,
      path,
      { 'content-type': 'application/json' },
      method === 'POST' ? '{}' : undefined,
    );
    assert.ok(answer.status < 300, answer.text);
    return ['not-everywhere', 'unreachable-nodes'].map((name) => answer.headers.get(name) ?? null);
  };
  assert.deepEqual(await headers('POST', '/samples/widgets'), [null, null]);
  api.late = Promise.resolve(0);
  assert.deepEqual(await headers('POST', '/samples/widgets'), [null, null]);
  api.late = Promise.resolve(2);
  api.unreachable = 1;
  assert.deepEqual(await headers('POST', '/samples/widgets'), ['2', '1']);
  api.late = 3;
  assert.deepEqual(await headers('DELETE', `/samples/widgets/${WIDGET}`), ['3', '1']);
  assert.deepEqual(await headers('GET', '/samples/widgets'), [null, null], 'a read waits for none');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerVariables } from '../../core/modules/header-template.ts';
import type { Hostname } from '../../core/names/hostname.ts';
import { testConnection } from '../sites/connection-facts.fixture.ts';
import type { HeadEdit, RequestFacts } from '../sites/site.ts';
import { requestHeaders, responseHeaders } from './headers.ts';

/** `${.name}`, written so that it is no template of JavaScript. */
function named(name: string): string {
  return `$\{.${name}}`;
}

const compilation = {
  look: {
    get: () => undefined,
    group: () => [],
    rules: () => assert.fail(),
    secret: () => null,
    login: null,
    backend: () => assert.fail(),
  },
  place: '',
  account: 'ac_1',
  carrier: 'here',
  before: undefined,
};

function requestEdit(add: Record<string, string>, remove: readonly string[] = []): HeadEdit {
  const edit = requestHeaders.compile({ enabled: true, add, remove }, compilation).requestEdits?.at(-1);
  assert.ok(edit);
  return edit;
}

function responseEdit(add: Record<string, string>, remove: readonly string[] = []): HeadEdit {
  const [edit] = responseHeaders.compile({ enabled: true, add, remove }, compilation).responseEdits ?? [];
  assert.ok(edit);
  return edit;
}

function request(changes: Partial<RequestFacts> = {}): RequestFacts {
  const fields: Record<string, readonly string[]> = {
    host: ['a.example:8443'],
    'user-agent': ['first', 'x'],
  };
  const clientCertificate = {
    commonName: 'Ann',
    dnsNames: [],
    emailAddresses: [],
    serialNumber: '0a',
  };
  return {
    connection: testConnection({
      clientAddr: '[2001:db8::1]:5678',
      serverAddr: '127.0.0.1:443',
      serverName: 'a.example' as Hostname,
      tls: { version: 'TLSv1.3', cipher: 'TLS_AES_128_GCM_SHA256', clientCertificate },
    }),
    method: 'GET',
    target: '/a/b?c=d?e',
    values: (name) => fields[name] ?? [],
    decisions: new Map([
      ['ip_restriction', 'allow'],
      ['compression', 'gzip'],
      ['circuit_breaker', 'allow'],
      ['user_agent_filter', 'allow'],
      ['basic_auth', 'allow'],
      ['oauth', 'allow'],
      ['oidc', 'block'],
      ['webhook_verification', 'allow'],
    ]),
    admittedBy: (module) => visitors.get(module) ?? null,
    ...changes,
  };
}

const visitors = new Map([
  ['basic_auth', { id: 'ada', name: '', clientId: '' }],
  ['oauth', { id: '42', name: 'Ada Lovelace', clientId: 'shop' }],
]);

const answer = { status: 404, length: null, isOwn: false, isReused: true, field: () => '' };

function filledIn(name: string, facts = request()): string {
  const [field] = responseEdit({ x: named(name) }).add(facts, answer);
  return field![1];
}

test('each name stands for what is known by it', () => {
  const expected: Record<string, string> = {
    'backend.connection_reused': 'true',
    'basic_auth.decision': 'allow',
    'basic_auth.username': 'ada',
    'circuit_breaker.decision': 'allow',
    'compression.algorithm': 'gzip',
    'conn.client_ip': '2001:db8::1',
    'conn.client_port': '5678',
    'conn.server_ip': '127.0.0.1',
    'conn.server_name': 'a.example',
    'conn.server_port': '443',
    'conn.start_ts': '1970-01-01T00:00:00.000Z',
    'http.request.method': 'GET',
    'http.request.url.host': 'a.example:8443',
    'http.request.url.path': '/a/b',
    'http.request.url.query': 'c=d?e',
    'http.request.url.raw': 'https://a.example:8443/a/b?c=d?e',
    'http.request.url.scheme': 'https',
    'http.request.user_agent': 'first',
    'http.response.status_code': '404',
    'ip_policy.decision': 'allow',
    'oauth.app_client_id': 'shop',
    'oauth.decision': 'allow',
    'oauth.user.id': '42',
    'oauth.user.name': 'Ada Lovelace',
    'oidc.app_client_id': '',
    'oidc.decision': 'block',
    'oidc.user.id': '',
    'oidc.user.name': '',
    'saml.decision': '',
    'saml.user.id': '',
    'saml.user.name': '',
    'tls.cipher_suite': 'TLS_AES_128_GCM_SHA256',
    'tls.client_cert.serial_number': '0a',
    'tls.client_cert.subject.cn': 'Ann',
    'tls.version': 'TLSv1.3',
    'user_agent_filter.decision': 'allow',
    'webhook_verification.decision': 'allow',
  };
  for (const name of answerVariables) {
    if (name === 'http.request_id') continue;
    assert.equal(filledIn(name), expected[name], name);
  }
});

test('what is not known of a request is empty', () => {
  const { connection } = request();
  const bare = request({
    connection: { ...connection, serverName: null, tls: null },
    values: () => [],
    decisions: new Map(),
    admittedBy: () => null,
  });
  const empty = answerVariables.filter((name) => filledIn(name, bare) === '');
  assert.deepEqual(empty, [
    'basic_auth.decision',
    'basic_auth.username',
    'circuit_breaker.decision',
    'conn.server_name',
    'http.request.url.host',
    'http.request.user_agent',
    'ip_policy.decision',
    'oauth.app_client_id',
    'oauth.decision',
    'oauth.user.id',
    'oauth.user.name',
    'oidc.app_client_id',
    'oidc.decision',
    'oidc.user.id',
    'oidc.user.name',
    'saml.decision',
    'saml.user.id',
    'saml.user.name',
    'tls.cipher_suite',
    'tls.client_cert.serial_number',
    'tls.client_cert.subject.cn',
    'tls.version',
    'user_agent_filter.decision',
    'webhook_verification.decision',
  ]);
  assert.equal(filledIn('compression.algorithm', bare), 'none');
});

test('Location is changed in what an upstream says that was told another Host, and in nothing else', () => {
  const compiled = requestHeaders.compile(
    { enabled: true, add: { host: 'in.example' }, remove: [] },
    compilation,
  );
  const [edit] = compiled.responseEdits ?? [];
  const location = Buffer.from('http://in.example/ü').toString('latin1');
  const field = (name: string): string => (name === 'location' ? location : '');
  assert.deepEqual(edit?.replace?.(request(), { ...answer, field }), [
    ['Location', 'https://a.example:8443/ü'],
  ]);
  assert.deepEqual(edit?.replace?.(request(), { ...answer, field, isOwn: true }), []);
  assert.deepEqual(edit?.replace?.(request(), answer), []);
  const other = requestHeaders.compile(
    { enabled: true, add: { 'x-host': 'in.example' }, remove: [] },
    compilation,
  );
  assert.equal(other.responseEdits, undefined);
});

test('what came without TLS says so', () => {
  const { connection } = request();
  const plain = request({ connection: { ...connection, tls: null } });
  assert.equal(filledIn('http.request.url.scheme', plain), 'http');
  assert.equal(filledIn('http.request.url.raw', plain), 'http://a.example:8443/a/b?c=d?e');
});

test('a target in absolute form has the same parts', () => {
  const facts = request({ target: 'https://a.example:8443?x' });
  assert.equal(filledIn('http.request.url.path', facts), '/');
  assert.equal(filledIn('http.request.url.query', facts), 'x');
  assert.equal(filledIn('http.request.url.path', request({ target: 'HTTP://a.example' })), '/');
  assert.equal(filledIn('http.request.url.path', request({ target: '*' })), '*');
});

test('a request has one id, on its way there and back', () => {
  const [one, other] = [request(), request()];
  const id = named('http.request_id');
  const there = requestEdit({ x: id }).add(one, null);
  assert.match(there[0]![1], /^[0-9a-f-]{36}$/);
  assert.deepEqual(responseEdit({ x: id }).add(one, answer), there);
  assert.notDeepEqual(responseEdit({ x: id }).add(other, answer), there);
});

test('names stand among text, and those that nobody knows for nothing', () => {
  const value = `a ${named('http.request.method')}${named('made.up')} $b ${named('')}{}`;
  assert.deepEqual(requestEdit({ x: value, y: '', z: '${.open' }).add(request(), null), [
    ['x', 'a GET $b {}'],
    ['y', ''],
    ['z', '${.open'],
  ]);
});

test('a value has an end, however often it names what a visitor sends', () => {
  const edit = requestEdit({ x: named('http.request.url.raw').repeat(160) });
  const [field] = edit.add(request({ target: `/${'a'.repeat(60_000)}` }), null);
  assert.equal(field![1].length, 8192);
});

test('a request whose head has no reader is not copied', () => {
  const readsRequest = (value: string) => requestEdit({ x: 'a', y: value }).readsRequest;
  assert.equal(readsRequest('text'), false);
  assert.equal(readsRequest(named('conn.client_ip')), false);
  assert.equal(readsRequest(named('ip_policy.decision')), false);
  assert.equal(readsRequest(named('http.request_id')), true);
  assert.equal(readsRequest(named('http.request.method')), true);
});

test('another Host takes the place of the one that came, in requests', () => {
  assert.deepEqual([...requestEdit({ host: 'b' }, ['a']).remove], ['a', 'host']);
  assert.deepEqual([...responseEdit({ host: 'b' }, ['a']).remove], ['a']);
});

test('the mark of requests that come back is never removed', () => {
  assert.deepEqual([...requestEdit({}, ['cdn-loop', 'a']).remove], ['a']);
});

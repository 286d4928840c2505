import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../edge/sites/exchange-record.fixture.ts';
import type { RecordedHeads } from '../edge/sites/recorded-heads.ts';
import type { Occurrence } from '../events/event-buffer.ts';
import { TrafficEvents } from './traffic-events.ts';

const ENDED = Date.parse('2030-01-02T03:04:06.000Z');

const unanswered: RecordedHeads = {
  ...{ request: 'GET /here HTTP/1.1\r\n\r\n', response: null, version: 'HTTP/1.1' },
  bytesBeforeBody: 0,
};

function traffic(wanted: readonly string[], { isFull = false, isDelivery = false } = {}) {
  const added: Occurrence[] = [];
  const counts = { dropped: 0 };
  const buffer = {
    wants: (account: string, type: string) => account === 'ac_1' && wanted.includes(type),
    isFull: () => isFull,
    drop: () => void counts.dropped++,
    add: (event: Occurrence) => void added.push(event),
  };
  const marks = { isAmong: () => isDelivery };
  return { events: new TrafficEvents(buffer, marks, 'ERR_X_', () => ENDED), added, counts };
}

test('a request is reported with its facts and with the decisions of modules', () => {
  const { events, added } = traffic(['http_request_complete.v0']);
  const decisions = new Map([
    ['ip_restriction', 'allow'],
    ['compression', 'gzip'],
    ['circuit_breaker', 'allow'],
    ['basic_auth', 'allow'],
    ['oauth', 'block'],
    ['saml', 'block'],
  ]);
  const visitors = new Map([
    ['basic_auth', { id: 'ann', name: '', clientId: '' }],
    ['oauth', { id: '7', name: 'Ann', clientId: 'app' }],
    ['saml', { id: '', name: '', clientId: '' }],
  ]);
  const certificate = { commonName: 'me', dnsNames: [], emailAddresses: [], serialNumber: '0a' };
  const tls = { version: 'TLSv1.2', cipher: 'ECDHE', clientCertificate: certificate };
  const connection = { ...visit.connection, tls };
  const request =
    'GET /here?a=?b HTTP/1.1\r\nhost: a.example.com\r\nUSER-AGENT: me/1\r\nx-two: 1\r\nx-Two:2\r\nauthorization: one\r\ncookie: two\r\n\r\n';
  const response = 'HTTP/1.1 200 OK\r\nset-cookie: three\r\netag: "é"\r\n\r\n';
  const heads: RecordedHeads = {
    ...{ request, response, version: 'HTTP/1.1' },
    bytesBeforeBody: 100,
  };
  const times = { durationMs: 250, firstByteMs: 100 };
  events.observe({
    ...visit,
    connection,
    decisions,
    visitors,
    heads,
    bytesOut: 105,
    bytesSaved: 7,
    ...times,
  });
  assert.deepEqual([added.length, added[0]?.account, added[0]?.resource], [1, 'ac_1', '']);
  assert.deepEqual(added[0]?.object(), {
    conn: {
      client_ip: '192.0.2.1',
      server_ip: '2001:db8::1',
      server_name: 'a.example.com',
      server_port: 443,
      start_ts: '2030-01-02T03:04:05.678Z',
      ja4: 'a fingerprint',
    },
    http: {
      request: {
        method: 'GET',
        version: 'HTTP/1.1',
        url: {
          ...{ scheme: 'https', host: 'a.example.com', path: '/here', query: 'a=?b' },
          raw: 'https://a.example.com/here?a=?b',
        },
        user_agent: 'me/1',
        headers: {
          Host: ['a.example.com'],
          'User-Agent': ['me/1'],
          'X-Two': ['1', '2'],
          Authorization: ['[hidden]'],
          Cookie: ['[hidden]'],
        },
        body_length: 1,
        first_byte_ts: '2030-01-02T03:04:05.750Z',
      },
      response: {
        status_code: 200,
        headers: { 'Set-Cookie': ['[hidden]'], Etag: ['"é"'] },
        body_length: 5,
        first_byte_ts: '2030-01-02T03:04:05.850Z',
        last_byte_ts: '2030-01-02T03:04:06.000Z',
      },
    },
    tls: {
      version: 'TLSv1.2',
      cipher_suite: 'ECDHE',
      client_cert: { serial_number: '0a', subject: { cn: 'me' } },
    },
    ip_policy: { decision: 'allow' },
    compression: { algorithm: 'gzip', bytes_saved: 7 },
    circuit_breaker: { decision: 'allow' },
    basic_auth: { decision: 'allow', username: 'ann' },
    oauth: { decision: 'block', app_client_id: 'app', user: { id: '7', name: 'Ann' } },
    saml: { decision: 'block', app_client_id: '', user: null },
    site: 'edghts_1',
    route: 'edghtsrt_1',
    backend: { id: 'bkdtg_1', served_by: 'tn_1', connection_reused: false },
    error_code: '',
  });
});

test('no event has a value with which a login could be continued or ended', () => {
  const { events, added } = traffic(['http_request_complete.v0']);
  const request = 'GET /underpass/callback?code=secret&state=secret HTTP/1.1\r\nhost: a\r\n\r\n';
  const response = 'HTTP/1.1 302 Found\r\nLOCATION: https://idp.example/?id_token_hint=secret\r\n\r\n';
  const heads: RecordedHeads = {
    ...{ request, response, version: 'HTTP/1.1' },
    bytesBeforeBody: 100,
  };
  for (const path of ['/underpass/callback', '/underpass/logout']) events.observe({ ...visit, heads, path });
  events.observe({ ...visit, heads, path: '/elsewhere' });
  const [callback, logout, elsewhere] = added.map(({ object }) => JSON.stringify(object()));
  for (const text of [callback, logout]) {
    assert.doesNotMatch(text!, /secret/);
    assert.match(text!, /"query":"\[hidden\]".*"Location":\["\[hidden\]"\]/);
  }
  assert.match(elsewhere!, /"query":"code=secret&state=secret".*id_token_hint=secret/);
});

test('a request that got no answer, over plain HTTP, says so', () => {
  const { events, added } = traffic(['http_request_complete.v0']);
  const connection = { ...visit.connection, tls: null };
  events.observe({
    ...visit,
    connection,
    heads: unanswered,
    status: 0,
    firstByteMs: null,
    error: 'edgeWithoutBackend',
  });
  const text = JSON.stringify(added[0]?.object());
  assert.match(text, /"scheme":"http".*"status_code":0.*"first_byte_ts":null/);
  assert.match(text, /"tls":null.*"error_code":"ERR_X_6528"/);
});

test('of a request nothing is looked at, and nothing kept of what it says, while there is no room for it', () => {
  const { events, added, counts } = traffic(['http_request_complete.v0'], { isFull: true });
  const visitors = new Map();
  visitors.values = assert.fail;
  events.observe({ ...visit, heads: unanswered, visitors });
  assert.equal(events.recordsHeads('ac_1'), false);
  assert.deepEqual([added.length, counts.dropped], [0, 1]);
});

test('requests that deliver events of the account are not reported, and not counted as dropped', () => {
  const request = 'POST / HTTP/1.1\r\nCDN-Loop: mark\r\n\r\n';
  for (const isFull of [false, true]) {
    const { events, added, counts } = traffic(['http_request_complete.v0'], { isFull, isDelivery: true });
    events.observe({ ...visit, heads: { ...unanswered, request } });
    assert.deepEqual([added.length, counts.dropped], [0, 0]);
  }
});

test('a request that began while there was no room is not reported, rather than in part', () => {
  const { events, added, counts } = traffic(['http_request_complete.v0']);
  assert.equal(events.recordsHeads('ac_1'), true);
  events.observe({ ...visit, heads: null });
  assert.deepEqual([added.length, counts.dropped], [0, 1]);
  events.observe({ ...visit, heads: unanswered });
  assert.deepEqual([added.length, counts.dropped], [1, 1]);
});

test('without a subscription no event is made, and the request is not recorded for it', () => {
  const { events, added } = traffic(['tcp_connection_closed.v0']);
  events.observe(visit);
  events.observe({ ...visit, account: 'ac_2', kind: 'bytes' });
  events.observe({ ...visit, account: '', kind: 'bytes' });
  assert.equal(events.recordsHeads('ac_1'), false);
  assert.equal(added.length, 0);
  events.observe({ ...visit, kind: 'bytes' });
  assert.match(
    JSON.stringify(added[0]?.object()),
    /"bytes_in":1,"bytes_out":2,"end_ts":"2030-01-02T03:04:06.000Z"/,
  );
});

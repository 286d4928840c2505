/** Requests as HAR 1.2, checked by the structure that the format demands. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { RecordedBody, TrafficRequest } from '@underpass/client';
import { contentOf } from './body-content.ts';
import { toHar } from './har.ts';

const request: TrafficRequest = {
  ...{ id: 'req_1', uri: '', end_ts: '2030-01-01T00:00:01.000Z', kind: 'http', site: 'edghts_1' },
  ...{ host: 'a.example.com', route: '', backend: '', served_by: '', node: '', method: 'POST' },
  ...{ path: '/p', query: 'a=1&token=', status_code: 200, client_ip: '192.0.2.0/24', tls: null },
  ...{ bytes_in: 4, bytes_out: 200, duration_ms: 250.5, first_byte_ms: 200, decisions: [] },
  ...{ error_code: '', error: '', reason: '', upstream_fault: '', has_bodies: true },
};

const body = (bytes: Buffer, more: Partial<RecordedBody> = {}): RecordedBody => ({
  ...{ content: bytes.toString('base64'), encoding: 'base64', content_type: 'text/plain' },
  ...{ content_encoding: '', size: bytes.length, is_truncated: false, ...more },
});

/** Fields of HAR 1.2 with their types; `?`: optional. */
const MESSAGE = {
  ...{ httpVersion: 'string', cookies: 'array', headers: 'array', headersSize: 'number' },
  ...{ bodySize: 'number', 'comment?': 'string' },
};
const STRUCTURE = {
  log: { version: 'string', creator: 'object', entries: 'array', 'comment?': 'string' },
  creator: { name: 'string', version: 'string', 'comment?': 'string' },
  entry: {
    ...{ startedDateTime: 'string', time: 'number', request: 'object', response: 'object' },
    ...{ cache: 'object', timings: 'object', 'comment?': 'string' },
  },
  request: { ...MESSAGE, method: 'string', url: 'string', queryString: 'array', 'postData?': 'object' },
  response: { ...MESSAGE, status: 'number', statusText: 'string', redirectURL: 'string', content: 'object' },
  postData: { mimeType: 'string', text: 'string', 'comment?': 'string' },
  content: {
    ...{ size: 'number', mimeType: 'string', 'text?': 'string', 'encoding?': 'string' },
    'comment?': 'string',
  },
  timings: { send: 'number', wait: 'number', receive: 'number' },
} as const;

function check(what: keyof typeof STRUCTURE, value: object): void {
  const fields: Readonly<Record<string, string>> = STRUCTURE[what];
  const types = new Map(Object.entries(fields).map(([name, type]) => [name.replace('?', ''), type]));
  for (const [name, found] of Object.entries(value)) {
    if (name.startsWith('_')) continue;
    assert.equal(Array.isArray(found) ? 'array' : typeof found, types.get(name), `${what}.${name}`);
  }
  for (const name of Object.keys(fields))
    if (!name.endsWith('?')) assert.ok(Object.hasOwn(value, name), `${what}.${name}`);
}

test('requests become a HAR with every field that the format demands, with and without bodies', async () => {
  const text = await contentOf(body(Buffer.from('grüße')));
  const binary = await contentOf(body(Buffer.from([0xff, 0xfe]), { is_truncated: true }));
  const har = toHar([
    { request, bodies: { request: text, response: binary } },
    { request: { ...request, first_byte_ms: null, status_code: 0, query: '', path: '' }, bodies: null },
    { request, bodies: { request: binary, response: null } },
    { request: { ...request, kind: 'bytes' }, bodies: null },
  ]);
  check('log', har.log);
  check('creator', har.log.creator);
  assert.equal(har.log.entries.length, 3);
  for (const entry of har.log.entries) {
    check('entry', entry);
    check('request', entry.request);
    check('response', entry.response);
    check('content', entry.response.content);
    check('timings', entry.timings);
    if (entry.request.postData !== undefined) check('postData', entry.request.postData);
    const { send, wait, receive } = entry.timings;
    assert.ok(Math.abs(send + wait + receive - entry.time) < 0.001);
    assert.ok(URL.canParse(entry.request.url));
  }
  const [first, second, third] = har.log.entries;
  assert.equal(first?.startedDateTime, '2030-01-01T00:00:00.749Z');
  assert.equal(first.request.url, 'https://a.example.com/p?a=1&token=');
  assert.deepEqual(first.request.queryString, [
    { name: 'a', value: '1' },
    { name: 'token', value: '' },
  ]);
  assert.equal(first.request.postData?.text, 'grüße');
  assert.deepEqual(first.response.content, {
    ...{ size: 2, mimeType: 'text/plain', text: '//4=', encoding: 'base64' },
    comment: 'Only the beginning was recorded.',
  });
  assert.deepEqual([second?.request.url, second?.request.postData], ['https://a.example.com/', undefined]);
  assert.equal(third?.request.postData?.text, '');
});

test('compressed bodies are read, also the beginning of one, and those in other formats stay as they are', async () => {
  const plain = Buffer.from('{"a":1}');
  const packed = gzipSync(plain);
  const whole = await contentOf(body(packed, { content_encoding: 'gzip' }));
  assert.deepEqual(
    [Buffer.from(whole.bytes).toString(), whole.encoding, whole.isCut],
    ['{"a":1}', '', false],
  );
  const long = gzipSync(Buffer.from(Array.from({ length: 50_000 }, (_, at) => `${at} `).join('')));
  const cut = await contentOf(
    body(long.subarray(0, 60_000), { content_encoding: 'gzip', is_truncated: true }),
  );
  assert.ok(Buffer.from(cut.bytes).toString().startsWith('0 1 2 3 '));
  assert.equal(cut.isCut, true);
  const other = await contentOf(body(plain, { content_encoding: 'br' }));
  assert.deepEqual([Buffer.from(other.bytes).toString(), other.encoding], ['{"a":1}', 'br']);
  const wrong = await contentOf(body(plain, { content_encoding: 'gzip' }));
  assert.deepEqual([Buffer.from(wrong.bytes).toString(), wrong.encoding], ['{"a":1}', 'gzip']);
  // A small body that becomes a very large one is read up to a limit.
  const bomb = await contentOf(body(gzipSync(Buffer.alloc(20_000_000)), { content_encoding: 'gzip' }));
  assert.ok(bomb.isCut && bomb.bytes.length < 2_000_000);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ErrorName } from '../../errors/catalogue.ts';
import { pointerStep } from '../pointer.ts';
import { requestHeadersModule, responseHeadersModule } from './headers.ts';
import { put, refusedBy } from './module.fixture.ts';

const both = [requestHeadersModule, responseHeadersModule];

test('names come back in lower case, values and order as they were given', async () => {
  for (const module of both) {
    assert.deepEqual(await put(module, {}), { enabled: true, add: {}, remove: [] });
    const body = {
      enabled: false,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what the data plane fills in
      add: { 'X-Request-ID': 'a ${.http.request_id}', 'x-b': '', "X!#$%&'*+.^_`|~9": '\t~' },
      remove: ['Server', 'X-Powered-By'],
    };
    assert.deepEqual(await put(module, body), {
      enabled: false,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: what the data plane fills in
      add: { 'x-request-id': 'a ${.http.request_id}', 'x-b': '', "x!#$%&'*+.^_`|~9": '\t~' },
      remove: ['server', 'x-powered-by'],
    });
  }
});

test('a header may be removed and added again, which replaces it', async () => {
  for (const module of both) {
    const body = { add: { 'X-A': '1' }, remove: ['x-a'] };
    assert.deepEqual(await put(module, body), { enabled: true, add: { 'x-a': '1' }, remove: ['x-a'] });
  }
});

test('five can be added and five removed', async () => {
  const names = ['a', 'b', 'c', 'd', 'e'];
  const add = Object.fromEntries(names.map((name) => [name, '']));
  for (const module of both) {
    await put(module, { add, remove: names });
    await refusedBy(module, { add: { ...add, f: '' } }, 'headerModuleCount', { field: '/add', limit: 5 });
    await refusedBy(module, { remove: [...names, 'f'] }, 'headerModuleCount', { field: '/remove', limit: 5 });
  }
});

test('names and values that could break a message are refused', async () => {
  const names: [string, ErrorName][] = [
    ['', 'headerNameInvalid'],
    ['a b', 'headerNameInvalid'],
    ['a:', 'headerNameInvalid'],
    ['a\r\nb', 'headerNameInvalid'],
    ['a\0', 'headerNameInvalid'],
    ['ä', 'headerNameInvalid'],
    ['x'.repeat(129), 'headerNameTooLong'],
    ['é'.repeat(65), 'headerNameTooLong'],
    ['Content-Length', 'headerKeptByEdge'],
    ['transfer-encoding', 'headerKeptByEdge'],
    ['CONNECTION', 'headerKeptByEdge'],
    ['Keep-Alive', 'headerKeptByEdge'],
    ['te', 'headerKeptByEdge'],
    ['CDN-Loop', 'headerKeptByEdge'],
    ['Trailer', 'headerKeptByEdge'],
    ['Upgrade', 'headerKeptByEdge'],
    ['Proxy-Connection', 'headerKeptByEdge'],
    ['Underpass-Error-Code', 'headerKeptByEdge'],
  ];
  const values: [string, ErrorName][] = [
    ['a\r\nSet-Cookie: b', 'headerValueInvalid'],
    ['a\n', 'headerValueInvalid'],
    ['a\0', 'headerValueInvalid'],
    ['\x7f', 'headerValueInvalid'],
    ['ü', 'headerValueInvalid'],
    ['x'.repeat(4097), 'headerValueTooLong'],
  ];
  for (const module of both) {
    for (const [name, error] of names) {
      await refusedBy(module, { add: { [name]: 'x' } }, error, { field: `/add/${pointerStep(name)}` });
      await refusedBy(module, { remove: ['ok', name] }, error, { field: '/remove/1' });
    }
    for (const [value, error] of values) {
      await refusedBy(module, { add: { 'X-A': value } }, error, { field: '/add/X-A' });
    }
    await put(module, { add: { ['x'.repeat(128)]: 'y'.repeat(4096) } });
    await refusedBy(module, { add: { a: 1 } }, 'valueInvalid', { field: '/add/a' });
  }
});

test('a name that stands twice in one list, in any case, is refused', async () => {
  for (const module of both) {
    const add = { 'X-A': '1', 'x-a': '1' };
    await refusedBy(module, { add }, 'headerRepeated', { field: '/add/x-a' });
    await refusedBy(module, { remove: ['x-a', 'X-A'] }, 'headerRepeated', { field: '/remove/1' });
  }
});

test('the Host of requests is replaced but never only removed', async () => {
  const replaced = { add: { Host: 'internal.example.com' }, remove: ['HOST'] };
  assert.deepEqual((await put(requestHeadersModule, replaced)).add, { host: 'internal.example.com' });
  await put(requestHeadersModule, { add: { host: 'internal.example.com' } });
  await refusedBy(requestHeadersModule, { remove: ['x', 'Host'] }, 'headerHostRemoved', {
    field: '/remove/1',
  });
  await put(responseHeadersModule, { remove: ['Host'] });
});

test('the User-Agent of requests stays as the visitor sent it', async () => {
  const add = { 'User-Agent': 'x' };
  await refusedBy(requestHeadersModule, { add }, 'headerUserAgent', { field: '/add/User-Agent' });
  await refusedBy(requestHeadersModule, { remove: ['USER-AGENT'] }, 'headerUserAgent', {
    field: '/remove/0',
  });
});

test('a name that objects have by themselves is a header like others', async () => {
  const body = JSON.parse('{"add": {"__proto__": "1", "constructor": "2"}, "remove": ["__proto__"]}');
  const { add } = await put(responseHeadersModule, body);
  assert.deepEqual(Object.entries(add as object), [
    ['__proto__', '1'],
    ['constructor', '2'],
  ]);
});

/** `${.name}`, written so that it is no template of JavaScript. */
function named(name: string): string {
  return `$\{.${name}}`;
}

test('values name what is known of a request, and nothing else', async () => {
  const values = ['conn.client_ip', 'tls.client_cert.subject.cn', 'http.request.url.path'].map(named);
  for (const module of both) {
    await put(module, { add: { a: `x ${values.join(' ')} $` } });
    for (const bad of ['made.up', '', ' conn.client_ip', 'conn', 'constructor', 'http.request.headers']) {
      const body = { add: { ok: values[0], 'X-A': `${values[1]}${named(bad)}` } };
      await refusedBy(module, body, 'headerVariableUnknown', { field: '/add/X-A' });
    }
    const open = values[0]!.slice(0, -1);
    await refusedBy(module, { add: { a: open } }, 'headerVariableOpen', { field: '/add/a' });
  }
});

test('what is known of an answer only stands in answers', async () => {
  for (const name of ['http.response.status_code', 'compression.algorithm']) {
    const add = { 'x-a': named(name) };
    await put(responseHeadersModule, { add });
    await refusedBy(requestHeadersModule, { add }, 'headerVariableUnknown', { field: '/add/x-a' });
  }
});

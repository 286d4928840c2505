import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import type { ErrorName } from '../../errors/catalogue.ts';
import { Problem } from '../../errors/problem.ts';
import { type Platform, refused, startPlatform } from '../engine.fixture.ts';
import { parseResponseHeaders } from '../response-headers.ts';

let platform: Platform;
before(async () => {
  platform = await startPlatform();
});
after(() => platform.close());

const create = (body: object) => platform.create('http_response_backend', body);

describe('HTTP response backends', () => {
  test('status codes from 200 to 599 are answered, interim ones never', async () => {
    for (const status_code of [200, 204, 404, 599]) {
      assert.equal((await create({ status_code })).status_code, status_code);
    }
    for (const status_code of [1, -200, 100, 101, 199, 600, 1e9]) {
      await refused(create({ status_code }), 'responseStatusInvalid', { field: '/status_code' });
    }
    for (const status_code of [200.5, '200', [200]]) await refused(create({ status_code }), 'valueInvalid');
  });

  test('a body of 64 KiB is kept, counted in bytes', async () => {
    const body = 'é'.repeat(32_768);
    assert.equal((await create({ body })).body, body);
    await refused(create({ body: `${body}x` }), 'responseBodyTooLong', { field: '/body', limit: 65_536 });
  });

  test('headers come back in lower case, null when there are none', async () => {
    const { id, headers } = await create({ headers: { 'Content-Type': 'text/plain', 'X-Y': '' } });
    assert.deepEqual(headers, { 'content-type': 'text/plain', 'x-y': '' });
    assert.deepEqual((await platform.update('http_response_backend', id, { body: 'b' })).headers, headers);
    assert.equal((await platform.update('http_response_backend', id, { headers: {} })).headers, null);
    assert.equal((await create({ headers: {} })).headers, null);
  });

  test('headers that would break the message are refused', async () => {
    const wrong: [Record<string, string>, ErrorName][] = [
      [{ 'x-a': 'a\r\nset-cookie: b' }, 'responseHeaderValueInvalid'],
      [{ 'x-a': 'a\nb' }, 'responseHeaderValueInvalid'],
      [{ 'x-a': 'a\rb' }, 'responseHeaderValueInvalid'],
      [{ 'x-a': 'a\0b' }, 'responseHeaderValueInvalid'],
      [{ 'x-a': 'é' }, 'responseHeaderValueInvalid'],
      [{ 'x-a\r\nb': 'c' }, 'responseHeaderNameInvalid'],
      [{ 'x-a:': 'c' }, 'responseHeaderNameInvalid'],
      [{ ':status': '500' }, 'responseHeaderNameInvalid'],
      [{ 'x a': 'c' }, 'responseHeaderNameInvalid'],
      [{ 'x-ä': 'c' }, 'responseHeaderNameInvalid'],
      [{ '': 'c' }, 'responseHeaderNameTooLong'],
      [{ 'Content-Length': '5' }, 'responseHeaderForbidden'],
      [{ 'transfer-encoding': 'chunked' }, 'responseHeaderForbidden'],
      [{ Connection: 'close' }, 'responseHeaderForbidden'],
      [{ 'keep-alive': 'timeout=5' }, 'responseHeaderForbidden'],
      [{ Upgrade: 'websocket' }, 'responseHeaderForbidden'],
      [{ TE: 'trailers' }, 'responseHeaderForbidden'],
      [{ trailer: 'x' }, 'responseHeaderForbidden'],
      [{ 'Underpass-Error-Code': 'ERR_SERVICE_1' }, 'responseHeaderForbidden'],
      [{ 'X-One': '1', 'x-one': '2' }, 'responseHeaderRepeated'],
      [{ [`x${'a'.repeat(128)}`]: '' }, 'responseHeaderNameTooLong'],
      [{ 'x-a': 'a'.repeat(4097) }, 'responseHeaderValueTooLong'],
      [Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`x-${at}`, ''])), 'responseHeaderCount'],
    ];
    const { id } = await create({});
    for (const [headers, error] of wrong) {
      await refused(create({ headers }), error);
      await refused(platform.update('http_response_backend', id, { headers }), error);
    }
    await refused(create({ headers: { 'x-a': 1 } }), 'valueInvalid', { field: '/headers/x-a' });
    await refused(create({ headers: { 'x-a': null } }), 'valueInvalid');
  });

  test('a header named like a part of JavaScript is a header', async () => {
    const headers = JSON.parse('{"__proto__": "a", "constructor": "b"}');
    const { id } = await create({ headers });
    const read = await platform.get('http_response_backend', id);
    assert.equal(JSON.stringify(read.headers), '{"__proto__":"a","constructor":"b"}');
  });

  test('whatever is accepted can be sent as one header line', () => {
    const settings = { errorCodeHeader: 'edge-error' };
    const textOfHeader = fc.string({
      unit: fc.constantFrom('a', 'B', '-', ':', ' ', '\r', '\n', '\0', 'é', '_'),
    });
    fc.assert(
      fc.property(fc.dictionary(textOfHeader, textOfHeader), (headers) => {
        try {
          for (const [name, value] of Object.entries(parseResponseHeaders(headers, settings))) {
            new Headers().append(name, value);
            assert.match(`${name}: ${value}`, /^[!-9;-~]+: [\t -~]*$/);
          }
        } catch (error) {
          assert.ok(error instanceof Problem, String(error));
        }
      }),
    );
  });
});

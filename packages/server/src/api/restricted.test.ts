import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restrictionDocument } from '../access/ip-restrictions.fixture.ts';
import { ruleDocument } from '../edge/documents.fixture.ts';
import { catalogue, type ErrorName } from '../errors/catalogue.ts';
import { OTHER_KEY, type Running, requestText, startApi } from './api.fixture.ts';
import type { Answer } from './raw-client.fixture.ts';
import { WIDGET } from './samples.fixture.ts';

function is(answer: Answer, code: ErrorName): void {
  assert.equal(answer.json.error_code, `ERR_SERVICE_${catalogue[code].number}`, answer.text);
  assert.equal(answer.status, catalogue[code].status);
}

/** Lets the account use its API from this range alone. */
function restrict({ restrictions }: Running, range: string, enforced = true): void {
  restrictions.reset([
    restrictionDocument('ipx_1', { type: 'api', enforced, ip_policy_ids: ['ipp_1'] }),
    ruleDocument('ipr_1', 'ipp_1', 'allow', range),
  ]);
}

test('every request from an address that the rules do not allow is 403 with code 220, and of no other account', async (t) => {
  const api = await startApi(t);
  restrict(api, '10.0.0.0/8');
  for (const [method, path, body] of [
    ['GET', '/gadgets', ''],
    ['POST', '/samples/widgets', '{}'],
    ['DELETE', `/samples/widgets/${WIDGET}`, ''],
  ] as const) {
    const answer = await api.request(method, path, {}, body);
    is(answer, 'apiSourceRefused');
    assert.match(String(answer.json.msg), /127\.0\.0\.1/);
  }
  assert.deepEqual(api.engine.asked, []);
  assert.equal((await api.request('GET', '/gadgets', { authorization: `Bearer ${OTHER_KEY}` })).status, 200);
  restrict(api, '127.0.0.1/32');
  assert.equal((await api.request('GET', '/gadgets')).status, 200);
});

test('the address is checked right after the key, and before the path', async (t) => {
  const api = await startApi(t, { limit: 4 });
  restrict(api, '10.0.0.0/8');
  is(await api.request('GET', '/gadgets', { authorization: 'Bearer wrong_key' }), 'apiKeyInvalid');
  is(await api.request('GET', '/gadgets', { 'service-version': undefined }), 'versionMissing');
  is(await api.request('GET', '/nowhere'), 'apiSourceRefused');
  is(await api.request('PUT', '/gadgets'), 'apiSourceRefused');
  is(
    await api.request('POST', '/samples/widgets', { 'content-type': 'text/plain' }, 'x'),
    'apiSourceRefused',
  );
  is(await api.request('GET', '/gadgets'), 'rateLimited');
});

test('what needs no key is for everybody', async (t) => {
  const api = await startApi(t);
  restrict(api, '10.0.0.0/8');
  assert.equal((await api.request('GET', '/openapi.json')).status, 200);
  assert.equal((await api.request('GET', '/docs')).status, 200);
});

test('headers that claim another address change nothing', async (t) => {
  const api = await startApi(t);
  restrict(api, '10.0.0.0/8');
  const claims = { 'x-forwarded-for': '10.0.0.1', forwarded: 'for=10.0.0.1', 'x-real-ip': '10.0.0.1' };
  is(await api.request('GET', '/gadgets', claims), 'apiSourceRefused');
});

test('P4: a change applies to the next request of a connection that is already open', async (t) => {
  const api = await startApi(t);
  const client = await api.open();
  const status = async (): Promise<number> => {
    client.send(requestText('GET', '/gadgets'));
    return (await client.answer()).status;
  };
  assert.equal(await status(), 200);
  restrict(api, '10.0.0.0/8');
  assert.equal(await status(), 403);
  restrict(api, '127.0.0.0/8');
  assert.equal(await status(), 200);
});

test('a restriction that is not enforced refuses nobody, and a warning says whom it would', async (t) => {
  const api = await startApi(t);
  restrict(api, '10.0.0.0/8', false);
  const { status, headers } = await api.request('GET', '/gadgets');
  assert.equal(status, 200);
  const warning = api.log
    .map((line) => JSON.parse(line))
    .find(({ msg }) => msg === 'api request would have been refused: the IP restriction is not enforced');
  assert.equal(warning.level, 40);
  assert.equal(warning.account, 'ac_1');
  assert.equal(warning.source, '127.0.0.1');
  assert.equal(warning.operation_id, headers.get('underpass-operation-id'));
  restrict(api, '127.0.0.0/8', false);
  await api.request('GET', '/gadgets');
  assert.equal(api.log.filter((line) => line.includes('would have been')).length, 1);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from './api.fixture.ts';

const WIDGET = 'widget_0ujtsYcgvSTl8PAuAdqWYSMnLOv';
const page = 'https://page.example.com';

test('a browser gets the permissions for pages of any origin, without a key', async (t) => {
  const { request } = await startApi(t);
  const { status, headers, text } = await request('OPTIONS', `/samples/widgets/${WIDGET}`, {
    authorization: undefined,
    'service-version': undefined,
    origin: page,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'authorization,service-version,content-type',
  });
  assert.equal(status, 204);
  assert.equal(text, '');
  assert.equal(headers.get('access-control-allow-origin'), page);
  assert.equal(headers.get('access-control-allow-methods'), 'GET, HEAD, PATCH, DELETE, OPTIONS');
  assert.equal(headers.get('access-control-allow-headers'), 'authorization,service-version,content-type');
  assert.ok(Number(headers.get('access-control-max-age')) <= 600);
});

test('a page may read every answer, errors and their headers too', async (t) => {
  const { request } = await startApi(t);
  for (const path of [
    `/samples/widgets/${WIDGET}`,
    '/samples/widgets?limit=0',
    '/nothing',
    '/openapi.json',
  ]) {
    const { headers } = await request('GET', path, { origin: page });
    assert.equal(headers.get('access-control-allow-origin'), page, path);
    assert.match(headers.get('access-control-expose-headers') ?? '', /underpass-operation-id/);
    assert.equal(headers.get('vary'), 'origin');
  }
  const { headers } = await request('GET', `/samples/widgets/${WIDGET}`);
  assert.equal(headers.get('access-control-allow-origin'), undefined);
});

test('an OPTIONS request that is no such question says nothing of pages', async (t) => {
  const { request } = await startApi(t);
  const { status, headers } = await request('OPTIONS', `/samples/widgets/${WIDGET}`, { origin: page });
  assert.equal(status, 204);
  assert.equal(headers.get('access-control-allow-methods'), undefined);
  const asked = { origin: page, 'access-control-request-method': 'GET' };
  assert.equal((await request('OPTIONS', '/nothing', asked)).status, 404);
  assert.equal((await request('OPTIONS', '/nothing', { ...asked, authorization: undefined })).status, 404);
});

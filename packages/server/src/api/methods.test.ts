/** Tests of what every path of the API has in common: HEAD, OPTIONS, and responses that are stored nowhere. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fails, type Running, requestText, startApi } from './api.fixture.ts';
import { WIDGET } from './samples.fixture.ts';

const nobody = { authorization: undefined, 'service-version': undefined };
const READ_PATHS = [
  '/gadgets',
  '/gadgets/gadget_1',
  `/samples/widgets/${WIDGET}/cover`,
  `/samples/widgets/${WIDGET}/size`,
  '/openapi.json',
  '/docs',
  '/docs/page.js',
];

test('HEAD has the status and the headers of GET, and no body', async (t) => {
  const { request, open, observed } = await startApi(t);
  const wanting = [
    ...READ_PATHS,
    '/gadgets?limit=0',
    '/gadgets/gadget_gone',
    '/nowhere',
    '/gadgets?limit=&a=',
  ];
  for (const path of wanting) {
    const get = await request('GET', path);
    const head = await request('HEAD', path);
    assert.equal(head.status, get.status, path);
    const kept = ({ headers }: typeof get) =>
      [...headers].filter(([name]) => !['date', 'underpass-operation-id'].includes(name));
    assert.deepEqual(kept(head), kept(get), path);
    assert.ok(Number(head.headers.get('content-length')) > 0);
  }
  assert.deepEqual(observed.at(-1), { ...observed.at(-2) });
  // Without a body the next response begins where the head ends.
  const client = await open();
  client.send(requestText('HEAD', '/gadgets'), requestText('GET', '/gadgets/gadget_1'));
  assert.equal((await client.answer('HEAD')).status, 200);
  assert.equal((await client.answer()).json.asked, 'get gadget gadget_1');
});

test('HEAD is checked as GET is', async (t) => {
  const { request, lookedUp } = await startApi(t);
  assert.equal((await request('HEAD', '/gadgets', nobody)).status, 400);
  const anonymous = await request('HEAD', '/gadgets', { authorization: undefined });
  assert.equal(anonymous.status, 401);
  assert.equal(anonymous.headers.get('www-authenticate'), 'Bearer');
  assert.equal((await request('HEAD', '/gadgets', {}, '{}')).status, 400);
  assert.equal((await request('HEAD', `/samples/widgets/${WIDGET}/weigh`)).status, 405);
  assert.equal(lookedUp.length, 2);
});

test('OPTIONS has the methods of a path, without a key', async (t) => {
  const { request, lookedUp } = await startApi(t);
  for (const [path, allow] of [
    ['/gadgets', 'GET, HEAD, OPTIONS'],
    ['/gadgets?a=b', 'GET, HEAD, OPTIONS'],
    ['/samples/widgets', 'GET, HEAD, POST, OPTIONS'],
    [`/samples/widgets/${WIDGET}`, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    [`/samples/widgets/${WIDGET}/cover`, 'GET, HEAD, PUT, DELETE, OPTIONS'],
    [`/samples/widgets/${WIDGET}/weigh`, 'POST, OPTIONS'],
    [`/samples/widgets/${WIDGET}/owner`, 'DELETE, OPTIONS'],
    ['/openapi.json', 'GET, HEAD, OPTIONS'],
    ['/docs', 'GET, HEAD, OPTIONS'],
    ['/', 'GET, HEAD, OPTIONS'],
    ['*', 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
  ] as const) {
    for (const headers of [nobody, {}]) {
      const { status, headers: got, text } = await request('OPTIONS', path, headers);
      assert.equal(status, 204, path);
      assert.equal(got.get('allow'), allow, path);
      assert.equal(text, '');
      assert.equal(got.get('access-control-allow-methods'), undefined);
    }
  }
  fails(await request('OPTIONS', '/nowhere', nobody), 'pathNotFound');
  fails(await request('OPTIONS', '/gadgets/%ff', nobody), 'requestMalformed');
  fails(await request('OPTIONS', '/gadgets', { ...nobody, host: undefined }), 'requestMalformed');
  assert.deepEqual(lookedUp, []);
});

test('OPTIONS is not counted for an account', async (t) => {
  const { request } = await startApi(t, { limit: 1 });
  for (let n = 0; n < 3; n++) assert.equal((await request('OPTIONS', '/gadgets')).status, 204);
  assert.equal((await request('GET', '/gadgets')).status, 200);
});

test('no response of the API is stored, whatever its status', async (t) => {
  const running = await startApi(t, { limit: 8 });
  const { request, open, engine } = running;
  const seen = new Set<number>();
  const stored = async (...given: Parameters<Running['request']>) => {
    const { status, headers } = await request(...given);
    seen.add(status);
    assert.equal(headers.get('cache-control'), 'no-store', `${given.join(' ')}: ${status}`);
  };
  await stored('GET', '/gadgets', { authorization: undefined });
  await stored('GET', '/gadgets');
  await stored('HEAD', '/gadgets');
  await stored('POST', '/samples/widgets', {}, '{}');
  await stored('POST', '/samples/widgets', { 'content-type': 'text/plain' }, '{}');
  await stored('DELETE', `/samples/widgets/${WIDGET}`);
  await stored('BREW', '/gadgets');
  await stored('GET', '/nowhere');
  engine.failure = new Error('broken');
  await stored('GET', '/gadgets/gadget_1');
  await stored('GET', '/gadgets');
  await stored('OPTIONS', '/gadgets', nobody);
  await stored('GET', '/openapi.json', nobody);
  await stored('GET', '/', { ...nobody, accept: 'text/html' });
  const { headers } = await request('GET', '/openapi.json', nobody);
  await stored('GET', '/openapi.json', { ...nobody, 'if-none-match': headers.get('etag') });
  const client = await open();
  client.send('garbage\r\n\r\n');
  assert.equal((await client.answer()).headers.get('cache-control'), 'no-store');
  assert.deepEqual([...seen].sort(), [200, 201, 204, 302, 304, 401, 404, 405, 415, 429, 500]);
});

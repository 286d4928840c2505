/** HAR files, as the inspector writes and reads them, and as browsers write them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExchangeDetails, ExchangesEvent } from './api-types.ts';
import { echo, inspect, request } from './inspector.fixture.ts';

test('what was kept goes out as HAR, and comes back in to be replayed', async (t) => {
  const { api, visit, inspector, json } = await inspect(t, echo);
  await visit(request('POST /p?q=1 HTTP/1.1\nContent-Type: text/plain', 'text'));
  await visit(request('GET /next HTTP/1.1'));
  const file = await (await api('GET', '/api/har')).text();
  const [entry] = JSON.parse(file).log.entries;
  assert.deepEqual([entry.request.method, entry.request.url], ['POST', 'http://demo.test/p?q=1']);
  assert.deepEqual(entry.request.postData, { mimeType: 'text/plain', text: 'text' });
  assert.deepEqual(entry.request.queryString, [{ name: 'q', value: '1' }]);
  assert.match(entry.response.content.text, /"body":"text"/);
  inspector.store.clear();
  const imported = await api('POST', '/api/har', file);
  assert.deepEqual([imported.status, await imported.json()], [201, { imported: 2, leftOut: 0 }]);
  const [first] = ((await json('/api/exchanges')) as ExchangesEvent).exchanges;
  assert.deepEqual([first?.method, first?.path, first?.status, first?.tunnel], ['POST', '/p?q=1', 200, null]);
  assert.equal(await (await api('GET', `/api/exchanges/${first?.id}/request-body`)).text(), 'text');
  assert.equal((await api('POST', `/api/exchanges/${first?.id}/replay`)).status, 201);
});

test('what a HAR has only the beginning of is not replayed as if it were whole', async (t) => {
  const { api, visit, inspector, json } = await inspect(t, echo);
  await visit(request('POST /large HTTP/1.1', 'x'.repeat(300_000)));
  const file = await (await api('GET', '/api/har')).text();
  inspector.store.clear();
  assert.equal((await api('POST', '/api/har', file)).status, 201);
  const { request: asked } = (await json('/api/exchanges/2')) as ExchangeDetails;
  assert.deepEqual([asked.body.size, asked.body.isCut], [300_000, true]);
  assert.equal((await api('POST', '/api/exchanges/2/replay')).status, 400);
  // Browsers save the length of a file that was sent, here or there, and nothing else of it.
  const length = { name: 'Content-Length', value: '5' };
  const entries = [
    { headers: [], bodySize: 5, postData: { mimeType: '' } },
    { headers: [length], bodySize: 0 },
  ].map((upload) => ({
    startedDateTime: '2026-01-01T00:00:00Z',
    request: { method: 'POST', url: 'http://a.test/', ...upload },
    response: { status: 200, headers: [] },
  }));
  assert.equal((await api('POST', '/api/har', JSON.stringify({ log: { entries } }))).status, 201);
  for (const id of [3, 4]) assert.equal((await api('POST', `/api/exchanges/${id}/replay`)).status, 400);
});

test('all that is kept is saved as a HAR that can be opened again', async (t) => {
  const bytes = Buffer.alloc(256 * 1_024, 0xff);
  const { api, visit, inspector } = await inspect(t, (_, response) => response.end(bytes));
  for (let visits = 0; visits < 60; visits++) await visit(request('GET / HTTP/1.1'));
  const file = await (await api('GET', '/api/har')).text();
  const entry = JSON.parse(file).log.entries[0].response;
  assert.deepEqual([entry.content.size, entry.bodySize], [bytes.length, bytes.length]);
  inspector.store.clear();
  assert.equal((await api('POST', '/api/har', file)).status, 201);
  assert.equal(inspector.store.all.length, 60);
});

test('what a page has within itself is left out of a HAR, and counted', async (t) => {
  const { api, json } = await inspect(t, echo);
  const entry = (url: string) => ({
    startedDateTime: '2026-01-01T00:00:00Z',
    request: { method: 'GET', url, headers: [] },
    response: { status: 200, headers: [] },
  });
  const urls = ['https://a.test/1', 'data:image/png;base64,AAAA', 'blob:https://a.test/2', 'wss://a.test/3'];
  const imported = await api('POST', '/api/har', JSON.stringify({ log: { entries: urls.map(entry) } }));
  assert.deepEqual([imported.status, await imported.json()], [201, { imported: 2, leftOut: 2 }]);
  const { exchanges } = (await json('/api/exchanges')) as ExchangesEvent;
  assert.deepEqual(
    exchanges.map(({ path }) => path),
    ['/1', '/3'],
  );
});

test('what a browser asked for is shown with its URL, and with the form that it sent', async (t) => {
  const { api, json } = await inspect(t, echo);
  const mimeType = 'application/x-www-form-urlencoded';
  const params = [
    { name: 'a', value: 'b c' },
    { name: 'd', value: '&' },
  ];
  const entries = ['https://demo.test/p', 'wss://demo.test/ws', 'http://demo.test/'].map((url) => ({
    ...{ startedDateTime: '2026-01-01T00:00:00Z', response: { headers: [] } },
    request: { method: 'POST', url, headers: [], postData: { mimeType, params } },
  }));
  assert.equal((await api('POST', '/api/har', JSON.stringify({ log: { entries } }))).status, 201);
  const urls = [1, 2, 3].map(async (id) => ((await json(`/api/exchanges/${id}`)) as ExchangeDetails).url);
  const shown = ['https://demo.test/p', 'https://demo.test/ws', 'http://demo.test/'];
  assert.deepEqual(await Promise.all(urls), shown);
  assert.equal(await (await api('GET', '/api/exchanges/1/request-body')).text(), 'a=b+c&d=%26');
});

test('of a file that is no HAR nothing is taken', async (t) => {
  const { api, inspector } = await inspect(t, echo);
  const good = { request: { method: 'GET', url: 'http://a.test/', headers: [] }, response: { headers: [] } };
  const entry = { startedDateTime: '2026-01-01T00:00:00Z', ...good };
  const files: [string, RegExp][] = [
    ['', /JSON/],
    ['{}', /log.entries/],
    [
      JSON.stringify({ log: { entries: [entry, { ...entry, startedDateTime: 'x' }] } }),
      /entries\[1\]: startedDateTime/,
    ],
    [JSON.stringify({ log: { entries: [{ ...entry, request: null }] } }), /entries\[0\]/],
    [
      JSON.stringify({
        log: {
          entries: [{ ...entry, request: { ...good.request, headers: [{ name: 'a', value: 'b\r\nc: d' }] } }],
        },
      }),
      /"a"/,
    ],
  ];
  for (const [file, message] of files) {
    const response = await api('POST', '/api/har', file);
    assert.equal(response.status, 400, file);
    assert.match(((await response.json()) as { error: string }).error, message);
  }
  assert.equal((await api('POST', '/api/har', ' '.repeat(68_000_000))).status, 413);
  assert.equal(inspector.store.all.length, 0);
});

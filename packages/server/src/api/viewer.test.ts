/** Tests of viewers: callers that only read. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fails, KEY, startApi, VIEWER_KEY } from './api.fixture.ts';
import { openApiDocument } from './openapi.ts';
import { notes, WIDGET, widgets } from './samples.fixture.ts';

const asViewer = { authorization: `Bearer ${VIEWER_KEY}` };
const widget = `/samples/widgets/${WIDGET}`;

test('a viewer reads, and each operation that changes something is refused before its body is read', async (t) => {
  const { request, engine } = await startApi(t);
  const reads = ['/samples/widgets', widget, `${widget}/cover`, `${widget}/size`, '/notes?about=day'];
  for (const path of reads) assert.equal((await request('GET', path, asViewer)).status, 200, path);
  assert.equal((await request('HEAD', widget, asViewer)).status, 200);
  const before = engine.asked.length;
  for (const [method, path] of [
    ['POST', '/samples/widgets'],
    ['PATCH', widget],
    ['DELETE', widget],
    ['PUT', `${widget}/cover`],
    ['DELETE', `${widget}/cover`],
    ['DELETE', `${widget}/owner`],
    ['POST', `${widget}/weigh`],
    ['POST', '/notes/1/try'],
  ] as const) {
    for (const body of ['{}', 'nonsense'])
      fails(await request(method, path, asViewer, method === 'DELETE' ? '' : body), 'viewerOnlyReads');
  }
  assert.equal(engine.asked.length, before);
  assert.equal((await request('PATCH', widget, { authorization: `Bearer ${KEY}` }, '{}')).status, 200);
});

test('an operation can be for viewers although it changes something, and the document says so', async (t) => {
  const { request } = await startApi(t);
  assert.equal((await request('DELETE', '/notes/1', asViewer)).status, 204);
  const document = openApiDocument([widgets], { baseUrl: 'https://x', versionHeaders: ['V'] }, notes);
  const { paths } = JSON.parse(JSON.stringify(document));
  assert.equal(paths['/notes/{id}'].delete['x-for-viewers'], true);
  assert.equal(paths['/notes/{id}/try'].post['x-for-viewers'], undefined);
});

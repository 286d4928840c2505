/** Tests of operations that belong to no kind. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fails, startApi } from './api.fixture.ts';
import { openApiDocument } from './openapi.ts';
import { notes, widgets } from './samples.fixture.ts';

test('the query arrives checked and with its defaults', async (t) => {
  const { request } = await startApi(t);
  const { status, json } = await request('GET', '/notes?about=day&size=3&is_short=true&before_id=');
  assert.equal(status, 200);
  assert.equal(json.account, 'ac_1');
  assert.deepEqual(json.query, { about: 'day', size: 3, is_short: true, limit: 100 });
  assert.deepEqual([json.path, json.body], [{}, null]);
});

test('a wrong parameter is refused with its name', async (t) => {
  const { request } = await startApi(t);
  for (const [query, code, field] of [
    ['about=day&colour=red', 231, 'colour'],
    ['about=noon', 60102, 'about'],
    ['about=day&size=-1', 60103, 'size'],
    ['about=day&size=three', 215, 'size'],
    ['about=day&is_short=1', 215, 'is_short'],
    ['about=day&limit=101', 233, 'limit'],
    ['size=2', 60101, 'about'],
  ] as const) {
    const { status, json } = await request('GET', `/notes?${query}`);
    assert.equal(status, 400, query);
    assert.equal(json.details?.field, field, query);
    assert.ok(String(json.error_code).endsWith(String(code)), `${query}: ${json.error_code} ${json.msg}`);
  }
});

test('the path and the checked body arrive, and a body that does not fit is refused', async (t) => {
  const { request } = await startApi(t);
  const { json } = await request('POST', '/notes/n%201/try', {}, '{"text":"a","other":null}');
  assert.deepEqual([json.path, json.body], [{ id: 'n 1' }, { text: 'a' }]);
  assert.equal((await request('POST', '/notes/1/try', {}, '{"colour":1}')).status, 400);
  const deleted = await request('DELETE', '/notes/1');
  assert.deepEqual([deleted.status, deleted.text], [204, '']);
});

test('a header names the number of daemons whose part is missing', async (t) => {
  const api = await startApi(t);
  const header = async () => {
    const { headers } = await api.request('GET', '/notes?about=day');
    return headers.get('unreachable-nodes') ?? null;
  };
  assert.equal(await header(), null);
  api.missing = 2;
  assert.equal(await header(), '2');
  // A daemon without a link is missing, too.
  api.unreachable = 1;
  assert.equal(await header(), '2');
  api.unreachable = 3;
  assert.equal(await header(), '3');
});

test('the checks of every request come first', async (t) => {
  const { request } = await startApi(t);
  const anonymous = await request('GET', '/notes?about=day', { authorization: undefined });
  assert.equal(anonymous.status, 401);
  fails(await request('PATCH', '/notes'), 'methodNotAllowed');
});

test('the document has the parameters, the schemas and the topic', () => {
  const document = openApiDocument([widgets], { baseUrl: 'https://x', versionHeaders: ['V'] }, notes);
  const { paths, 'x-topics': topics, components } = JSON.parse(JSON.stringify(document));
  assert.deepEqual(topics, { note: { tag: 'Notes' } });
  const { get } = paths['/notes'];
  assert.deepEqual(get.tags, ['Notes']);
  const about = get.parameters.find(({ name }: { name: string }) => name === 'about');
  assert.deepEqual(about, {
    ...{ name: 'about', in: 'query', required: true, description: 'Part of the day.' },
    schema: { type: 'string', enum: ['day', 'night'] },
  });
  assert.equal(get.responses['200'].content['application/json'].schema.$ref, '#/components/schemas/NoteList');
  assert.deepEqual(components.schemas.NoteList.properties.notes.items, { $ref: '#/components/schemas/Note' });
  assert.equal(paths['/notes/{id}/try'].parameters[1].description, 'The id of the note.');
});

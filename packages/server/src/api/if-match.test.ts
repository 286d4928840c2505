import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Problem } from '../errors/problem.ts';
import { fails, startApi } from './api.fixture.ts';
import { expectedStates } from './if-match.ts';
import { WIDGET } from './samples.fixture.ts';

const path = `/samples/widgets/${WIDGET}`;

test('a condition is any state, or a list of tags; weak ones match nothing', () => {
  const cases: readonly (readonly [string | undefined, unknown])[] = [
    [undefined, '*'],
    ['*', '*'],
    [' * ', '*'],
    ['"a"', ['a']],
    ['"a","b" , "c"', ['a', 'b', 'c']],
    ['W/"a"', []],
    [', "a",, W/"b",', ['a']],
    ['""', ['']],
    ['"a,b"', ['a,b']],
    ['"*"', ['*']],
  ];
  for (const [header, expected] of cases) assert.deepEqual(expectedStates(header), expected, String(header));
  for (const header of [
    '',
    ' ',
    ',',
    'a',
    '"a',
    'a"',
    '"a" "b"',
    '*, "a"',
    '"a b"',
    '"a", *',
    'w/"a"',
    'W/ "a"',
    '1-x',
  ])
    assert.throws(() => expectedStates(header), { code: 'ifMatchMalformed' }, header);
});

test('any text is a condition or is malformed', () => {
  const piece = fc.constantFrom('"', ',', ' ', 'W/', '*', 'a', '\t', '\u00ff', '\\');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      try {
        expectedStates(pieces.join(''));
      } catch (error) {
        assert.ok(error instanceof Problem && error.code === 'ifMatchMalformed');
      }
    }),
  );
});

test('a single read or write of a stored kind has the tag of its state, and nothing else has one', async (t) => {
  const { request } = await startApi(t);
  const tags = async (method: string, target: string, body = '') =>
    (await request(method, target, {}, body)).headers.get('etag');
  const tag = await tags('GET', path);
  assert.match(tag ?? '', /^"7-[\w-]{12}"$/);
  for (const [method, target, body] of [
    ['HEAD', path, ''],
    ['PATCH', path, '{}'],
    ['POST', '/samples/widgets', '{}'],
    ['GET', `${path}/cover`, ''],
    ['PUT', `${path}/cover`, '{}'],
    ['DELETE', `${path}/cover`, ''],
    ['DELETE', `${path}/owner`, ''],
  ] as const)
    assert.equal(await tags(method, target, body), tag, `${method} ${target}`);
  for (const [method, target] of [
    ['GET', '/samples/widgets'],
    ['DELETE', path],
    ['GET', `${path}/size`],
    ['POST', `${path}/weigh`],
    ['GET', '/gadgets'],
    ['GET', '/gadgets/gadget_x'],
  ] as const)
    assert.equal(await tags(method, target), undefined, `${method} ${target}`);
});

test('a change of another state than the required one is refused', async (t) => {
  const { request, engine } = await startApi(t);
  const tag = (await request('GET', path)).headers.get('etag') ?? '';
  const changes = [
    ['PATCH', path, '{}'],
    ['DELETE', path, ''],
    ['PUT', `${path}/cover`, '{}'],
    ['DELETE', `${path}/cover`, ''],
    ['DELETE', `${path}/owner`, ''],
  ] as const;
  for (const [method, target, body] of changes) {
    for (const admitted of [tag, '*', `"1-other", ${tag}`])
      assert.ok((await request(method, target, { 'if-match': admitted }, body)).status < 300, admitted);
    for (const other of ['"1-other"', `W/${tag}`, '"*"'])
      fails(await request(method, target, { 'if-match': other }, body), 'stateChanged');
    for (const malformed of [tag.slice(1), 'x', '', '*,*'])
      fails(await request(method, target, { 'if-match': malformed }, body), 'ifMatchMalformed');
  }
  engine.revision = 8;
  const refused = await request('PATCH', path, { 'if-match': tag }, '{}');
  fails(refused, 'stateChanged');
  const now = (await request('GET', path, { 'if-match': 'ignored for reads' })).headers.get('etag') ?? '';
  assert.ok(String(refused.json.msg).includes(now));
  assert.notEqual(now, tag);
});

test('a page of another origin may send the condition and read the tag', async (t) => {
  const { request } = await startApi(t);
  const origin = 'https://page.example.com';
  const { headers } = await request('OPTIONS', path, {
    ...{ origin, 'access-control-request-method': 'PATCH' },
    'access-control-request-headers': 'if-match,content-type',
  });
  assert.equal(headers.get('access-control-allow-headers'), 'if-match,content-type');
  const read = await request('GET', path, { origin });
  assert.match(read.headers.get('access-control-expose-headers') ?? '', /(?:^|, )etag,/);
});

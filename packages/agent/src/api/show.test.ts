import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf } from '../screen/columns.ts';
import { jsonText } from './json.ts';
import { recordText } from './record.ts';
import { tableText } from './table.ts';

const NOW = Date.parse('2030-01-01T03:00:10Z');
const ref = (id: string) => ({ id, uri: `https://x/${id}` });
const EDGE = {
  id: 'edgtls_1',
  uri: 'https://x/edges/tls/edgtls_1',
  created_at: '2030-01-01T00:00:00Z',
  description: 'the first',
  metadata: '',
  hostports: ['a.example.com:443', 'b.example.com:443'],
  backend: { enabled: true, backend: ref('bkdhr_1') },
  mutual_tls: null,
  labels: { app: 'web', env: 'test' },
};

test('a record is a line for each value, and lines inside a value stay under it', () => {
  assert.equal(
    recordText({ ...EDGE, ca_pem: '-----BEGIN\nabc\n' }),
    [
      'id               edgtls_1',
      'uri              https://x/edges/tls/edgtls_1',
      'created_at       2030-01-01T00:00:00Z',
      'description      the first',
      'metadata         -',
      'hostports        a.example.com:443, b.example.com:443',
      'backend.enabled  true',
      'backend.backend  bkdhr_1',
      'mutual_tls       -',
      'labels           app=web, env=test',
      'ca_pem           -----BEGIN',
      '                 abc',
      '',
    ].join('\n'),
  );
});

test('a table begins with the id, ends with description and time, and has no column that says nothing', () => {
  assert.equal(
    tableText([EDGE, { ...EDGE, id: 'edgtls_22', hostports: [] }], null, NOW),
    [
      'ID         HOSTPORTS                             LABELS             DESCRIPTION  AGE',
      'edgtls_1   a.example.com:443, b.example.com:443  app=web, env=test  the first    3h',
      'edgtls_22  -                                     app=web, env=test  the first    3h',
      '',
    ].join('\n'),
  );
  assert.equal(tableText([], null, NOW), '');
});

test('values of several lines are for records only', () => {
  assert.equal(tableText([{ id: 'ca_1', ca_pem: '-----BEGIN\nabc\n' }], null, NOW), 'ID\nca_1\n');
});

test('on a terminal wide values are cut until all fit, and the least needed columns are left out', () => {
  const domain = `${'x'.repeat(60)}.example.com`;
  const rows = [{ id: 'rd_1', domain, region: 'us', created_at: '2030-01-01T00:00:00Z' }];
  assert.equal(
    tableText(rows, 40, NOW),
    `ID    DOMAIN${' '.repeat(15)}  REGION  AGE\nrd_1  ${'x'.repeat(20)}…  us      3h\n`,
  );
  assert.equal(
    tableText(rows, 30, NOW),
    `ID    DOMAIN${' '.repeat(13)}  AGE\nrd_1  ${'x'.repeat(18)}…  3h\n`,
  );
  assert.ok(tableText(rows, null, NOW).includes(domain));
  assert.equal(tableText(rows, 3, NOW), 'ID\nrd_1\n');
});

test('no line is wider than the terminal, also with characters of two columns or of none', () => {
  const description = 'é日本語e\u0301👍'.repeat(9);
  const rows = Array.from({ length: 3 }, (_, at) => ({
    id: `cr_${at}`,
    acl: [`bind:${'ü'.repeat(at * 20)}`, 'x'],
    labels: { 鍵: '値'.repeat(20) },
    description,
    created_at: '2029-01-01T00:00:00Z',
  }));
  for (let width = 6; width < 200; width++)
    for (const line of tableText(rows, width, NOW).split('\n'))
      assert.ok(columnsOf(line) <= width, `${width}: ${line}`);
});

test('nothing that the API holds steers the terminal', () => {
  const nasty = { id: 'cr_1', description: 'a\x1b[2J\rb\u009b1m\u202ec\x07ü' };
  const steering = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/u;
  for (const text of [
    recordText(nasty),
    tableText([nasty], null, NOW),
    tableText([nasty], 80, NOW),
    jsonText(nasty),
  ]) {
    assert.doesNotMatch(text, steering);
    assert.ok(text.includes('ü'));
  }
  assert.equal(tableText([{ id: 'x\ny', name: 'b' }], null, NOW), 'NAME\nb\n');
  assert.doesNotMatch(recordText({ 'a\x1b[2J': 'b', inner: { 'c\x1b': { d: null } } }), steering);
  const table = tableText([{ id: 'x', labels: { 'a\x1b': 'b\n' }, tags: ['a\nb'] }], null, NOW);
  assert.doesNotMatch(table, steering);
  assert.equal(table.split('\n').length, 3);
});

test('JSON is what the API answered, to the value', () => {
  const value = { id: 'x', list: [1, 'ü', '\u202e', '\x7f', null], map: {} };
  assert.deepEqual(JSON.parse(jsonText(value)), value);
});

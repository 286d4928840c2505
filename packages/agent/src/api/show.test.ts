import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonText } from './json.ts';
import { recordText } from './record.ts';
import { tableText } from './table.ts';

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
    tableText([EDGE, { ...EDGE, id: 'edgtls_22', hostports: [] }], null),
    [
      'ID         HOSTPORTS                             LABELS             DESCRIPTION  CREATED_AT',
      'edgtls_1   a.example.com:443, b.example.com:443  app=web, env=test  the first    2030-01-01T00:00:00Z',
      'edgtls_22  -                                     app=web, env=test  the first    2030-01-01T00:00:00Z',
      '',
    ].join('\n'),
  );
  assert.equal(tableText([], null), '');
});

test('values of several lines are for records only', () => {
  assert.equal(tableText([{ id: 'ca_1', ca_pem: '-----BEGIN\nabc\n' }], null), 'ID\nca_1\n');
});

test('on a terminal long values are cut and columns that do not fit are left out', () => {
  const rows = [{ id: 'rd_1', domain: `${'x'.repeat(60)}.example.com`, region: 'us', created_at: '2030' }];
  assert.equal(tableText(rows, 60), `ID    DOMAIN${' '.repeat(34)}  REGION\nrd_1  ${'x'.repeat(39)}…  us\n`);
  assert.ok(tableText(rows, null).includes('.example.com'));
  assert.equal(tableText(rows, 3), 'ID\nrd_1\n');
});

test('nothing that the API holds steers the terminal', () => {
  const nasty = { id: 'cr_1', description: 'a\x1b[2J\rb\u009b1m\u202ec\x07ü' };
  const steering = /[^\P{Cc}\n]|[\u2028-\u202e\u2066-\u2069]/u;
  for (const text of [recordText(nasty), tableText([nasty], null), tableText([nasty], 80), jsonText(nasty)]) {
    assert.doesNotMatch(text, steering);
    assert.ok(text.includes('ü'));
  }
  assert.equal(tableText([{ id: 'x\ny', name: 'b' }], null), 'NAME\nb\n');
  assert.doesNotMatch(recordText({ 'a\x1b[2J': 'b', inner: { 'c\x1b': { d: null } } }), steering);
  const table = tableText([{ id: 'x', labels: { 'a\x1b': 'b\n' }, tags: ['a\nb'] }], null);
  assert.doesNotMatch(table, steering);
  assert.equal(table.split('\n').length, 3);
});

test('JSON is what the API answered, to the value', () => {
  const value = { id: 'x', list: [1, 'ü', '\u202e', '\x7f', null], map: {} };
  assert.deepEqual(JSON.parse(jsonText(value)), value);
});

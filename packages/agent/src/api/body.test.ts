import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { FieldTable, FieldType } from '@underpass/client/operations';
import { InvalidInput } from '../address.ts';
import { bodyOf } from './body.ts';

function field(name: string, type: FieldType): FieldTable {
  return { name, type, required: false, description: '' };
}

const FIELDS = [
  field('description', 'string'),
  field('status_code', 'integer'),
  field('enabled', 'boolean'),
  field('hostports', 'strings'),
  field('labels', 'map'),
  field('backend', 'object'),
  field('sources', 'list'),
];

function file(t: TestContext, content: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-body-'));
  t.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'file'), content);
  return join(folder, 'file');
}

test('each type of field has its way to be written', () => {
  const flags = {
    description: 'a "b" = c',
    statusCode: '404',
    enabled: 'false',
    hostports: ['a:443', 'b:443'],
    labels: ['app=web', 'env=a=b'],
    backend: '{"backend_id":"bkdhr_1"}',
    sources: ['{"type":"a.v0"}', '{"type":"b.v0"}'],
  };
  assert.deepEqual(bodyOf(FIELDS, flags), {
    description: 'a "b" = c',
    status_code: 404,
    enabled: false,
    hostports: ['a:443', 'b:443'],
    labels: { app: 'web', env: 'a=b' },
    backend: { backend_id: 'bkdhr_1' },
    sources: [{ type: 'a.v0' }, { type: 'b.v0' }],
  });
});

test('a flag alone is true, an empty text is sent, and what was not given is not', () => {
  assert.deepEqual(bodyOf(FIELDS, { enabled: true, description: '' }), { enabled: true, description: '' });
  assert.deepEqual(bodyOf(FIELDS, {}), {});
});

test('lists and maps may be JSON, which is how they are emptied', () => {
  assert.deepEqual(bodyOf(FIELDS, { hostports: ['[]'], labels: ['{}'], sources: ['[{"type":"a.v0"}]'] }), {
    hostports: [],
    labels: {},
    sources: [{ type: 'a.v0' }],
  });
});

test('@ names a file that holds the text, @@ is an @', (t) => {
  const path = file(t, 'two\nlines\n');
  assert.deepEqual(bodyOf(FIELDS, { description: `@${path}` }), { description: 'two\nlines\n' });
  assert.deepEqual(bodyOf(FIELDS, { description: '@@home' }), { description: '@home' });
  assert.deepEqual(bodyOf(FIELDS, { hostports: [`@${path}`, 'b'] }), { hostports: ['two\nlines\n', 'b'] });
});

test('--data is the body, and flags change single fields of it', (t) => {
  const data = '{"description":"old","metadata":"kept"}';
  const expected = { description: 'new', metadata: 'kept' };
  assert.deepEqual(bodyOf(FIELDS, { data, description: 'new' }), expected);
  assert.deepEqual(bodyOf(FIELDS, { data: `@${file(t, data)}`, description: 'new' }), expected);
});

test('what cannot be meant is refused, and the flag is named', () => {
  const refused = (flags: Record<string, unknown>, message: RegExp) =>
    assert.throws(
      () => bodyOf(FIELDS, flags),
      (error) => error instanceof InvalidInput && message.test(error.message),
    );
  refused({ statusCode: 'many' }, /--status-code "many".*number/);
  refused({ statusCode: '' }, /--status-code/);
  refused({ enabled: 'edgtls_1' }, /--enabled "edgtls_1".*true or false/);
  refused({ labels: ['app'] }, /--labels "app".*KEY=VALUE/);
  refused({ labels: ['=web'] }, /--labels/);
  refused({ backend: 'bkdhr_1' }, /--backend is not valid JSON/);
  refused({ data: '[]' }, /--data is not a JSON object/);
  refused({ data: '{' }, /--data is not valid JSON/);
  refused({ data: '@/nowhere' }, /\/nowhere cannot be read/);
});

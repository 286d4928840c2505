import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { componentsOf, hexOf, sbom } from './sbom.ts';

const root = join(import.meta.dirname, '../..');
const facts = { version: '1.2.3', time: 1_700_000_000, commit: 'abc' };

test('each package is once in the list, with its licence and the hash of the lock file', () => {
  const files = [
    'node_modules/pino/pino.js',
    'node_modules/pino/lib/tools.js',
    'node_modules/@peculiar/x509/a.js',
  ];
  const components = componentsOf(root, files);
  assert.deepEqual(
    components.map(({ name, license }) => [name, license]),
    [
      ['@peculiar/x509', 'MIT'],
      ['pino', 'MIT'],
    ],
  );
  for (const { sha512 } of components) assert.match(sha512 ?? '', /^[0-9a-f]{128}$/);
  assert.equal(hexOf('sha512-AAA='), '0000');
  assert.equal(hexOf(undefined), null);
});

test('the document is of SPDX 2.3, and each reference leads to a package', () => {
  const components = componentsOf(root, ['node_modules/pino/pino.js', 'node_modules/@peculiar/x509/a.js']);
  const text = sbom(components, facts);
  assert.equal(text, sbom(components, facts));
  const document = JSON.parse(text);
  assert.equal(document.spdxVersion, 'SPDX-2.3');
  assert.equal(document.creationInfo.created, '2023-11-14T22:13:20Z');
  const ids: string[] = document.packages.map(({ SPDXID }: { SPDXID: string }) => SPDXID);
  assert.deepEqual(ids, [
    'SPDXRef-underpass-1.2.3',
    'SPDXRef-peculiar-x509-2.2.0',
    `SPDXRef-pino-${components[1]?.version}`,
  ]);
  for (const { relatedSpdxElement } of document.relationships) assert.ok(ids.includes(relatedSpdxElement));
  for (const id of ids) assert.match(id, /^SPDXRef-[A-Za-z0-9.-]+$/);
});

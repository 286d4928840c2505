import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { rootCertificates } from 'node:tls';
import { makeChain } from './certificates.fixture.ts';
import { knownRoots, rootsOf } from './trusted-roots.ts';

const { root, intermediate, leaf } = makeChain('shared.example');
const parse = (...pems: string[]) => pems.map((pem) => new X509Certificate(pem));

test('the root of a chain is found among those that are known, or in the chain itself', () => {
  const other = makeChain('shared.example').root;
  const chain = parse(leaf, intermediate);
  assert.deepEqual(rootsOf([chain, chain], parse(other, root)), [root]);
  assert.deepEqual(rootsOf([parse(leaf, intermediate, root)], parse(root)), [root]);
  // Its name is the same, its key is not.
  assert.deepEqual(rootsOf([chain], parse(other)), []);
});

test('those of NODE_EXTRA_CA_CERTS are known, and a file that is not there leaves the others', () => {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-roots-'));
  writeFileSync(join(folder, 'extra.pem'), root);
  assert.equal(knownRoots(join(folder, 'extra.pem')).at(-1)?.toString(), root);
  assert.equal(knownRoots(join(folder, 'none.pem')).length, rootCertificates.length);
  rmSync(folder, { recursive: true });
});

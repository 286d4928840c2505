/** Tests of an image's files for another processor. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileEntry } from '../archives/entry.ts';
import { forProcessor } from './files.ts';

test('Node and the libraries are replaced, and nothing else', () => {
  const folder = (path: string) => ({ kind: 'folder', path, mode: 0o755 }) as const;
  const kept = [folder('usr/lib'), fileEntry('opt/underpass/a.js', 'a'), fileEntry('etc/passwd', 'p')];
  const own = [
    'usr/local/bin/node',
    'usr/lib/x86_64-linux-gnu/libc.so.6',
    'usr/lib64/ld-linux-x86-64.so.2',
  ].map((path) => fileEntry(path, 'own'));
  const libraries = ['usr/lib/aarch64-linux-gnu/libc.so.6', 'usr/lib/ld-linux-aarch64.so.1'].map((path) => ({
    path,
    content: Buffer.from('other'),
  }));
  const files = forProcessor([...kept, ...own], Buffer.from('other'), libraries);
  assert.deepEqual(files.slice(0, kept.length), kept);
  assert.deepEqual(files.slice(kept.length), [
    fileEntry('usr/local/bin/node', 'other', 0o755),
    folder('usr/lib/aarch64-linux-gnu'),
    ...libraries.map(({ path }) => fileEntry(path, 'other', 0o755)),
  ]);
});

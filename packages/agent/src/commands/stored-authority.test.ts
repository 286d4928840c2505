import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../../test/harness/temporary-folder.ts';
import { authorityName, authorityPath, replaceAuthority } from './stored-authority.ts';

test('a failure after the authority was replaced puts the former one back', (t) => {
  const folder = temporaryFolder('underpass-authority-');
  t.after(() => rmSync(folder, { recursive: true }));
  const path = authorityPath(join(folder, 'agent.yaml'), 'connect.example.com');
  const fail = () => {
    throw new Error('the disk is full');
  };
  assert.throws(() => replaceAuthority(path, 'first', fail), /the disk is full/);
  assert.equal(existsSync(path), false);
  replaceAuthority(path, 'first', () => {});
  for (const pem of ['second', undefined]) {
    assert.throws(() => replaceAuthority(path, pem, fail), /the disk is full/);
    assert.equal(readFileSync(path, 'utf8'), 'first');
  }
  replaceAuthority(path, undefined, () => {});
  assert.equal(existsSync(path), false);
});

test('each server has a file of its own, whatever its name is', () => {
  const names = ['a.example', 'a.example:8443', 'A.example:443', '[::1]:443'].map(authorityName);
  assert.deepEqual(names, [
    ...['authorities/a.example-443.pem', 'authorities/a.example-8443.pem', 'authorities/a.example-443.pem'],
    'authorities/%3A%3A1-443.pem',
  ]);
});

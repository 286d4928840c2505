/** Tests of the libraries that ELF files need. */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { neededLibraries } from './needed.ts';

test('names the libraries that the system loads for Node', {
  skip: spawnSync('ldd', ['--version']).status !== 0,
}, () => {
  const needed = neededLibraries(readFileSync(process.execPath));
  const loaded = execFileSync('ldd', [process.execPath], { encoding: 'utf8' });
  assert.ok(needed.includes('libc.so.6'), needed.join());
  for (const name of needed) assert.ok(loaded.includes(name), name);
});

test('a file that is linked with nothing needs nothing', () => {
  const header = Buffer.alloc(64);
  header.writeBigUInt64LE(64n, 32);
  assert.deepEqual(neededLibraries(header), []);
});

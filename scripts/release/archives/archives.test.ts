import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { crc32, inflateRawSync } from 'node:zlib';
import { missingPrograms } from '../../../test/harness/missing.ts';
import { fileEntry } from './entry.ts';
import { gzipped, tar } from './tar.ts';
import { zip } from './zip.ts';

const TIME = 1_700_000_000;
const folder = mkdtempSync(join(tmpdir(), 'underpass-archives-'));
after(() => rmSync(folder, { recursive: true, force: true }));

test('tar reads what was written: modes, times, long names and links', {
  skip: missingPrograms('tar'),
}, async () => {
  const long = `${'folder-'.repeat(20)}/name`;
  const content = Buffer.from('x'.repeat(1000));
  const entries = [
    fileEntry('run', content, 0o755),
    fileEntry(long, 'deep'),
    { kind: 'folder', path: 'empty', mode: 0o755 },
    { kind: 'link', path: 'also', target: 'run' },
  ] as const;
  const archive = await gzipped(tar(entries, TIME));
  assert.deepEqual(archive.subarray(3, 10), Buffer.from([0, 0, 0, 0, 0, 0, 3]), 'no name, no time');
  const path = join(folder, 'archive.tar.gz');
  writeFileSync(path, archive);
  execFileSync('tar', ['--extract', '--file', path, '--directory', folder]);
  assert.deepEqual(readFileSync(join(folder, 'also')), content);
  assert.equal(readFileSync(join(folder, long), 'utf8'), 'deep');
  const { mode, mtimeMs } = statSync(join(folder, 'run'));
  assert.deepEqual([mode & 0o777, mtimeMs], [0o755, TIME * 1000]);
  assert.ok(statSync(join(folder, 'empty')).isDirectory());
});

test('the order of entries makes no difference, and no path is twice in an archive', () => {
  const [one, other] = [fileEntry('a', '1'), fileEntry('b', '2')];
  assert.deepEqual(tar([one, other], TIME), tar([other, one], TIME));
  assert.throws(() => tar([one, one], TIME), /a is twice/);
  assert.throws(() => tar([fileEntry('n'.repeat(300), '')], TIME), /too long/);
});

test('a zip has the content, its sum and its mode', async () => {
  const content = Buffer.from('hello '.repeat(99));
  const archive = await zip([{ kind: 'file', path: 'underpass.exe', mode: 0o755, content }], TIME);
  const packed = archive.readUInt32LE(18);
  const start = 30 + archive.readUInt16LE(26);
  assert.equal(archive.toString('utf8', 30, start), 'underpass.exe');
  assert.deepEqual(inflateRawSync(archive.subarray(start, start + packed)), content);
  const central = archive.readUInt32LE(archive.length - 6);
  assert.equal(archive.readUInt32LE(central), 0x02014b50);
  assert.equal(archive.readUInt32LE(central + 16), crc32(content));
  assert.equal(archive.readUInt32LE(central + 38) >>> 16, 0o100755);
  assert.equal(central + archive.readUInt32LE(archive.length - 10), archive.length - 22);
});

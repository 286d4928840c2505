import assert from 'node:assert/strict';
import { test } from 'node:test';
import { certificateBytes, hasChecksum, withoutSignature } from './pe.ts';

/** The headers of a file for x64 with a reference to certificates, and an odd number of bytes. */
function file(): Buffer {
  const bytes = Buffer.alloc(1001, 7);
  bytes.write('MZ');
  bytes.writeUInt32LE(128, 60);
  bytes.write('PE\0\0', 128);
  bytes.writeUInt16LE(0x8664, 132);
  return bytes;
}

test('a file refers to no certificates any more, and has the checksum of its content', () => {
  const before = file();
  assert.ok(certificateBytes(before) > 0);
  const after = withoutSignature(before);
  assert.equal(certificateBytes(after), 0);
  assert.equal(after.length, before.length);
  assert.ok(hasChecksum(after));
  after[900] = 8;
  assert.ok(!hasChecksum(after));
});

test('other files are refused', () => {
  assert.throws(() => withoutSignature(Buffer.alloc(200)), /no PE file/);
  const arm = file();
  arm.writeUInt16LE(0xaa64, 132);
  assert.throws(() => withoutSignature(arm), /another processor/);
});

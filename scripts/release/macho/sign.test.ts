import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSignature } from './check.ts';
import { readMachO, segmentOf } from './read.ts';
import { signAdHoc } from './sign.ts';

const HEADER = 32;
const SEGMENT = 72;
const SECTION = 80;
const TEXT_BYTES = 0x4000;

interface Shape {
  /** Bytes before the first section, for load commands. */
  readonly room?: number;
  /** Bytes of __LINKEDIT. */
  readonly tail?: number;
}

/** A program for arm64 with two segments, whose content is a pattern. */
function program({ room = 1000, tail = 12_345 }: Shape = {}): Buffer {
  const commands = 2 * SEGMENT + SECTION;
  const file = Buffer.alloc(TEXT_BYTES + tail);
  for (const at of file.keys()) if (at >= HEADER + commands + room) file[at] = at % 251;
  for (const [index, value] of [0xfeedfacf, 0x0100000c, 0, 2, 2, commands].entries())
    file.writeUInt32LE(value, index * 4);
  segment(file, HEADER, { name: '__TEXT', address: 0x100000000, offset: 0, bytes: TEXT_BYTES, sections: 1 });
  file.write('__text', HEADER + SEGMENT);
  file.writeBigUInt64LE(100n, HEADER + SEGMENT + 40);
  file.writeUInt32LE(HEADER + commands + room, HEADER + SEGMENT + 48);
  const last = {
    name: '__LINKEDIT',
    address: 0x100000000 + TEXT_BYTES,
    offset: TEXT_BYTES,
    bytes: tail,
    sections: 0,
  };
  segment(file, HEADER + SEGMENT + SECTION, last);
  return file;
}

interface Fields {
  readonly name: string;
  readonly address: number;
  readonly offset: number;
  readonly bytes: number;
  readonly sections: number;
}

function segment(file: Buffer, at: number, { name, address, offset, bytes, sections }: Fields): void {
  file.writeUInt32LE(0x19, at);
  file.writeUInt32LE(SEGMENT + sections * SECTION, at + 4);
  file.write(name, at + 8);
  const memory = Math.ceil(bytes / 0x4000) * 0x4000;
  for (const [index, value] of [address, memory, offset, bytes].entries())
    file.writeBigUInt64LE(BigInt(value), at + 24 + index * 8);
  file.writeUInt32LE(sections, at + 64);
}

test('a signature names the program, covers each page and lies in the last segment', () => {
  for (const tail of [12_345, 4096, 16, 1]) {
    const signed = signAdHoc(program({ tail }), 'underpass');
    const code = Math.ceil((TEXT_BYTES + tail) / 16) * 16;
    assert.deepEqual(checkSignature(signed), {
      ...{ identifier: 'underpass', isAdHoc: true, pages: Math.ceil(code / 4096) },
    });
    const parsed = readMachO(signed);
    assert.deepEqual(parsed.signature, { offset: code, bytes: signed.length - code });
    const { offset, bytes, memoryBytes } = segmentOf(parsed, '__LINKEDIT');
    assert.equal(offset + bytes, signed.length);
    assert.ok(memoryBytes >= bytes && memoryBytes % 0x4000 === 0);
  }
});

test('the same program gets the same signature', () => {
  assert.deepEqual(signAdHoc(program(), 'underpass'), signAdHoc(program(), 'underpass'));
});

test('a changed byte of the program, or of a hash of it, is found', () => {
  const signed = signAdHoc(program(), 'underpass');
  const { offset = 0 } = readMachO(signed).signature ?? {};
  const directory = offset + 12 + 3 * 8;
  const hashes = directory + signed.readUInt32BE(directory + 16);
  const end = directory + signed.readUInt32BE(directory + 4);
  const step = 61;
  for (let at = 0; at < end; at += at < 300 || at >= hashes ? 1 : step) {
    if (at >= offset && at < hashes) at = hashes;
    const changed = Buffer.from(signed);
    changed[at] = (changed[at] ?? 0) ^ 0x10;
    assert.throws(() => checkSignature(changed), Error, `byte ${at} of ${signed.length}`);
  }
});

test('a file without room, with a signature, or with something after __LINKEDIT is refused', () => {
  assert.throws(() => signAdHoc(program({ room: 8 }), 'underpass'), /no room/);
  assert.throws(() => signAdHoc(signAdHoc(program(), 'underpass'), 'underpass'), /a signature already/);
  assert.throws(
    () => signAdHoc(Buffer.concat([program(), Buffer.alloc(1)]), 'underpass'),
    /end with the file/,
  );
  assert.throws(() => checkSignature(program()), /no signature/);
  assert.throws(() => checkSignature(Buffer.from('#!/bin/sh\n'.repeat(9))), /no Mach-O/);
});

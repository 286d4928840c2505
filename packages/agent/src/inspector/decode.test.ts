import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  brotliCompressSync,
  constants,
  createDeflateRaw,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib';
import { decodeBody, inflateMessages } from './decode.ts';

const TEXT = Buffer.from('A text that is long enough to be worth it. '.repeat(100));
const MAX = 10_000;
const whole = (bytes: Buffer) => ({ bytes, isCut: false });

test('each coding of the web is undone, also one in another', async () => {
  const coded: [string, Buffer][] = [
    ['gzip', gzipSync(TEXT)],
    ['X-GZIP', gzipSync(TEXT)],
    ['deflate', deflateSync(TEXT)],
    ['br', brotliCompressSync(TEXT)],
    ['zstd', zstdCompressSync(TEXT)],
    ['br, gzip', gzipSync(brotliCompressSync(TEXT))],
    ['identity', TEXT],
  ];
  for (const [encoding, bytes] of coded) {
    const decoded = await decodeBody(whole(bytes), encoding, MAX);
    assert.deepEqual(
      [decoded.bytes.equals(TEXT), decoded.isCut, decoded.isDecoded],
      [true, false, true],
      encoding,
    );
  }
});

test('of a body that was cut the beginning is read', async () => {
  const random = Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * index * 7919) % 251));
  for (const [encoding, bytes] of [
    ['gzip', gzipSync(random)],
    ['br', brotliCompressSync(random)],
    ['zstd', zstdCompressSync(random)],
  ] as const) {
    const decoded = await decodeBody({ bytes: bytes.subarray(0, -20), isCut: true }, encoding, MAX);
    assert.equal(decoded.isDecoded, true, encoding);
    assert.equal(decoded.isCut, true, encoding);
    assert.ok(random.subarray(0, decoded.bytes.length).equals(decoded.bytes), encoding);
  }
});

test('a small body that would be a huge one is cut', async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000));
  const { bytes, isCut } = await decodeBody(whole(bomb), 'gzip', MAX);
  assert.deepEqual([bytes.length, isCut], [MAX, true]);
});

test('a body that cannot be decoded stays as it was', async () => {
  for (const encoding of ['compress', 'gzip', 'gzip, gzip, gzip, gzip']) {
    const { bytes, isDecoded } = await decodeBody(whole(TEXT), encoding, MAX);
    assert.deepEqual([bytes.equals(TEXT), isDecoded], [true, false], encoding);
  }
});

test('compressed messages are read with those before them', async () => {
  const payloads = await compressed(['one message', 'one message', 'one message and more']);
  assert.deepEqual(inflateMessages(payloads, MAX).map(String), [
    'one message',
    'one message',
    'one message and more',
  ]);
  assert.deepEqual(inflateMessages(payloads.slice(1), MAX), [null, null]);
  assert.deepEqual(
    inflateMessages(payloads, 15).map((it) => it?.toString() ?? null),
    ['one message', null, null],
  );
});

/** Compresses like `permessage-deflate`: one window for all messages. */
async function compressed(texts: readonly string[]): Promise<Buffer[]> {
  const deflate = createDeflateRaw();
  const messages: Buffer[] = [];
  for (const text of texts) {
    deflate.write(text);
    await new Promise<void>((resolve) => deflate.flush(constants.Z_SYNC_FLUSH, resolve));
    messages.push((deflate.read() as Buffer).subarray(0, -4));
  }
  deflate.destroy();
  return messages;
}

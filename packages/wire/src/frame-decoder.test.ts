import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { ErrorCode } from './codes.ts';
import { FrameDecoder } from './frame-decoder.ts';
import { data, frame, goAway, rst, wndinc, words } from './test-peers.fixture.ts';

/** Feeds the chunks to a decoder. Returns its reports, with the pieces of each DATA body joined. */
function decode(chunks: readonly Uint8Array[]): string[] {
  const events: string[] = [];
  let parts: Buffer[] = [];
  const decoder = new FrameDecoder({
    data: (id, flags, length, piece, first, last) => {
      if (first) parts = [];
      parts.push(piece);
      if (!last) return;
      const body = Buffer.concat(parts);
      assert.equal(body.length, length);
      events.push(`data ${id} ${flags} ${body.toString('hex')}`);
    },
    reset: (id, code) => events.push(`reset ${id} ${code}`),
    windowIncrement: (id, increment) => events.push(`wndinc ${id} ${increment}`),
    goAway: (lastId, code, debug) => events.push(`goaway ${lastId} ${code} ${debug.toString()}`),
    malformed: (code) => events.push(`malformed ${code}`),
  });
  for (const chunk of chunks) decoder.push(Buffer.from(chunk));
  return events;
}

/** Cuts the bytes at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  const starts = [0, ...ends];
  return starts.map((start, index) => bytes.subarray(start, ends[index] ?? bytes.length));
}

const id = fc.integer({ min: 1, max: 0x7fffffff });
const word = fc.integer({ min: 0, max: 0xffffffff });
const anyFrame = fc.oneof(
  fc.tuple(id, fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 0, max: 3 })).map((a) => data(...a)),
  fc.tuple(id, word).map((a) => rst(...a)),
  fc.tuple(id, word).map((a) => wndinc(...a)),
);

test('frames have the bytes of the protocol', () => {
  assert.deepEqual(rst(5, 3), Buffer.from('0000040000000005' + '00000003', 'hex'));
  assert.deepEqual(data(1, Buffer.from('hi'), 3), Buffer.from('0000021300000001' + '6869', 'hex'));
  assert.deepEqual(wndinc(2, 0x20000), Buffer.from('0000042000000002' + '00020000', 'hex'));
  assert.deepEqual(
    goAway(7, 1, 'x'),
    Buffer.from('0000093000000000' + '00000007' + '00000001' + '78', 'hex'),
  );
  assert.deepEqual(data(1, Buffer.alloc(0x12345)).subarray(0, 4), Buffer.from('01234510', 'hex'));
});

test('each frame is read back as it was meant', () => {
  const bytes = Buffer.concat([
    data(1, Buffer.from('hi'), 3),
    data(0x7fffffff, Buffer.alloc(0), 1),
    rst(2, 0xffffffff),
    wndinc(4, 0x7fffffff),
    goAway(9, 14, 'bye'),
  ]);
  assert.deepEqual(decode([bytes]), [
    'data 1 3 6869',
    'data 2147483647 1 ',
    'reset 2 4294967295',
    'wndinc 4 2147483647',
    'goaway 9 14 bye',
  ]);
});

test('the highest bit of the stream id is not part of it', () => {
  const bytes = rst(5, 3);
  bytes[4] = 0x80;
  assert.deepEqual(decode([bytes]), ['reset 5 3']);
});

test('frames cut at any byte are the same frames', () => {
  fc.assert(
    fc.property(
      fc.array(anyFrame, { maxLength: 12 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      (frames, places) => {
        const bytes = Buffer.concat([...frames, goAway(1, 2, 'end')]);
        const whole = decode([bytes]);
        assert.equal(whole.length, frames.length + 1);
        assert.deepEqual(decode(cut(bytes, places)), whole);
        assert.deepEqual(decode(Array.from(bytes, (byte) => Buffer.of(byte))), whole);
      },
    ),
  );
});

const malformed: readonly [string, Buffer, number][] = [
  ['an unknown type', frame(4, 0, 1), ErrorCode.protocol],
  ['type 15', frame(15, 0, 1), ErrorCode.protocol],
  ['DATA on stream 0', data(0, Buffer.from('x')), ErrorCode.protocol],
  ['RST on stream 0', rst(0, 1), ErrorCode.protocol],
  ['WNDINC on stream 0', wndinc(0, 1), ErrorCode.protocol],
  ['GOAWAY on a stream', frame(3, 0, 1, words(0, 0)), ErrorCode.protocol],
  ['GOAWAY of 7 bytes', frame(3, 0, 0, Buffer.alloc(7)), ErrorCode.frameSize],
  ['RST of 3 bytes', frame(0, 0, 1, Buffer.alloc(3)), ErrorCode.frameSize],
  ['RST of 5 bytes', frame(0, 0, 1, Buffer.alloc(5)), ErrorCode.frameSize],
  ['RST of no bytes', frame(0, 0, 1), ErrorCode.frameSize],
  ['WNDINC of 8 bytes', frame(2, 0, 1, Buffer.alloc(8)), ErrorCode.frameSize],
];
for (const [what, bytes, code] of malformed) {
  test(`${what} is malformed, and nothing after it is read`, () => {
    assert.deepEqual(decode([Buffer.concat([bytes, rst(1, 1)])]), [`malformed ${code}`]);
  });
}

test('a body of 16 MB comes in the pieces of the network, each a view of its chunk', () => {
  const length = 0xffffff;
  const chunk = Buffer.alloc(65_536, 7);
  let seen = 0;
  const decoder = new FrameDecoder({
    data: (_id, _flags, total, piece, first, last) => {
      assert.equal(total, length);
      assert.equal(piece.buffer, chunk.buffer);
      assert.equal(first, seen === 0);
      seen += piece.length;
      assert.equal(last, seen === length);
    },
    reset: () => assert.fail(),
    windowIncrement: () => assert.fail(),
    goAway: () => assert.fail(),
    malformed: () => assert.fail(),
  });
  decoder.push(Buffer.from('ffffff1000000001', 'hex'));
  for (let left = length; left > 0; left -= chunk.length) decoder.push(chunk.subarray(0, left));
  assert.equal(seen, length);
});

test('GOAWAY with 16 MB of text is over after its first kilobyte', () => {
  const start = Buffer.concat([Buffer.from('ffffff3000000000', 'hex'), words(3, 2), Buffer.alloc(2000, 'a')]);
  assert.deepEqual(decode([start]), [`goaway 3 2 ${'a'.repeat(1024)}`]);
});

test('random bytes never throw', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 60 }), { maxLength: 10 }), (chunks) => {
      const decoder = new FrameDecoder({
        data: () => {},
        reset: () => {},
        windowIncrement: () => {},
        goAway: () => {},
        malformed: () => {},
      });
      for (const chunk of chunks) decoder.push(Buffer.from(chunk));
    }),
  );
});

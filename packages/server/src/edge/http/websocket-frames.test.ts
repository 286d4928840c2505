import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attacks, clientFrame, closePayload } from './websocket-client.fixture.ts';
import { binaryHead, closeFrame, FrameReader, pongFrame } from './websocket-frames.ts';

/** Returns the frames that a reader finds in pieces, with the data joined. */
function read(pieces: readonly Buffer[]) {
  const found = { content: '', pings: [] as string[], closed: [] as number[], faulty: [] as number[] };
  const reader = new FrameReader({
    content: (bytes) => {
      found.content += bytes.toString('latin1');
    },
    ping: (payload) => found.pings.push(payload.toString('latin1')),
    closed: (code) => found.closed.push(code),
    faulty: (code) => found.faulty.push(code),
  });
  for (const piece of pieces) reader.read(piece);
  return found;
}

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const pieces: Buffer[] = [];
  let at = 0;
  for (const size of sizes) {
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  return [...pieces, bytes.subarray(at)];
}

const payload = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.constantFrom(0, 125, 126, 65535, 65536).map((size) => new Uint8Array(size).fill(7)),
);
/** A frame of a message, and whether a ping or a pong comes before it. */
const part = fc.record({
  payload: payload.map((bytes) => Buffer.from(bytes)),
  before: fc.constantFrom(0, 0x89, 0x8a),
  mask: fc.uint8Array({ minLength: 4, maxLength: 4 }).map((bytes) => Buffer.from(bytes)),
});
/** Text or binary: neither is read as more than bytes. */
const message = fc.record({
  opcode: fc.constantFrom(1, 2),
  parts: fc.array(part, { minLength: 1, maxLength: 4 }),
});
const messages = fc.array(message, { maxLength: 4 });

test('what is in messages comes out, however they are fragmented and cut', () => {
  fc.assert(
    fc.property(messages, fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 40 }), (all, sizes) => {
      const frames: Buffer[] = [];
      let content = '';
      let pings = 0;
      for (const { opcode, parts } of all) {
        for (const [i, { payload, before, mask }] of parts.entries()) {
          if (before !== 0) frames.push(clientFrame(before, 'here', mask));
          if (before === 0x89) pings += 1;
          frames.push(
            clientFrame((i === parts.length - 1 ? 0x80 : 0) | (i === 0 ? opcode : 0), payload, mask),
          );
          content += payload.toString('latin1');
        }
      }
      frames.push(clientFrame(0x88, closePayload(4000, 'bye')), clientFrame(0x82, 'never read'));
      const found = read(cut(Buffer.concat(frames), sizes));
      assert.ok(found.content === content);
      assert.deepEqual(found.pings, new Array(pings).fill('here'));
      assert.deepEqual([found.closed, found.faulty], [[4000], []]);
    }),
    { numRuns: 60 },
  );
});

for (const [what, bytes, code] of attacks) {
  test(`${what} is refused with ${code}, at once or in single bytes, and nothing after it is read`, () => {
    for (const sizes of [[], new Array(bytes.length).fill(1)]) {
      const found = read([...cut(bytes, sizes), clientFrame(0x82, 'later')]);
      assert.deepEqual(found, { content: '', pings: [], closed: [], faulty: [code] });
    }
  });
}

test('a frame is handed on before its end has come', () => {
  const frame = clientFrame(0x82, 'a'.repeat(70_000));
  assert.equal(read([frame.subarray(0, 1014)]).content, 'a'.repeat(1000));
});

test('a close frame without a code is one', () => {
  assert.deepEqual(read([clientFrame(0x88)]).closed, [1005]);
});

test('frames of the server are not masked, and their lengths are the shortest', () => {
  const hex = (bytes: Buffer) => bytes.toString('hex');
  assert.equal(hex(binaryHead(125)), '827d');
  assert.equal(hex(binaryHead(126)), '827e007e');
  assert.equal(hex(binaryHead(65535)), '827effff');
  assert.equal(hex(binaryHead(65536)), '827f0000000000010000');
  assert.equal(hex(closeFrame(1002)), '880203ea');
  assert.equal(hex(closeFrame(1005)), '8800');
  assert.equal(hex(pongFrame(Buffer.from('hi'))), '8a026869');
});

test('messages of a byte that come in one read are one piece, told before what ends them', () => {
  const told: string[] = [];
  const reader = new FrameReader({
    content: (bytes) => void told.push(`${bytes.length} bytes`),
    ping: () => void told.push('ping'),
    closed: () => void told.push('closed'),
    faulty: () => void told.push('faulty'),
  });
  const one = clientFrame(0x82, 'x');
  const many = Array.from({ length: 1000 }, () => one);
  reader.read(Buffer.concat(many));
  reader.read(Buffer.concat([...many, clientFrame(0x88, closePayload(1000))]));
  assert.deepEqual(told, ['1000 bytes', '1000 bytes', 'closed']);
});

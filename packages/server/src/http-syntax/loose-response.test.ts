/** Responses that are read loosely: what goes on is strictly formed, however the bytes are made or cut. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MessageFault, readLooseResponse } from '@underpass/wire/http1';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { BodyReader } from './body.ts';
import { ChunkData } from './chunk-data.ts';
import { CHUNKED, responseFraming } from './framing.ts';
import { Head } from './head.ts';

interface Outcome {
  readonly bytes: string;
  readonly state: 'whole' | 'open' | 'faulty';
}

/** Reads a chunked body in these pieces; the end of the last one is the end of the connection. */
function read(pieces: readonly Buffer[], isLoose: boolean): Outcome {
  const body = new BodyReader([], isLoose);
  body.begin(CHUNKED, null);
  let bytes = '';
  for (const piece of pieces) {
    let pos = 0;
    while (pos < piece.length && !body.done) {
      pos = body.read(piece, pos, piece.length);
      if (body.fault !== null) return { bytes, state: 'faulty' };
      bytes += piece.toString('latin1', body.from, body.to) + (body.tail?.toString('latin1') ?? '');
    }
  }
  if (body.done) return { bytes, state: 'whole' };
  const isWhole = body.finish();
  return { bytes: bytes + (body.tail?.toString('latin1') ?? ''), state: isWhole ? 'whole' : 'open' };
}

const scraps = fc
  .array(
    fc.constantFrom('0', '2', '00', 'hi', '\r\n', '\n', '\r', ' ', ';a', 'X: a', 'Y :', ':', '\0', 'T'),
    {
      maxLength: 20,
    },
  )
  .map((parts) => parts.join(''));
const likely = fc
  .record({
    end: fc.constantFrom('\r\n', '\n'),
    pad: fc.constantFrom('', ' ', ';a=b'),
    chunks: fc.array(fc.constantFrom('a', 'bc', '\r\n', '0'.repeat(20)), { maxLength: 4 }),
    trailers: fc.constantFrom('', 'X: a', 'X : a', ' a', 'Content-Length: 3', 'none'),
  })
  .map(({ end, pad, chunks, trailers }) => {
    const body = chunks.map((one) => `${one.length.toString(16)}${pad}${end}${one}${end}`).join('');
    return `${body}0${end}${trailers === '' ? '' : trailers + end}${end}`;
  });
const bodies = fc.oneof(
  scraps,
  likely,
  fc.tuple(likely, scraps).map(([one, two]) => one.slice(0, 9) + two),
);

test('however a chunked body is cut, the same goes on, and a strict reader takes all that is whole', () => {
  fc.assert(
    fc.property(bodies, fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), (text, sizes) => {
      const bytes = Buffer.from(text, 'latin1');
      const pieces: Buffer[] = [];
      for (let at = 0, i = 0; at < bytes.length; i += 1) {
        const size = sizes[i % sizes.length]!;
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      const one = read([bytes], true);
      const many = read(pieces, true);
      assert.equal(many.state, one.state);
      if (one.state !== 'whole') return;
      assert.equal(many.bytes, one.bytes);
      const strict = read([Buffer.from(one.bytes, 'latin1')], false);
      assert.deepEqual(strict, one);
      const data = new ChunkData();
      for (const span of data.spans(Buffer.from(one.bytes, 'latin1'))) assert.ok(span.length > 0);
      assert.notEqual(data.trailers, null);
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

test('a head that is read loosely is strictly formed, and frames its body in one way', () => {
  const parts = fc.constantFrom(
    ...['X', 'Content-Length', 'Transfer-Encoding', ': ', ':', ' ', '\t', '2', ', 2', 'chunked', 'identity'],
    ...['\r\n', '\n', '\r', '\0', '\x7f', 'gzip', '\xe4', '\n ', 'a', '"', '\x0b'],
  );
  const head = new Head(4096, 64, []);
  const text = fc.array(parts, { maxLength: 30 }).map((some) => some.join(''));
  const statusLine = fc.constantFrom(
    'HTTP/1.1 200 OK',
    'HTTP/1.0  204\t\0',
    'HTTP/1.1 304',
    'HTTP/1.7 999 x',
  );
  fc.assert(
    fc.property(statusLine, text, fc.boolean(), (line, fields, toHead) => {
      const bytes = Buffer.from(`${line}\n${fields}\n\n`, 'latin1');
      const found = readLooseResponse(bytes, 0, { maxBytes: 2048, maxFields: 64 });
      assert.ok(found !== null);
      if (found instanceof MessageFault) {
        assert.match(found.text, /^[ -~\u2026]+$/);
        return;
      }
      assert.equal(head.parseResponse(found.head, 0, found.head.length), found.head.length);
      assert.notEqual(responseFraming(head, toHead), null);
    }),
    { numRuns: propertyRuns(2_000) },
  );
});

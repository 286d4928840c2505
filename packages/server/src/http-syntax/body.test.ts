import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { BodyReader } from './body.ts';
import { CHUNKED, type Framing, UNTIL_CLOSE } from './framing.ts';

interface Outcome {
  /** Bytes of the body, as the reader passes them on. */
  readonly passed: string;
  /** Bytes taken up to the end of the body. */
  readonly taken: number;
  readonly done: boolean;
  readonly fault: string | null;
}

/** Reads `segments` as a body, as a connection would. */
function read(
  framing: Framing,
  segments: readonly Buffer[],
  dropped: ReadonlySet<string> | null = null,
): Outcome {
  const body = new BodyReader(['edge-error']);
  body.begin(framing, dropped);
  let passed = '';
  let taken = 0;
  for (const bytes of segments) {
    let pos = 0;
    while (pos < bytes.length && !body.done && body.fault === null) {
      pos = body.read(bytes, pos, bytes.length);
      if (body.fault !== null) break;
      passed += bytes.toString('latin1', body.from, body.to) + (body.tail?.toString('latin1') ?? '');
    }
    taken += pos;
  }
  return { passed, taken, done: body.done, fault: body.fault };
}

function cut(text: string, cuts: readonly number[]): Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const points = [...new Set(cuts.map((at) => at % (bytes.length + 1)))].sort((a, b) => a - b);
  return [0, ...points].map((from, i) => bytes.subarray(from, points[i] ?? bytes.length));
}

const cuts = fc.array(fc.nat(), { maxLength: 20 });
const payload = fc
  .uint8Array({ minLength: 1, maxLength: 60 })
  .map((bytes) => Buffer.from(bytes).toString('latin1'));
const value = fc.stringMatching(/^[!-~]{0,12}$/);
const trailer = fc.tuple(
  fc.constantFrom('X-Sum', 'x-hop', 'Underpass-Node', 'Edge_Error', 'ETag', 'TE'),
  value,
);
const KEPT = new Set(['X-Sum', 'ETag']);

const zeros = fc.nat({ max: 3 }).map((count) => '0'.repeat(count));
const extended = (size: string, extension: string | null) =>
  extension === null ? size : `${size};${extension}`;

const chunkedBody = fc
  .record({
    chunks: fc.array(fc.tuple(payload, fc.boolean(), zeros, fc.option(value))),
    lastZeros: zeros,
    lastExtension: fc.option(value),
    trailers: fc.array(trailer, { maxLength: 4 }),
  })
  .map(({ chunks, lastZeros, lastExtension, trailers }) => {
    let wire = '';
    let clean = '';
    for (const [data, upper, leading, extension] of chunks) {
      const digits = data.length.toString(16);
      const size = upper ? digits.toUpperCase() : digits;
      wire += `${extended(leading + size, extension)}\r\n${data}\r\n`;
      clean += `${size}\r\n${data}\r\n`;
    }
    const lines = trailers.map(([name, text]) => [name, `${name}: ${text}\r\n`] as const);
    wire += `${extended(`${lastZeros}0`, lastExtension)}\r\n${lines.map(([, line]) => line).join('')}\r\n`;
    clean += `0\r\n${lines
      .filter(([name]) => KEPT.has(name))
      .map(([, line]) => line)
      .join('')}\r\n`;
    return { wire, clean };
  });

test('a chunked body passes whole, cleaned, and ends at its end, however it is cut', () => {
  fc.assert(
    fc.property(chunkedBody, value, cuts, ({ wire, clean }, next, where) => {
      const outcome = read(CHUNKED, cut(wire + next, where), new Set(['x-hop']));
      assert.deepEqual(outcome, { passed: clean, taken: wire.length, done: true, fault: null });
    }),
    { numRuns: propertyRuns(1000) },
  );
});

test('a body of a known length passes whole and ends at its end, however it is cut', () => {
  fc.assert(
    fc.property(payload, value, cuts, (data, next, where) => {
      const outcome = read(data.length, cut(data + next, where));
      assert.deepEqual(outcome, { passed: data, taken: data.length, done: true, fault: null });
    }),
  );
});

test('a chunked body that is damaged is judged the same however it is cut, and never ends early', () => {
  const noise = fc.constantFrom('\r', '\n', '\0', ';', ' ', '0', 'f', 'x', '\r\n', '\xff', '-');
  fc.assert(
    fc.property(chunkedBody, noise, fc.nat(), cuts, ({ wire }, junk, at, where) => {
      // With an end that makes up its mind: a trailer section is judged when it is whole.
      const damaged = `${wire.slice(0, at % wire.length)}${junk}${wire.slice(at % wire.length)}\r\n\r\n`;
      const whole = read(CHUNKED, cut(damaged, []));
      const inPieces = read(CHUNKED, cut(damaged, where));
      assert.equal(inPieces.done, whole.done);
      assert.equal(inPieces.fault, whole.fault);
      if (whole.done) assert.deepEqual(inPieces, whole);
    }),
    { numRuns: propertyRuns(2000) },
  );
});

test('a body until close has no end of its own', () => {
  const body = new BodyReader(['edge-error']);
  body.begin(UNTIL_CLOSE, null);
  body.read(Buffer.from('abc'), 0, 3);
  assert.equal(body.done, false);
  assert.equal(body.finish(), true);
  body.begin(10, null);
  body.read(Buffer.from('abc'), 0, 3);
  assert.equal(body.finish(), false);
});

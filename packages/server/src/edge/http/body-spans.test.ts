import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BodyReader } from '../../http-syntax/body.ts';
import { CHUNKED, type Framing } from '../../http-syntax/framing.ts';
import { BodySpans } from './body-spans.ts';

/** Reads a body that arrives in pieces, and returns what was handed on. */
function handedOn(framing: Framing, ...pieces: readonly string[]): readonly Buffer[] {
  const body = new BodyReader([]);
  const spans = new BodySpans(body);
  const received: Buffer[] = [];
  body.begin(framing, null);
  spans.begin();
  for (const piece of pieces.map((text) => Buffer.from(text))) {
    for (let pos = 0; pos < piece.length && !body.done; ) {
      pos = body.read(piece, pos, piece.length);
      assert.equal(body.fault, null);
      spans.giveTo({ requestData: (data) => received.push(data) }, piece, pos);
    }
  }
  assert.ok(body.done);
  return received;
}

test('a read that is cut into spans goes on as one piece, without what was cut out', () => {
  const chunks = handedOn(CHUNKED, '1;a=b\r\nx\r\n1;c=d\r\ny\r\n0\r\n\r\n');
  assert.deepEqual(chunks.map(String), ['1\r\nx\r\n1\r\ny\r\n0\r\n\r\n']);
});

test('a read that is whole goes on as it came, without a copy', () => {
  const whole = handedOn(5 as Framing, 'abc', 'de');
  assert.deepEqual(whole.map(String), ['abc', 'de']);
});

test('nothing of one body goes on with the next', () => {
  const body = new BodyReader([]);
  const spans = new BodySpans(body);
  const received: string[] = [];
  const cut = Buffer.from('1;a=b\r\nx\r\n1;c=d\r\ny');
  body.begin(CHUNKED, null);
  spans.begin();
  spans.giveTo({ requestData: (data) => received.push(String(data)) }, cut, body.read(cut, 0, cut.length));
  const next = Buffer.from('new');
  body.begin(3, null);
  spans.begin();
  spans.giveTo({ requestData: (data) => received.push(String(data)) }, next, body.read(next, 0, next.length));
  assert.deepEqual(received, ['new']);
});

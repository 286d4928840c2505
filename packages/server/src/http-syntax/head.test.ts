import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { Field, fieldAt, ownNames } from './fields.ts';
import { FAULTY, Head, INCOMPLETE } from './head.ts';
import { HeadBuffer } from './head-buffer.ts';

const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,15}$/);
const value = fc.stringMatching(/^(?:[!-~\x80-\xff](?:[\t -~\x80-\xff]{0,20}[!-~\x80-\xff])?)?$/);
const padding = fc.constantFrom('', ' ', '\t', '  ', ' \t ');
const line = fc.tuple(token, padding, value, padding);

const head = () => new Head(64 * 1024, 200, ['underpass-error-code']);

test('every well-formed head is read as it was written', () => {
  fc.assert(
    fc.property(
      token,
      fc.stringMatching(/^\/[!"$-~]{0,30}$/),
      fc.array(line),
      value,
      (method, target, lines, rest) => {
        const text = `${method} ${target} HTTP/1.1\r\n${lines
          .map(([name, before, text, after]) => `${name}:${before}${text}${after}\r\n`)
          .join('')}\r\n`;
        const bytes = Buffer.from(text + rest, 'latin1');
        const parsed = head();
        assert.equal(parsed.parseRequest(bytes, 0, bytes.length), text.length);
        assert.equal(bytes.toString('latin1', 0, parsed.methodEnd), method);
        assert.equal(bytes.toString('latin1', parsed.targetStart, parsed.targetEnd), target);
        assert.equal(parsed.count, lines.length);
        lines.forEach(([name, before, text, after], i) => {
          assert.equal(parsed.name(i), name);
          assert.equal(parsed.value(i), text);
          const written = `${name}:${before}${text}${after}\r\n`;
          assert.equal(bytes.toString('latin1', parsed.lineStart(i), parsed.lineEnd(i)), written);
        });
      },
    ),
  );
});

test('a head may be as long as the limit says, and no byte longer, with its end or without', () => {
  const text = (length: number): Buffer => {
    const [start, end] = ['GET / HTTP/1.1\r\nX: ', '\r\n\r\n'];
    return Buffer.from(`${start}${'x'.repeat(length - start.length - end.length)}${end}`);
  };
  const parse = (bytes: Buffer, end = bytes.length): number => {
    const limited = new Head(1000, 200, ['underpass-error-code']);
    const read = limited.parseRequest(bytes, 0, end);
    if (read === FAULTY) assert.equal(limited.fault, 'requestHeadTooLarge');
    return read;
  };
  assert.equal(parse(text(1000)), 1000);
  assert.equal(parse(text(1001)), FAULTY);
  assert.equal(parse(text(1004), 1000), INCOMPLETE);
  assert.equal(parse(text(1004), 1001), FAULTY);
});

test('a head is incomplete at every cut before its end, and no byte after it is needed', () => {
  const request = Buffer.from('GET /a HTTP/1.1\r\nHost: x.example\r\nX: \r\nY:z\r\n\r\n');
  const response = Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n');
  for (let end = 0; end < request.length; end += 1)
    assert.equal(head().parseRequest(request, 0, end), INCOMPLETE);
  assert.equal(head().parseRequest(request, 0, request.length), request.length);
  for (let end = 0; end < response.length; end += 1) {
    assert.equal(head().parseResponse(response, 0, end), INCOMPLETE);
  }
  assert.equal(head().parseResponse(response, 0, response.length), response.length);
});

test('any bytes at all are a head, incomplete or faulty, and never more than there are', () => {
  const piece = fc.constantFrom(
    'GET ',
    '/',
    ' HTTP/1.1',
    '\r\n',
    'Host: a',
    ':',
    '\r',
    '\n',
    '\0',
    'HTTP/1.1 200',
    ' ',
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 100 }).map((raw) => Buffer.from(raw)),
    fc.array(piece, { maxLength: 20 }).map((pieces) => Buffer.from(pieces.join(''), 'latin1')),
  );
  fc.assert(
    fc.property(bytes, (raw) => {
      for (const next of [
        head().parseRequest(raw, 0, raw.length),
        head().parseResponse(raw, 0, raw.length),
        head().parseTrailers(raw, 0, raw.length),
      ]) {
        assert.ok(next === INCOMPLETE || next === FAULTY || (next > 0 && next <= raw.length));
        if (next > 0) assert.equal(raw.toString('latin1', next - 2, next), '\r\n');
      }
    }),
    { numRuns: propertyRuns(3000) },
  );
});

test('a head in pieces is handed out once it is whole, or cannot become one', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 40 }), { maxLength: 10 }), (sizes) => {
      const text = 'GET / HTTP/1.1\r\nHost: x\r\n\r\nbody';
      const buffer = new HeadBuffer(100);
      let at = 0;
      let ready = false;
      for (const size of [...sizes, text.length]) {
        const piece = text.slice(at, at + size);
        at += piece.length;
        ready = buffer.append(Buffer.from(piece));
        assert.equal(ready, text.slice(0, at).includes('\r\n\r\n'));
        if (ready) break;
      }
      assert.equal(buffer.take().toString(), text.slice(0, at));
      assert.equal(buffer.length, 0);
    }),
  );
  const long = new HeadBuffer(10);
  assert.equal(long.append(Buffer.from('aaaaaaaaaa')), false);
  assert.equal(long.append(Buffer.from('a')), true);
  assert.equal(new HeadBuffer(10).append(Buffer.from('a\nb')), true);
});

test('fields are known in any case, and what only looks like them is told apart', () => {
  const known = (name: string): Field => {
    const bytes = Buffer.from(name);
    return fieldAt(bytes, 0, bytes.length, ownNames(['edge-error', 'edge-user']));
  };
  for (const name of ['edge-error', 'Edge-Error', 'EDGE_ERROR', 'Edge_User', 'underpass-x'])
    assert.equal(known(name), Field.ours);
  for (const name of ['edge-erro', 'edge-errors', 'xedge-error']) assert.equal(known(name), Field.other);
  assert.deepEqual(ownNames(['underpass-error-code', 'underpass-auth-user-id']), []);
  assert.equal(known('HOST'), Field.host);
  assert.equal(known('content-Length'), Field.contentLength);
  assert.equal(known('Content_Length'), Field.underscored);
  assert.equal(known('x_forwarded-for'), Field.underscored);
  assert.equal(known('Underpass_Anything'), Field.ours);
  for (const name of ['X-Forwarded-Port', 'x_forwarded-anything', 'Forwarded', 'TRUE-client-ip'])
    assert.equal(known(name), Field.aboutVisitor);
  assert.equal(known('X-Real_IP'), Field.underscored);
  for (const name of [
    'X-Original-URL',
    'X_Rewrite_Url',
    'x-http-method-override',
    'SCRIPT_NAME',
    'Path-Info',
  ])
    assert.equal(known(name), Field.replacesTarget);
  for (const name of ['X-Original', 'X-Original-To', 'X-Rewrite-URLs', 'Method'])
    assert.equal(known(name), Field.other);
  assert.equal(known('X-Forwarded'), Field.other);
  assert.equal(known('underpass'), Field.other);
  assert.equal(known('hosts'), Field.other);
  assert.equal(known('x-very-long-name-that-nobody-acts-on'), Field.other);
});

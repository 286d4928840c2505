import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { grpcForm, grpcStatusIn } from './grpc.ts';
import { GrpcWebTrailers } from './grpc-web-trailers.ts';
import { HttpLog, type LoggedRequest } from './http-log.ts';
import { grpcMessagesOf } from './inspector/grpc-messages.ts';
import { search } from './inspector/search.ts';
import { Store } from './inspector/store.ts';
import { summaryOf } from './inspector/views.ts';
import { LinePrinter } from './lines.ts';
import { PeopleReport } from './report-people.ts';

const status = (value: string, message = '') =>
  grpcStatusIn([
    { name: 'grpc-status', value },
    { name: 'Grpc-Message', value: message },
  ]);

test('a status has its name and its message', () => {
  const latin = Buffer.from('Größe').toString('latin1');
  for (const [value, message, expected] of [
    ['0', '', { code: 0, name: 'OK', message: '' }],
    ['5', 'gr%C3%BC%C3%9Fe 100%25 %zz %FF', { code: 5, name: 'NOT_FOUND', message: 'grüße 100% %zz %FF' }],
    ['16', latin, { code: 16, name: 'UNAUTHENTICATED', message: 'Größe' }],
    ['17', '', { code: 17, name: 'UNKNOWN', message: '' }],
    ['-1', '', { code: 2, name: 'UNKNOWN', message: '' }],
    ['1e3', '', { code: 2, name: 'UNKNOWN', message: '' }],
    ['', '', { code: 2, name: 'UNKNOWN', message: '' }],
  ] as const)
    assert.deepEqual(status(value, message), expected, value);
  assert.equal(grpcStatusIn([{ name: 'grpc-statuses', value: '0' }]), null);
  assert.ok((status('5', 'x'.repeat(100_000))?.message.length ?? 0) <= 4_096);
});

test('a call is known by its media type', () => {
  for (const [type, form] of [
    ['application/grpc', 'grpc'],
    ['Application/gRPC+proto; charset=x', 'grpc'],
    ['application/grpc;a=b', 'grpc'],
    ['application/grpc-web', 'web'],
    ['application/grpc-web+proto', 'web'],
    ['application/grpc-web-text+proto', 'web-text'],
    ['application/grpcx', null],
    ['application/grpc-other', null],
    ['text/application/grpc', null],
    ['', null],
  ] as const)
    assert.equal(grpcForm(type), form, type);
});

const frame = (payload: Buffer | string, flags = 0) => {
  const bytes = Buffer.from(payload as string);
  const head = Buffer.alloc(5);
  head[0] = flags;
  head.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([head, bytes]);
};
const TRAILERS = 'grpc-status: 5\r\ngrpc-message: no such\r\nnot a field\r\n';
const WEB = [frame('first'), frame(''), frame('second'), frame(TRAILERS, 0x80)];
const LINES = 'grpc-status: 5\r\ngrpc-message: no such\r\n';

test('the trailers of gRPC-web are found however the body is cut, also in Base64', () => {
  const bodies = [
    ['web', Buffer.concat(WEB)],
    ['web-text', Buffer.from(Buffer.concat(WEB).toString('base64'))],
    ['web-text', Buffer.from(WEB.map((it) => it.toString('base64')).join(''))],
  ] as const;
  for (const [form, body] of bodies)
    for (let size = 1; size <= body.length; size++) {
      const trailers = new GrpcWebTrailers(form);
      for (let at = 0; at < body.length; at += size)
        trailers.feed(body, at, Math.min(at + size, body.length));
      assert.equal(trailers.lines, LINES, `${form} in pieces of ${size}`);
    }
  const long = new GrpcWebTrailers('web');
  const endless = Buffer.concat([
    Buffer.from([0x80, 0xff, 0xff, 0xff, 0xff]),
    Buffer.from('a: b\n'.repeat(50_000)),
  ]);
  long.feed(endless, 0, endless.length);
  assert.ok(long.lines.length <= 2 * 16_384, 'bounded');
});

/** A call as the agent sees it, over HTTP/1.1. */
function call(type: string, body: Buffer, extra = '', requestType = type) {
  const store = new Store();
  const logged: LoggedRequest[] = [];
  const capture = store.capture({ tunnel: 1, client: '', replayOf: null });
  const log = new HttpLog({ report: (it) => logged.push(it), capture, now: () => 0 });
  const sent = frame('asked');
  const head = `POST /a.B/C HTTP/1.1\r\ncontent-type: ${requestType}\r\ncontent-length: ${sent.length}\r\n\r\n`;
  log.request(Buffer.concat([Buffer.from(head), sent]));
  log.response(
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${extra}content-length: ${body.length}\r\n\r\n`),
  );
  log.response(body);
  log.close();
  const [exchange] = store.all;
  assert.ok(exchange !== undefined);
  return { exchange, logged, store, grpc: summaryOf(exchange).grpc };
}

const FAILED = { code: 5, name: 'NOT_FOUND', message: 'no such' };

test('a call of gRPC-web has the status of its trailers, in the body or in the header', () => {
  const inBody = call('application/grpc-web+proto', Buffer.concat(WEB));
  assert.deepEqual([inBody.grpc, inBody.logged[0]?.grpc], [FAILED, FAILED]);
  const inHeader = call('application/grpc-web', Buffer.alloc(0), LINES);
  assert.deepEqual([inHeader.grpc, inHeader.logged[0]?.grpc], [FAILED, FAILED]);
  // More than is kept of a body.
  const long = call('application/grpc-web', Buffer.concat([frame(Buffer.alloc(400_000)), ...WEB]));
  assert.deepEqual([long.grpc, long.logged[0]?.grpc], [FAILED, FAILED]);
});

test('a call without a status has failed, and one that is none has no such result', () => {
  const unknown = { code: 2, name: 'UNKNOWN', message: 'The call ended without a grpc-status.' };
  const cut = call('application/grpc-web', frame('first'));
  assert.deepEqual([cut.grpc, cut.logged[0]?.grpc], [unknown, unknown]);
  const page = call('text/html', Buffer.from('<p>'), '', 'application/grpc-web');
  assert.deepEqual([page.grpc, page.logged[0]?.grpc], [unknown, unknown]);
  const plain = call('text/html', Buffer.from('<p>'), 'grpc-status: 5\r\n', 'text/plain');
  assert.deepEqual([plain.grpc, plain.logged[0]?.grpc], [null, undefined]);
});

test('trailers in a compressed body are read, within a bound', () => {
  const plain = Buffer.concat(WEB);
  const text = Buffer.from(plain.toString('base64'));
  for (const [type, coding, body] of [
    ['application/grpc-web', 'gzip', gzipSync(plain)],
    ['application/grpc-web+proto', 'BR', brotliCompressSync(plain)],
    ['application/grpc-web-text', 'deflate', deflateSync(text)],
    ['application/grpc-web', 'zstd', zstdCompressSync(plain)],
  ] as const) {
    const { grpc, logged } = call(type, body, `content-encoding: ${coding}\r\n`);
    assert.deepEqual([grpc, logged[0]?.grpc], [FAILED, FAILED], coding);
  }
  const bomb = gzipSync(Buffer.concat([frame(Buffer.alloc(4_000_000)), ...WEB]));
  const random = Buffer.concat([frame(randomBytes(100_000)), ...WEB]);
  for (const [coding, body] of [
    ['gzip', bomb],
    ['gzip', gzipSync(random)],
    ['gzip', gzipSync(plain).subarray(0, -9)],
    ['gzip', plain],
    ['compress', plain],
    ['gzip, br', plain],
  ] as const) {
    const { grpc, logged } = call('application/grpc-web', body, `content-encoding: ${coding}\r\n`);
    assert.deepEqual([grpc, logged[0]?.grpc], [null, undefined], coding);
  }
});

test('a failed call is no 200 in the lines', async () => {
  const { logged } = call('application/grpc-web', Buffer.concat(WEB));
  const written = new PassThrough();
  const out = new LinePrinter(written, String);
  new PeopleReport({ out, errors: out, place: { server: '' }, colours: true, now: () => 0 }).exchange(
    logged[0]!,
    null,
  );
  await out.flush(0);
  assert.match(String(written.read()), /POST \/a\.B\/C {2}.\[31mgRPC 5 NOT_FOUND.\[0m {2}/);
});

test('the messages of a call are separate, compressed ones decompressed', async () => {
  const body = Buffer.concat([
    ...[frame('plain'), frame(gzipSync('a needle'), 1), frame('not gzip', 1), frame(TRAILERS, 0x80)],
  ]);
  for (const [type, bytes] of [
    ['application/grpc-web+proto', body],
    ['application/grpc-web-text', Buffer.from(body.toString('base64'))],
  ] as const) {
    const { exchange, store } = call(type, bytes, 'grpc-encoding: gzip\r\n', 'application/grpc-web');
    const { count, messages } = await grpcMessagesOf(exchange);
    const read = messages.map(({ direction, text, size }) => [
      direction,
      text && Buffer.from(text, 'hex').toString(),
      size,
    ]);
    assert.deepEqual(read, [
      ['sent', 'asked', 5],
      ['received', 'plain', 5],
      ['received', 'a needle', gzipSync('a needle').length],
      ['received', null, 8],
    ]);
    assert.equal(count, 4);
    assert.equal((await grpcMessagesOf(exchange, 'sent')).count, 1);
    const { signal } = new AbortController();
    assert.equal((await search(store.all, 'NEEDLE', signal)).length, 1);
    assert.equal((await search(store.all, 'hay', signal)).length, 0);
  }
});

test('messages that are hostile stay small', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  const { exchange } = call(
    'application/grpc-web',
    Buffer.concat([frame(bomb, 1), frame(bomb, 1)]),
    'grpc-encoding: gzip\r\n',
  );
  const { messages } = await grpcMessagesOf(exchange, 'received');
  assert.deepEqual(
    messages.map(({ isCut }) => isCut),
    [true, true],
  );
  assert.ok(messages.reduce((sum, { text }) => sum + (text?.length ?? 0), 0) <= 2 * 1_024 * 1_024);
  const many = await grpcMessagesOf(call('application/grpc-web', Buffer.alloc(200_000)).exchange, 'received');
  assert.deepEqual([many.count, many.messages.length], [40_000, 500]);
  const cut = await grpcMessagesOf(
    call('application/grpc', Buffer.from([0, 0xff, 0xff, 0xff, 0xff, 1])).exchange,
    'received',
  );
  assert.deepEqual(
    cut.messages.map(({ size, isCut, text }) => [size, isCut, text]),
    [[0xffff_ffff, true, '01']],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, noopHandler } from '@underpass/wire';
import { Flag, FrameType, frame } from '@underpass/wire/http2';
import { Http2Connection } from '../../http2/connection.ts';
import { HTTP2_LIMITS } from '../../http2/limits.ts';
import { Setting, settingsFrame } from '../../http2/settings.ts';
import { type Http2StreamOwner, Http2UpstreamStream } from './http2-stream.ts';

const WEBSOCKET = Buffer.from(
  'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: k\r\n\r\n',
);

/** Creates a stream to a service that has not sent its settings yet. */
function unready() {
  const waiting = new Set<() => void>();
  const connection = new Http2Connection({
    role: 'client',
    transport: { write: () => true, end() {} },
    limits: HTTP2_LIMITS,
    now: () => 0,
    user: {
      opened: () => assert.fail(),
      settled: () => {
        for (const act of waiting) act();
      },
      goingAway() {},
      over() {},
    },
  });
  const owner: Http2StreamOwner = {
    connection,
    failure: undefined,
    dialFault: undefined,
    closeCode: ErrorCode.streamReset,
    tooMuch() {},
    whenReady(act) {
      waiting.add(act);
      return () => void waiting.delete(act);
    },
  };
  const become = (takesConnect: 0 | 1): void =>
    connection.receive(settingsFrame(new Map([[Setting.enableConnectProtocol, takesConnect]])));
  return { waiting, connection, become, stream: new Http2UpstreamStream(owner) };
}

test('a WebSocket that is given up before its service is ready leaves nothing behind', () => {
  const { waiting, stream, become, connection } = unready();
  stream.write(WEBSOCKET);
  assert.equal(waiting.size, 1);
  stream.reset(ErrorCode.streamCancelled);
  assert.equal(waiting.size, 0);
  become(1);
  assert.equal(connection.size, 0);
});

test('what is written behind a head that waits has a bound, and goes on when the service is ready', () => {
  const { stream, become, connection } = unready();
  const drained: string[] = [];
  stream.handler = { ...noopHandler, drain: () => void drained.push('drained') };
  stream.write(WEBSOCKET);
  let written = 1;
  while (stream.write(Buffer.from('x'))) written += 1;
  assert.ok(written <= 16 * 1024 + 1, `${written} bytes`);
  assert.ok(stream.writableNeedDrain);
  become(1);
  assert.deepEqual([drained, connection.size, stream.writableNeedDrain], [['drained'], 1, false]);
});

test('what is written behind a head that is refused goes nowhere, and the stream is lost once', async () => {
  const { stream, become } = unready();
  const closed = Promise.withResolvers<ErrorCode>();
  stream.handler = { ...noopHandler, close: closed.resolve };
  stream.write(WEBSOCKET);
  become(0);
  assert.equal(stream.write(Buffer.from('no head')), true);
  assert.equal(await closed.promise, ErrorCode.protocol);
  assert.equal(stream.failure, 'upstreamWithoutWebsocket');
});

test('frames of an answer in single bytes come as one chunk of a read', () => {
  const { stream, connection, become } = unready();
  become(0);
  const pieces: string[] = [];
  stream.handler = { ...noopHandler, data: (chunk) => void pieces.push(chunk.toString()) };
  stream.write(Buffer.from('GET / HTTP/1.1\r\nHost: a\r\n\r\n'));
  const head = frame(FrameType.headers, Flag.endHeaders, 1, Buffer.from([0x88]));
  const one = frame(FrameType.data, 0, 1, Buffer.from('x'));
  connection.receive(Buffer.concat([head, ...Array.from({ length: 500 }, () => one)]));
  assert.equal(pieces.at(-1), `1f4\r\n${'x'.repeat(500)}\r\n`);
});

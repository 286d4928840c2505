/** Frames for streams that do not take them (RFC 9113, section 5.1), and what becomes of the streams and the connection. */
import assert from 'node:assert/strict';
import { nextTick } from 'node:process';
import { test } from 'node:test';
import {
  CLIENT_PREFACE,
  Flag,
  FrameType,
  frame,
  Http2Error,
  numberFrame,
  readFrameHead,
} from '@underpass/wire/http2';
import { Http2Connection } from './connection.ts';
import { encodeHeaders } from './header-encoder.ts';
import { HTTP2_LIMITS } from './limits.ts';
import { settingsFrame } from './settings.ts';
import type { Http2Stream } from './stream.ts';

const NAMES: ReadonlyMap<number, string> = new Map(
  Object.entries(Http2Error).map(([name, code]) => [code, name]),
);
const BLOCK = encodeHeaders([{ name: ':method', value: 'POST' }]);
const ENDS = Flag.endStream | Flag.endHeaders;

/** A server's connection, and what became of its streams and went out. */
function serve() {
  const sent: string[] = [];
  const told: string[] = [];
  const streams: Http2Stream[] = [];
  const write = (bytes: Buffer): boolean => {
    for (let at = 0; at < bytes.length; ) {
      const { type, stream, length } = readFrameHead(bytes, at);
      const code = (offset: number) => NAMES.get(bytes.readUInt32BE(at + 9 + offset));
      if (type === FrameType.rstStream) sent.push(`reset ${stream} ${code(0)}`);
      if (type === FrameType.goAway) sent.push(`end ${code(4)}`);
      at += 9 + length;
    }
    return true;
  };
  const connection = new Http2Connection({
    role: 'server',
    transport: { write, end() {} },
    limits: HTTP2_LIMITS,
    now: () => 0,
    user: {
      opened: (stream) => {
        streams.push(stream);
        const tell = (what: string) => void told.push(`${stream.id} ${what}`);
        return {
          headers: () => tell('asked'),
          data: (bytes) => tell(`data ${bytes}`),
          ended: () => tell('ended'),
          drained() {},
          lost: (code) => tell(`lost ${NAMES.get(code)}`),
        };
      },
      settled() {},
      goingAway() {},
      over() {},
    },
  });
  const receive = (...frames: readonly Buffer[]): void => connection.receive(Buffer.concat(frames));
  receive(CLIENT_PREFACE, settingsFrame(new Map()));
  const flushed = () => new Promise<void>((done) => nextTick(done));
  return { connection, receive, flushed, sent, told, streams };
}

function asks(id: number, flags: number = Flag.endHeaders): Buffer {
  return frame(FrameType.headers, flags, id, BLOCK);
}

function data(id: number, text: string, flags = 0): Buffer {
  return frame(FrameType.data, flags, id, Buffer.from(text));
}

test('a CONTINUATION of another stream than the one whose block is open ends the connection', async () => {
  const { receive, flushed, sent, told } = serve();
  receive(asks(1, 0), frame(FrameType.continuation, Flag.endHeaders, 3, BLOCK));
  await flushed();
  assert.deepEqual([sent, told], [['end protocol'], []]);
});

test('any other frame between the frames of a block ends the connection', async () => {
  const { receive, flushed, sent, told } = serve();
  receive(asks(1, 0), data(1, 'x'));
  await flushed();
  assert.deepEqual([sent, told], [['end protocol'], []]);
});

test('a block that its own CONTINUATION ends is a request', async () => {
  const { receive, flushed, sent, told } = serve();
  receive(asks(1, 0), frame(FrameType.continuation, Flag.endHeaders, 1, BLOCK));
  await flushed();
  assert.deepEqual([sent, told], [[], ['1 asked']]);
});

test('DATA on a stream that has ended resets it, and its user loses it once', async () => {
  const { connection, receive, flushed, sent, told } = serve();
  receive(asks(1, ENDS), data(1, 'late'), data(1, 'later'), asks(3));
  await flushed();
  assert.deepEqual(told, ['1 asked', '1 ended', '1 lost streamClosed', '3 asked']);
  assert.deepEqual(sent, ['reset 1 streamClosed']);
  assert.equal(connection.size, 1, 'the stream is gone');
});

for (const [what, late] of [
  ['WINDOW_UPDATE', numberFrame(FrameType.windowUpdate, 9, 1)],
  ['DATA', data(9, 'x')],
  ['RST_STREAM', numberFrame(FrameType.rstStream, 9, Http2Error.cancel)],
] as const) {
  test(`${what} on a stream that was never opened ends the connection`, async () => {
    const { receive, flushed, sent } = serve();
    receive(asks(1), late);
    await flushed();
    assert.deepEqual(sent, ['end protocol']);
  });
}

test('WINDOW_UPDATE on a stream that has closed is passed over', async () => {
  const { connection, receive, flushed, sent } = serve();
  receive(asks(1), numberFrame(FrameType.rstStream, 1, 8), numberFrame(FrameType.windowUpdate, 1, 1));
  await flushed();
  assert.deepEqual([sent, connection.isOver], [[], false]);
});

const burst = HTTP2_LIMITS.futileBurst + 10;

for (const [what, late] of [
  ['header blocks', () => asks(1, ENDS)],
  ['DATA of a byte', () => data(1, 'x')],
  [
    'DATA of nothing but padding',
    () => frame(FrameType.data, Flag.padded, 1, Buffer.from([100, ...Array(100).fill(0)])),
  ],
] as const) {
  test(`${what} for a stream that was reset: so much serves nothing that the connection ends`, async () => {
    const { connection, receive, streams, flushed, sent } = serve();
    receive(asks(1));
    streams[0]!.reset(Http2Error.cancel);
    for (let at = 0; at < 100; at += 1) receive(late());
    assert.equal(connection.isOver, false, 'a few may be under way');
    for (let at = 0; at < burst; at += 1) receive(late());
    await flushed();
    assert.deepEqual(sent, ['reset 1 cancel', 'end enhanceYourCalm']);
  });
}

test('a window of DATA that was under way when its stream was reset ends nothing', async () => {
  const { connection, receive, streams, flushed, sent } = serve();
  receive(asks(1));
  streams[0]!.reset(Http2Error.cancel);
  for (let at = 0; at < 1024; at += 1) receive(data(1, 'x'.repeat(1024)));
  receive(asks(3));
  await flushed();
  assert.deepEqual([sent, connection.isOver, streams.length], [['reset 1 cancel'], false, 2]);
});

test('small DATA of one read comes in one piece, in its place before the end', async () => {
  const { receive, told } = serve();
  receive(
    asks(1),
    data(1, 'a'),
    asks(3),
    data(1, 'b'),
    data(3, 'x', Flag.endStream),
    data(1, 'c', Flag.endStream),
  );
  assert.deepEqual(told, ['1 asked', '3 asked', '1 data abc', '1 ended', '3 data x', '3 ended']);
});

test('small DATA behind a reset, or behind what ends the connection, was taken before', async () => {
  const reset = serve();
  reset.receive(asks(1), data(1, 'a'), numberFrame(FrameType.rstStream, 1, Http2Error.cancel));
  assert.deepEqual(reset.told, ['1 asked', '1 data a', '1 lost cancel']);
  const ended = serve();
  ended.receive(asks(1), data(1, 'a'), data(9, 'x'));
  assert.deepEqual(ended.told, ['1 asked', '1 data a', '1 lost cancel']);
});

test('small DATA for a stream that is paused at the end of its read waits, and comes when it goes on', async () => {
  const { receive, told, streams, flushed } = serve();
  receive(asks(1));
  receive(data(1, 'a'));
  streams[0]!.pause();
  receive(data(1, 'b'), data(1, 'c'));
  assert.deepEqual(told, ['1 asked', '1 data a']);
  streams[0]!.resume();
  await flushed();
  assert.deepEqual(told, ['1 asked', '1 data a', '1 data bc']);
});

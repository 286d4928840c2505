import assert from 'node:assert/strict';
import { nextTick } from 'node:process';
import { test } from 'node:test';
import type { HeaderField } from '@underpass/wire/http2';
import { Http2Stream, NO_TRAILERS, type StreamOwner } from './stream.ts';

const owner: StreamOwner = {
  room: 0,
  isBlocked: false,
  sendHeaders() {},
  sendData() {},
  sendReset() {},
  sendCredit() {},
  taken() {},
  holds: (stream) => stream.deliver(),
  waits() {},
  over() {},
};

test('what came while nobody read is delivered in a turn of its own, in order, and not when it is paused again', async () => {
  const stream = new Http2Stream(owner, 1, 1000, 1000);
  const heard: string[] = [];
  stream.user = {
    headers() {},
    data: (bytes) => void heard.push(bytes.toString()),
    ended: () => void heard.push('end'),
    drained() {},
    lost() {},
  };
  stream.pause();
  stream.received(Buffer.from('one'), 3);
  stream.receivedEnd(NO_TRAILERS);
  stream.resume();
  assert.deepEqual(heard, []);
  stream.pause();
  await new Promise<void>((done) => nextTick(done));
  assert.deepEqual(heard, []);
  stream.resume();
  await new Promise<void>((done) => nextTick(done));
  assert.deepEqual(heard, ['one', 'end']);
});

/** A connection whose transport is full until `isBlocked` is false. */
function blocked() {
  const sent: string[] = [];
  const transport = {
    ...owner,
    isBlocked: true,
    get room(): number {
      return this.isBlocked ? 0 : 1000;
    },
    sendHeaders: (_id: number, fields: Iterable<HeaderField>, ends: boolean) => {
      for (const { name, value } of fields) sent.push(`${name}=${value}${ends ? ' end' : ''}`);
    },
    sendData: (_id: number, bytes: Buffer, ends: boolean) => void sent.push(`${bytes}${ends ? ' end' : ''}`),
    over: () => void sent.push('over'),
  };
  const stream = new Http2Stream(transport, 1, 1000, 1000);
  stream.receivedEnd(NO_TRAILERS);
  const send = (): void => {
    transport.isBlocked = false;
    while (stream.sendOne());
    stream.drained();
  };
  return { stream, sent, send };
}

const OK = [{ name: ':status', value: '200' }];

test('an answer whose head cannot go out is not over, and what follows comes behind it', () => {
  const { stream, sent, send } = blocked();
  stream.sendHeaders([{ name: ':status', value: '103' }], false);
  stream.sendHeaders(OK, false);
  assert.equal(stream.write(Buffer.from('body')), false);
  stream.end([{ name: 'trailer', value: 'a' }]);
  assert.deepEqual(sent, []);
  assert.ok(stream.isBlocked && !stream.isClosed);
  send();
  assert.deepEqual(sent, [':status=103', ':status=200', 'body', 'trailer=a end', 'over']);
});

test('an answer without a body ends with its head, or behind it', () => {
  const whole = blocked();
  whole.stream.sendHeaders(OK, true);
  assert.equal(whole.stream.isClosed, false);
  whole.send();
  assert.deepEqual(whole.sent, [':status=200 end', 'over']);
  const later = blocked();
  later.stream.sendHeaders(OK, false);
  later.stream.end();
  later.send();
  assert.deepEqual(later.sent, [':status=200', ' end', 'over']);
});

test('of a stream that is reset nothing goes out any more', () => {
  const { stream, sent, send } = blocked();
  stream.sendHeaders(OK, false);
  stream.end();
  stream.ended(0);
  send();
  assert.deepEqual(sent, ['over']);
});

test('single bytes that wait are joined, and go out in few frames', () => {
  let isOpen = false;
  const sent: Buffer[] = [];
  const transport = {
    ...owner,
    get room(): number {
      return isOpen ? 1_000_000 : 0;
    },
    sendData: (_id: number, bytes: Buffer) => void sent.push(bytes),
  };
  const stream = new Http2Stream(transport, 1, 1000, 1_000_000);
  for (let at = 0; at < 20_000; at += 1) stream.write(Buffer.from([at & 0xff]));
  isOpen = true;
  while (stream.sendOne());
  assert.ok(sent.length < 10, `${sent.length} frames`);
  const all = Buffer.concat(sent);
  assert.equal(all.length, 20_000);
  assert.ok(all.every((byte, at) => byte === (at & 0xff)));
});

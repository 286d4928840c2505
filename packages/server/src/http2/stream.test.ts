import assert from 'node:assert/strict';
import { nextTick } from 'node:process';
import { test } from 'node:test';
import { Http2Stream, NO_TRAILERS, type StreamOwner } from './stream.ts';

const owner: StreamOwner = {
  room: 0,
  sendHeaders() {},
  sendData() {},
  sendReset() {},
  sendCredit() {},
  taken() {},
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

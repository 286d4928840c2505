import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MuxStream } from '@underpass/wire';
import { standsStill } from '../stands-still.fixture.ts';
import { byHand, get, NAME, startTestServer } from './test-server.fixture.ts';

const TOTAL = 48 * 1024 * 1024;
const PIECE = Buffer.alloc(256 * 1024, 'a');

test('a download waits for a slow visitor, which holds up nobody else, and comes complete', async (t) => {
  let produced = 0;
  const produce = (stream: MuxStream): void => {
    while (produced < TOTAL) {
      produced += PIECE.length;
      if (!stream.write(PIECE)) return;
    }
  };
  const testServer = await startTestServer(t, (stream) => {
    stream.handler = {
      data(chunk) {
        if (chunk.toString('latin1').includes('/small')) {
          stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
          return;
        }
        stream.write(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${TOTAL}\r\n\r\n`));
        produce(stream);
      },
      end() {},
      drain: () => produce(stream),
      close() {},
    };
  });
  const slow = await testServer.connect();
  slow.socket.pause();
  slow.send(get('/large'));
  await standsStill(() => produced);
  assert.ok(
    produced > 0 && produced < TOTAL / 2,
    `${produced} bytes were taken for a visitor that reads none`,
  );
  const other = await testServer.connect();
  other.send(get('/small'));
  assert.equal((await other.answer()).body, 'ok');
  slow.socket.resume();
  assert.equal((await slow.answer()).body.length, TOTAL);
  slow.send(get('/small'));
  assert.equal((await slow.answer()).body, 'ok');
});

test('an upload waits for a slow upstream, for minutes, holds up nobody else, and comes complete', async (t) => {
  let received = 0;
  let upstream = null as MuxStream | null;
  const testServer = await startTestServer(t, (stream) => {
    stream.handler = {
      data(chunk) {
        if (chunk.toString('latin1').startsWith('GET /small')) {
          stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
          return;
        }
        const isFirst = upstream === null;
        if (isFirst) stream.pause();
        upstream = stream;
        const head = isFirst ? chunk.indexOf('\r\n\r\n') + 4 : 0;
        received += chunk.length - head;
        if (received === TOTAL)
          stream.write(Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok'));
      },
      end() {},
      drain() {},
      close() {},
    };
  });
  const client = await testServer.connect();
  client.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: ${TOTAL}\r\n\r\n`);
  for (let i = 0; i < TOTAL; i += PIECE.length) client.send(PIECE);
  await standsStill(() => client.socket.writableLength);
  assert.ok(client.socket.writableLength > TOTAL / 2, 'the edge took more than it could pass on');
  const other = await testServer.connect();
  other.send(get('/small'));
  assert.equal((await other.answer()).body, 'ok');
  other.socket.destroy();
  for (let i = 0; i < 9; i += 1) testServer.pass(30_000);
  upstream!.resume();
  const answer = await client.answer();
  assert.equal(answer.status, 201);
  assert.equal(received, TOTAL);
  client.socket.destroy();
});

test('pipelined requests wait while an answer is under way, unread', async (t) => {
  let answer = (): void => {};
  const testServer = await startTestServer(
    t,
    byHand((stream) => {
      answer = () => stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    }),
  );
  const client = await testServer.connect();
  client.send(get('/first'));
  const request = get('/next', `X-Padding: ${'a'.repeat(1000)}\r\n`);
  const count = 40_000;
  for (let i = 0; i < count / 400; i += 1) client.send(request.repeat(400));
  await standsStill(() => client.socket.writableLength);
  assert.ok(client.socket.writableLength > (count * request.length) / 2);
  answer();
  assert.equal((await client.answer()).body, 'ok');
  client.socket.destroy();
});

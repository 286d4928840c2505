import assert from 'node:assert/strict';
import { test } from 'node:test';
import { maxPasses } from './loops.ts';
import { always, byHand, get, startTestServer } from './test-server.fixture.ts';

const marks = (count: number) => `${Array(count).fill('shared.test').join(', ')}`;

test('a request that has been here too often is refused, wherever its marks stand and however they are written', async (t) => {
  const testServer = await startTestServer(t, always('HTTP/1.1 204 No Content\r\n\r\n'));
  const most = maxPasses - 1;
  for (const [headers, status] of [
    ['', 204],
    [`CDN-Loop: ${marks(most)}\r\n`, 204],
    [`CDN-Loop: ${marks(most + 1)}\r\n`, 508],
    [`CDN-Loop: other.example; a=b, ${marks(most)}\r\nX: y\r\ncdn-loop: other.example\r\n`, 204],
    [`CDN-Loop: ${marks(most)}\r\nX: y\r\ncdn-loop: Shared.Test;passes=1\r\n`, 508],
    [`Connection: cdn-loop\r\nCDN-Loop: ${marks(most + 1)}\r\n`, 508],
    [`CDN-Loop: ${Array(99).fill('xshared.test, shared.test.example').join()}\r\n`, 204],
  ] as const) {
    const client = await testServer.connect();
    client.send(get('/', headers));
    const answer = await client.answer();
    assert.equal(answer.status, status, headers);
    if (status === 508) assert.equal(answer.headers.get('underpass-error-code'), 'ERR_TEST_60327');
    client.send(get('/', ''));
    assert.equal((await client.answer()).status, 204, 'the connection serves on');
  }
});

test('the marks of a request go on with one more, and no Connection field takes them away', async (t) => {
  let seen = '';
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      seen = soFar;
      stream.write(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'));
    }),
  );
  const client = await testServer.connect();
  client.send(get('/', 'Connection: CDN-Loop\r\nCDN-Loop: other.example, shared.test\r\n'));
  assert.equal((await client.answer()).status, 204);
  const found = seen.split('\r\n').filter((line) => /^cdn-loop:/i.test(line));
  assert.deepEqual(found, ['CDN-Loop: other.example, shared.test', 'CDN-Loop: shared.test']);
});

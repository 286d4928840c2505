import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, type MuxStream } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import { byHand, get, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

const ASK = 'Connection: keep-alive, Upgrade\r\nUpgrade: websocket\r\n';
const SWITCH =
  'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Accept: x\r\n\r\n';

/** Switches, then gives back in upper case what it gets, and ends when the visitor does. */
function echo(seen: { head?: string; stream?: MuxStream; closed?: ErrorCode }) {
  return (stream: MuxStream): void => {
    seen.stream = stream;
    stream.handler = {
      data(chunk) {
        const text = chunk.toString('latin1');
        if (seen.head === undefined) {
          const end = text.indexOf('\r\n\r\n') + 4;
          seen.head = text.slice(0, end);
          stream.write(Buffer.from(`${SWITCH}hello`));
          if (end < text.length) stream.write(Buffer.from(text.slice(end).toUpperCase()));
        } else {
          stream.write(Buffer.from(text.toUpperCase()));
        }
      },
      end() {
        stream.write(Buffer.from('bye'));
        stream.end();
      },
      drain() {},
      close(code) {
        seen.closed = code;
      },
    };
  };
}

test('an upgraded connection carries bytes both ways and each direction ends for itself', async (t) => {
  const seen: Parameters<typeof echo>[0] = {};
  const testServer = await startTestServer(t, echo(seen));
  const client = await testServer.connect({ allowHalfOpen: true } as never);
  client.send(`${get('/', ASK)}early`);
  const answer = await client.answer();
  assert.equal(answer.status, 101);
  assert.equal(answer.headers.get('connection'), 'Upgrade');
  assert.equal(answer.headers.get('upgrade'), 'WebSocket');
  assert.match(seen.head!, /\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n/);
  assert.equal(await client.takeBytes(10), 'helloEARLY');
  client.send('abc');
  assert.equal(await client.takeBytes(3), 'ABC');
  client.socket.end();
  assert.equal(await client.rest(), 'bye');
  await client.until(() => client.closed);
  await until(() => testServer.observed.length === 1);
  assert.equal(testServer.observed[0]!.status, 101);
});

test('a reset of an upgraded stream closes the visitor connection, and the other way round', async (t) => {
  const seen: Parameters<typeof echo>[0] = {};
  const testServer = await startTestServer(t, echo(seen));
  const client = await testServer.connect();
  client.send(get('/', ASK));
  await client.take('hello');
  seen.stream!.reset(ErrorCode.streamReset);
  await client.until(() => client.closed);

  delete seen.head;
  delete seen.closed;
  const second = await testServer.connect();
  second.send(get('/', ASK));
  await second.take('hello');
  second.socket.destroy();
  await until(() => seen.closed !== undefined);
});

test('a refused upgrade leaves HTTP in force: the pipelined request goes through every check', async (t) => {
  const heads: string[] = [];
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      heads.push(soFar);
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    }),
  );
  const client = await testServer.connect();
  const smuggled = 'GET /admin HTTP/1.1\r\nHost: other.example.com\r\n\r\n';
  client.send(get('/', 'Connection: Upgrade\r\nUpgrade: foo\r\n') + smuggled);
  assert.equal((await client.answer()).body, 'ok');
  assert.equal((await client.answer()).status, 421);
  assert.equal(heads.length, 1);
});

test('a refused upgrade leaves HTTP in force: a changed route table applies to the pipelined request', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream) => {
      testServer.sites.set(NAME, siteOf(unservedBackend('', 'edgeWithoutBackend')));
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    }),
  );
  const client = await testServer.connect();
  client.send(get('/', ASK) + get('/admin'));
  assert.equal((await client.answer()).status, 200);
  assert.equal((await client.answer()).status, 503);
});

const unasked: [string, string][] = [
  ['Connection does not name it', 'Upgrade: websocket\r\n'],
  [
    'only HTTP/2 is asked for',
    'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\n',
  ],
  ['the upstream switches to something else', 'Connection: Upgrade\r\nUpgrade: foo, h2c\r\n'],
];
for (const [name, headers] of unasked) {
  test(`there is no switch when ${name}`, async (t) => {
    const seen: Parameters<typeof echo>[0] = {};
    const testServer = await startTestServer(t, echo(seen));
    const client = await testServer.connect();
    client.send(get('/', headers));
    const answer = await client.answer();
    assert.equal(answer.status, 502);
    assert.equal(answer.headers.get('underpass-error-code'), 'ERR_TEST_3004');
    assert.doesNotMatch(seen.head!, /h2c|HTTP2/i);
  });
}

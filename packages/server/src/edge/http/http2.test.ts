/** Visitors that speak HTTP/2: the same requests, answers and refusals as over HTTP/1.1. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import http2, { type OutgoingHttpHeaders } from 'node:http2';
import { test } from 'node:test';
import { type MuxStream, noopHandler } from '@underpass/wire';
import { until } from '../../../../../test/harness/until.ts';
import { answerOf, Http2Client } from './http2-client.fixture.ts';
import { always, byHand, fixedBackend, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

test('a request is answered, and the agent sees HTTP/1.1', async (t) => {
  let seen = '';
  const server = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (!soFar.endsWith('\r\n\r\n')) return;
      seen = soFar;
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nX-Mixed: Case\r\nContent-Length: 5\r\n\r\nhello'));
    }),
  );
  const client = await Http2Client.open(t, server.port);
  const answer = await client.ask({
    ':path': '/a?b',
    cookie: ['a=1', 'b=2'],
    'x-one': 'two',
    te: 'trailers',
  });
  assert.equal(answer.status, 200);
  assert.equal(answer.body, 'hello');
  assert.equal(answer.headers['x-mixed'], 'Case');
  assert.deepEqual(seen.split('\r\n'), [
    'GET /a?b HTTP/1.1',
    `Host: ${NAME}`,
    'x-one: two',
    'cookie: a=1; b=2',
    'X-Forwarded-For: 127.0.0.1',
    'X-Forwarded-Proto: https',
    `X-Forwarded-Host: ${NAME}`,
    'CDN-Loop: shared.test',
    'Connection: TE',
    'TE: trailers',
    '',
    '',
  ]);
});

test('many requests at a time on one connection each get their own answer', async (t) => {
  const server = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (!soFar.endsWith('\r\n\r\n')) return;
      const [, path = ''] = soFar.slice(soFar.lastIndexOf('GET ')).split(' ');
      stream.write(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`));
    }),
  );
  const client = await Http2Client.open(t, server.port);
  const paths = Array.from({ length: 300 }, (_, at) => `/${at}`);
  const answers = await Promise.all(paths.map((path) => client.ask({ ':path': path })));
  assert.deepEqual(
    answers.map(({ body }) => body),
    paths,
  );
});

test('bodies go on with their length, or in chunks with their trailers, and back', async (t) => {
  const seen: string[] = [];
  const server = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (!/\r\n\r\nsized$|0\r\nx-sum: 1\r\n\r\n$/.test(soFar)) return;
      seen.push(soFar.slice(soFar.lastIndexOf('CDN-Loop')));
      stream.write(
        Buffer.from(
          'HTTP/1.1 200 OK\r\nTrailer: X-End\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\nX-End: yes\r\n\r\n',
        ),
      );
    }),
  );
  const client = await Http2Client.open(t, server.port);
  const sized = await client.ask({ ':method': 'POST', 'content-length': 5 }, 'sized');
  assert.deepEqual([sized.body, sized.trailers['x-end'], sized.code], ['abcde', 'yes', 0]);
  const stream = client.session.request({ ':method': 'POST', ':authority': NAME }, {
    endStream: false,
    waitForTrailers: true,
  } as never);
  stream.on('wantTrailers', () =>
    stream.sendTrailers({ 'x-sum': '1', 'underpass-auth-user': 'x', 'x-rewrite-url': '/a' }),
  );
  stream.end('some');
  const chunked = await answerOf(stream);
  assert.equal(chunked.body, 'abcde');
  assert.deepEqual(seen, [
    'CDN-Loop: shared.test\r\n\r\nsized',
    'CDN-Loop: shared.test\r\n\r\n4\r\nsome\r\n0\r\nx-sum: 1\r\n\r\n',
  ]);
});

test('a configured answer and an error come over HTTP/2 as they are', async (t) => {
  const server = await startTestServer(t);
  server.sites.set(NAME, siteOf(fixedBackend('fixed', 418)));
  const client = await Http2Client.open(t, server.port);
  const reply = await client.ask({ ':path': '/' });
  assert.deepEqual([reply.status, reply.body, reply.headers['x-made']], [418, 'fixed', 'here']);
  const head = await client.ask({ ':method': 'HEAD' });
  assert.deepEqual([head.status, head.body, head.headers['content-length']], [418, '', '5']);
  server.sites.delete(NAME);
  const error = await client.ask({ ':path': '/' });
  assert.equal(error.status, 404);
  assert.match(String(error.headers['underpass-error-code']), /^ERR_TEST_/);
  assert.deepEqual(
    server.observed.map(({ status }) => status),
    [418, 418, 404],
  );
});

test('a browser is told for which name its connection is good, though the certificate has others, and no other program', async (t) => {
  const server = await startTestServer(t);
  server.sites.set(NAME, siteOf(fixedBackend('fixed', 200)));
  const told = async (agent: OutgoingHttpHeaders): Promise<unknown[]> => {
    const client = await Http2Client.open(t, server.port);
    const origins: unknown[] = [];
    client.session.on('origin', (list) => origins.push(list));
    for (let request = 0; request < 2; request += 1) assert.equal((await client.ask(agent)).status, 200);
    return origins;
  };
  const browser = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  assert.deepEqual(await told(browser), [[`https://${NAME}`, `https://${NAME}:8443`]]);
  for (const agent of [{ 'user-agent': 'Go-http-client/2.0' }, {}]) assert.deepEqual(await told(agent), []);
});

test('another name than that of the connection gets 421', async (t) => {
  const server = await startTestServer(t, always('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  const client = await Http2Client.open(t, server.port);
  const other = await client.ask({ ':authority': 'other.example.com' });
  assert.equal(other.status, 421);
  assert.equal((await client.ask({ ':path': '/' })).status, 200);
});

test('a WebSocket over HTTP/2 is one of HTTP/1.1 for the agent, and its bytes go both ways', async (t) => {
  let head = '';
  const server = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (head !== '') {
        if (soFar.endsWith('!')) stream.write(Buffer.from('echo of much'));
        return;
      }
      if (!soFar.endsWith('\r\n\r\n')) return;
      head = soFar;
      const key = /sec-websocket-key: (\S+)/i.exec(soFar)![1]!;
      stream.write(
        Buffer.from(
          `HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${acceptOf(key)}\r\n\r\n`,
        ),
      );
    }),
  );
  const client = await Http2Client.open(t, server.port);
  const stream = client.request(
    {
      ':method': 'CONNECT',
      ':protocol': 'websocket',
      ':scheme': 'https',
      ':path': '/chat',
      'sec-websocket-version': '13',
    },
    false,
  );
  stream.write('too soon');
  const [headers] = await once(stream, 'response');
  assert.equal(headers[':status'], 200);
  assert.match(head, /^GET \/chat HTTP\/1\.1\r\n.*\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n$/s);
  stream.write('!');
  const [chunk] = await once(stream, 'data');
  assert.equal(String(chunk), 'echo of much');
});

for (const [what, visitorEnds, serviceEnds] of [
  ['the visitor ends and the service does not', true, false],
  ['the service ends and the visitor does not', false, true],
  ['both end', true, true],
] as const) {
  test(`a WebSocket over HTTP/2 of which ${what} leaves nothing`, async (t) => {
    const streams: MuxStream[] = [];
    const server = await startTestServer(
      t,
      byHand((stream, soFar) => {
        streams.push(stream);
        const key = /sec-websocket-key: (\S+)/i.exec(soFar)![1]!;
        const accept = `Sec-WebSocket-Accept: ${acceptOf(key)}`;
        stream.write(
          Buffer.from(`HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${accept}\r\n\r\n`),
        );
      }),
    );
    const session = server.agents[0]!.agentSession;
    const client = await Http2Client.open(t, server.port);
    const stream = client.request(
      { ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https', ':path': '/' },
      false,
    );
    await once(stream, 'response');
    stream.on('error', () => {}).resume();
    const ended = Promise.withResolvers<void>();
    streams[0]!.handler = { ...streams[0]!.handler, end: ended.resolve };
    if (serviceEnds) {
      streams[0]!.end();
      await once(stream, 'end');
    }
    if (visitorEnds) {
      stream.end();
      await ended.promise;
    }
    // Nothing that both have ended waits for a deadline.
    if (!visitorEnds || !serviceEnds) server.pass(6_000);
    await until(() => session.streamCount === 0 && server.observed.length === 1);
    assert.equal(server.agents[0]!.tunnel.outstanding, 0);
    assert.equal(server.observed[0]!.status, 101);
    // As any connection without a request.
    server.pass(76_000);
    await until(() => server.edge.connections === 0);
  });
}

test('a WebSocket that is answered with another key than its own is not opened', async (t) => {
  const server = await startTestServer(
    t,
    always(
      `HTTP/1.1 101 X\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${acceptOf('other')}\r\n\r\n`,
    ),
  );
  const client = await Http2Client.open(t, server.port);
  const stream = client.request(
    { ':method': 'CONNECT', ':protocol': 'websocket', ':scheme': 'https', ':path': '/' },
    false,
  );
  const { status, code } = await answerOf(stream);
  assert.deepEqual([status, code], [0, http2.constants.NGHTTP2_INTERNAL_ERROR]);
});

test('a body that is shorter or longer than it says gets a response, and ends its stream alone', async (t) => {
  const server = await startTestServer(
    t,
    byHand(() => {}),
  );
  const client = await Http2Client.open(t, server.port);
  for (const body of ['shor', 'longer']) {
    const { status, body: said } = await client.ask({ ':method': 'POST', 'content-length': 5 }, body);
    assert.equal(status, 400, body);
    assert.match(said, /ERR_TEST_60792/);
  }
  server.sites.set(NAME, siteOf(fixedBackend('still here')));
  assert.equal((await client.ask({})).body, 'still here');
});

test('an upload waits for a slow upstream, and other requests do not', async (t) => {
  let paused: MuxStream | null = null;
  let received = 0;
  const server = await startTestServer(t, (stream) => {
    stream.handler = {
      ...noopHandler,
      data(chunk) {
        if (chunk.toString('latin1').startsWith('GET')) {
          stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
          return;
        }
        received += chunk.length;
        if (paused === null) stream.pause();
        paused = stream;
      },
    };
  });
  const client = await Http2Client.open(t, server.port);
  const upload = client.request({ ':method': 'POST' }, false);
  const size = 8 * 1024 * 1024;
  upload.end(Buffer.alloc(size));
  while ((await client.ask({})).body === 'ok' && paused === null);
  assert.ok(received < size / 2, `${received} bytes went on although nobody took them`);
  paused!.resume();
  await until(() => received > size);
  upload.close();
});

test('three uploads that are not read do not delay a fourth one', async (t) => {
  const stalled: MuxStream[] = [];
  const server = await startTestServer(t, (stream) => {
    let soFar = '';
    stream.handler = {
      ...noopHandler,
      data(chunk) {
        soFar += chunk.toString('latin1');
        if (soFar.startsWith('POST /stalled')) {
          stream.pause();
          stalled.push(stream);
        } else if (soFar.endsWith('0\r\n\r\n')) {
          stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
          soFar = '';
        }
      },
    };
  });
  const client = await Http2Client.open(t, server.port);
  const uploads = [1, 2, 3].map(() => client.request({ ':method': 'POST', ':path': '/stalled' }, false));
  for (const upload of uploads) upload.end(Buffer.alloc(1024 * 1024));
  await until(() => stalled.length === 3);
  for (let i = 0; i < 5; i++) {
    const body = 'x'.repeat(100_000);
    assert.equal((await client.ask({ ':method': 'POST', ':path': '/taken' }, body)).body, 'ok');
  }
  for (const upload of uploads) upload.close();
});

test('a slow reader of one answer keeps no other one waiting, and not all of it is read from the upstream', async (t) => {
  const size = 6 * 1024 * 1024;
  let written = 0;
  const server = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (!soFar.endsWith('\r\n\r\n')) return;
      if (soFar.includes('GET /small')) {
        stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
        return;
      }
      stream.write(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n`));
      const more = (): void => {
        while (written < size) {
          written += 65_536;
          if (!stream.write(Buffer.alloc(65_536))) return;
        }
      };
      stream.handler = { ...stream.handler, drain: more };
      more();
    }),
  );
  const client = await Http2Client.open(t, server.port);
  const large = client.request({ ':path': '/large' });
  await once(large, 'response');
  for (let i = 0; i < 20; i += 1) assert.equal((await client.ask({ ':path': '/small' })).body, 'ok');
  assert.ok(written < size / 2, `${written} bytes were read for somebody who takes none`);
  let got = 0;
  large.on('data', (chunk: Buffer) => {
    got += chunk.length;
  });
  await once(large, 'end');
  assert.equal(got, size);
});

test('a visitor that takes nothing of an answer for two minutes loses that stream alone', async (t) => {
  const server = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (!soFar.endsWith('\r\n\r\n')) return;
      const size = soFar.includes('/large') ? 1024 * 1024 : 2;
      stream.write(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${size}\r\n\r\n${'x'.repeat(size)}`));
    }),
  );
  const client = await Http2Client.open(t, server.port);
  const large = client.request({ ':path': '/large' });
  await once(large, 'response');
  assert.equal((await client.ask({ ':path': '/small' })).body, 'xx');
  server.pass(121_000);
  const { code } = await answerOf(large);
  assert.equal(code, http2.constants.NGHTTP2_INTERNAL_ERROR);
  assert.equal((await client.ask({ ':path': '/small' })).body, 'xx');
});

test('a drained connection takes no further requests, and those under way end well', async (t) => {
  let finish: (() => void) | null = null;
  const server = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (!soFar.endsWith('\r\n\r\n')) return;
      finish = () => stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    }),
  );
  const client = await Http2Client.open(t, server.port);
  const answer = client.ask({});
  await until(() => finish !== null);
  const goneAway = once(client.session, 'goaway');
  const closing = server.edge.close(60_000);
  assert.deepEqual((await goneAway)[0], http2.constants.NGHTTP2_NO_ERROR);
  finish!();
  assert.equal((await answer).body, 'ok');
  await closing;
});

function acceptOf(key: string): string {
  return createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
}

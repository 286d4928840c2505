import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { unservedBackend } from '../backends/unserved-backend.ts';
import type { Recorded } from '../sites/exchange-record.ts';
import { always, byHand, fixedBackend, get, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

test('a request goes through the tunnel and its answer comes back', async (t) => {
  const testServer = await startTestServer(t);
  const client = await testServer.connect();
  client.send(get());
  const answer = await client.answer();
  assert.equal(answer.status, 200);
  assert.equal(answer.body, 'ok');
  assert.equal(testServer.agents[0]!.opened[0]!.proto, 'https');
  assert.equal(testServer.agents[0]!.opened[0]!.clientAddr, `127.0.0.1:${client.socket.localPort}`);
  assert.deepEqual(
    testServer.observed.map(({ site, status, path }) => [site, status, path]),
    [['ep_test', 200, '/']],
  );
});

test('a request is recorded as far as its account has subscribers, and with its fields if it failed', async (t) => {
  let grade: Recorded = 'outcome';
  const testServer = await startTestServer(t, undefined, { recorded: () => grade });
  const client = await testServer.connect();
  for (grade of ['outcome', 'line', 'heads'] as const) {
    client.send(get(`/as-${grade}?b=1`));
    await client.answer();
  }
  grade = 'outcome';
  testServer.sites.set(NAME, siteOf(unservedBackend('', 'edgeWithoutBackend')));
  client.send(get('/wrong?a=1'));
  await client.answer();
  assert.deepEqual(
    testServer.observed.map(({ status, method, path, query, heads }) => [
      ...[status, method, path, query],
      heads?.request,
    ]),
    [
      [200, '', '', '', undefined],
      [200, 'GET', '/as-line', 'b=1', undefined],
      [200, 'GET', '/as-heads', 'b=1', get('/as-heads?b=1')],
      [503, 'GET', '/wrong', 'a=1', undefined],
    ],
  );
});

test('an error response of the upstream is recorded with its line for an account without subscribers', async (t) => {
  const respond = always('HTTP/1.1 404 Not Found\r\nContent-Length: 2\r\n\r\nno');
  const testServer = await startTestServer(t, respond, { recorded: () => 'outcome' });
  const client = await testServer.connect();
  client.send(get('/not-here?a=1'));
  await client.answer();
  assert.deepEqual(
    testServer.observed.map(({ status, method, path, query, error }) => [status, method, path, query, error]),
    [[404, 'GET', '/not-here', 'a=1', null]],
  );
});

test('a request that cannot be read, or names somebody else, is recorded for the site that it was sent to', async (t) => {
  const testServer = await startTestServer(t);
  const bad = ['Host : x', `Host: other.${NAME}`, `Host: ${NAME}\r\nContent-Length: 1, 2`];
  for (const fields of bad) (await testServer.connect()).send(`GET / HTTP/1.1\r\n${fields}\r\n\r\n`);
  await until(() => testServer.observed.length === bad.length);
  const { id, account } = testServer.sites.get(NAME)!;
  assert.notEqual(id, '');
  assert.deepEqual(
    testServer.observed.map((record) => [record.site, record.account, record.route]),
    bad.map(() => [id, account, '']),
  );
});

test('requests one after another share the visitor connection and the stream to the agent', async (t) => {
  const testServer = await startTestServer(t);
  const client = await testServer.connect();
  for (let i = 0; i < 5; i += 1) {
    client.send(get(`/${i}`));
    assert.equal((await client.answer()).body, 'ok');
  }
  assert.equal(testServer.agents[0]!.opened.length, 1);
});

test('pipelined requests are answered in their order, one at a time', async (t) => {
  let atOnce = 0;
  let answered = 0;
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      const heads = soFar.split('\r\n\r\n').slice(0, -1);
      atOnce = Math.max(atOnce, heads.length - answered);
      const path = heads.at(-1)!.split(' ')[1]!;
      setImmediate(() => {
        answered += 1;
        stream.write(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`));
      });
    }),
  );
  const client = await testServer.connect();
  client.send(get('/1') + get('/2') + get('/3') + get('/4'));
  for (const path of ['/1', '/2', '/3', '/4']) assert.equal((await client.answer()).body, path);
  assert.equal(atOnce, 1);
});

test('a fixed response is given to every request, and to HEAD without its body', async (t) => {
  const testServer = await startTestServer(t, undefined, { backend: fixedBackend('hello') });
  const client = await testServer.connect();
  client.send(`${get()}HEAD / HTTP/1.1\r\nHost: ${NAME}\r\n\r\n${get()}`);
  const first = await client.answer();
  assert.equal(first.body, 'hello');
  assert.equal(first.headers.get('x-made'), 'here');
  const second = await client.answer(true);
  assert.equal(second.headers.get('content-length'), '5');
  assert.equal((await client.answer()).body, 'hello');
});

test('a fixed 204 has neither body nor length', async (t) => {
  const testServer = await startTestServer(t, undefined, { backend: fixedBackend('', 204) });
  const client = await testServer.connect();
  client.send(get() + get());
  const answer = await client.answer();
  assert.equal(answer.status, 204);
  assert.equal(answer.headers.has('content-length'), false);
  assert.equal((await client.answer()).status, 204);
});

test('a fixed 205 has no body, and says so', async (t) => {
  const testServer = await startTestServer(t, undefined, { backend: fixedBackend('hello', 205) });
  const client = await testServer.connect();
  client.send(get() + get());
  const answer = await client.answer();
  assert.deepEqual([answer.status, answer.headers.get('content-length')], [205, '0']);
  assert.equal((await client.answer()).status, 205);
});

test('thousands of pipelined requests for a fixed response are all answered', async (t) => {
  const testServer = await startTestServer(t, undefined, { backend: fixedBackend('x'.repeat(100)) });
  const client = await testServer.connect();
  client.send(get().repeat(3000));
  for (let i = 0; i < 3000; i += 1) assert.equal((await client.answer()).status, 200);
});

test('a body that a fixed response does not want, and that never comes, ends the connection', async (t) => {
  const testServer = await startTestServer(t, undefined, { backend: fixedBackend('hello') });
  const client = await testServer.connect();
  client.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 9\r\n\r\n`);
  assert.equal((await client.answer()).body, 'hello');
  testServer.pass(61_000);
  assert.equal(await client.rest(), '');
});

test('a small body that a fixed response does not want is skipped, a large one closes the connection', async (t) => {
  const testServer = await startTestServer(t, undefined, { backend: fixedBackend('hello') });
  const client = await testServer.connect();
  client.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 10\r\n\r\n01234`);
  assert.equal((await client.answer()).headers.has('connection'), false);
  client.send(`56789${get()}`);
  assert.equal((await client.answer()).body, 'hello');
  client.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 1000000\r\n\r\n`);
  assert.equal((await client.answer()).headers.get('connection'), 'close');
  client.send('x'.repeat(100_000));
  assert.equal(await client.rest(), '');
});

test('answers without a body end at their head: HEAD, 204, 304', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      const head = soFar.split('\r\n\r\n').at(-2)!;
      const status = head.includes('/204')
        ? '204 No Content'
        : head.includes('/304')
          ? '304 Not Modified'
          : '200 OK';
      const length = head.includes('/204') ? '' : 'Content-Length: 100\r\n';
      stream.write(Buffer.from(`HTTP/1.1 ${status}\r\n${length}ETag: "a"\r\n\r\n`));
    }),
  );
  const client = await testServer.connect();
  client.send(`HEAD / HTTP/1.1\r\nHost: ${NAME}\r\n\r\n`);
  assert.equal((await client.answer(true)).headers.get('content-length'), '100');
  client.send(get('/204'));
  assert.equal((await client.answer()).status, 204);
  client.send(get('/304'));
  assert.equal((await client.answer()).headers.get('content-length'), '100');
  assert.equal(testServer.agents[0]!.opened.length, 1);
});

test('a chunked answer keeps its chunks and trailers; extensions are left out', async (t) => {
  const testServer = await startTestServer(
    t,
    always(
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n5;a=b\r\nhello\r\n006\r\n world\r\n0\r\nX-Sum: 1\r\n\r\n',
    ),
  );
  const client = await testServer.connect();
  for (let i = 0; i < 2; i += 1) {
    client.send(get('/', 'TE: trailers\r\nConnection: TE\r\n'));
    const answer = await client.answer();
    assert.equal(answer.body, 'hello world');
    assert.equal(answer.trailers, 'X-Sum: 1\r\n');
    assert.equal(answer.headers.get('trailer'), 'X-Sum');
  }
  assert.equal(testServer.agents[0]!.opened.length, 1);
});

test('an answer that ends with its connection becomes a chunked one, and the visitor connection lives on', async (t) => {
  for (const version of ['1.0', '1.1']) {
    const testServer = await startTestServer(
      t,
      byHand((stream, soFar) => {
        if (!soFar.endsWith('\r\n\r\n')) return;
        stream.write(Buffer.from(`HTTP/${version} 200 OK\r\nX-A: b\r\n\r\nfirst,`));
        setImmediate(() => {
          stream.write(Buffer.from('second'));
          stream.end();
        });
      }),
    );
    const client = await testServer.connect();
    for (let i = 0; i < 2; i += 1) {
      client.send(get());
      const answer = await client.answer();
      assert.equal(answer.body, 'first,second');
      assert.equal(answer.headers.get('x-a'), 'b');
    }
    assert.equal(testServer.agents[0]!.opened.length, 2);
  }
});

test('an HTTP/1.0 answer with a length is passed on as HTTP/1.1', async (t) => {
  const testServer = await startTestServer(t, always('HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  const client = await testServer.connect();
  client.send(get() + get());
  assert.equal((await client.answer()).body, 'ok');
  assert.equal((await client.answer()).body, 'ok');
  assert.equal(testServer.agents[0]!.opened.length, 2);
});

test('Expect: 100-continue goes to the upstream, whose 100 comes back before the body is sent', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (soFar.endsWith('\r\n\r\n')) {
        assert.match(soFar, /\r\nExpect: 100-continue\r\n/);
        stream.write(Buffer.from('HTTP/1.1 100 Continue\r\n\r\n'));
      } else if (soFar.endsWith('body!')) {
        stream.write(Buffer.from('HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n'));
      }
    }),
  );
  const client = await testServer.connect();
  client.send(`PUT / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n`);
  assert.equal((await client.answer()).status, 100);
  client.send('body!');
  assert.equal((await client.answer()).status, 201);
});

test('interim responses are passed on before the final one', async (t) => {
  const testServer = await startTestServer(
    t,
    always(
      'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok',
    ),
  );
  const client = await testServer.connect();
  client.send(get());
  const hints = await client.answer();
  assert.equal(hints.status, 103);
  assert.equal(hints.headers.get('link'), '</a>');
  assert.equal((await client.answer()).status, 102);
  assert.equal((await client.answer()).body, 'ok');
});

test('endless interim responses are cut off', async (t) => {
  const testServer = await startTestServer(t, always('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(100)));
  const client = await testServer.connect();
  client.send(get());
  const all = await client.take('ERR_TEST_3004');
  assert.match(all, /HTTP\/1\.1 502 /);
});

test('each piece of a stream of events reaches the visitor before the next one is made', async (t) => {
  let more: (text: string) => void = () => {};
  const testServer = await startTestServer(
    t,
    byHand((stream) => {
      more = (text) => stream.write(Buffer.from(`${text.length.toString(16)}\r\n${text}\r\n`));
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
    }),
  );
  const client = await testServer.connect();
  client.send(get());
  await client.take('\r\n\r\n');
  for (let i = 0; i < 10; i += 1) {
    more(`data: ${i}\n\n`);
    await client.take(`data: ${i}\n\n`);
  }
});

test('an answer that comes while the request body is still on its way is passed on, then the connection closes', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      if (soFar.endsWith('first')) {
        stream.write(Buffer.from('HTTP/1.1 413 Too Large\r\nContent-Length: 3\r\n\r\nno!'));
      }
    }),
  );
  const client = await testServer.connect();
  client.send(`POST / HTTP/1.1\r\nHost: ${NAME}\r\nContent-Length: 5000000\r\n\r\nfirst`);
  const answer = await client.answer();
  assert.equal(answer.status, 413);
  assert.equal(answer.body, 'no!');
  assert.equal(answer.headers.get('connection'), 'close');
  client.send(get());
  assert.equal(await client.rest(), '');
});

test('Connection: close is honoured, and not passed on', async (t) => {
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      assert.doesNotMatch(soFar, /connection/i);
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    }),
  );
  const client = await testServer.connect();
  client.send(get('/', 'Connection: close\r\n') + get('/never'));
  const answer = await client.answer();
  assert.equal(answer.headers.get('connection'), 'close');
  assert.equal(await client.rest(), '');
});

test('a change of the route table applies to the next request of an open connection', async (t) => {
  const testServer = await startTestServer(t);
  const client = await testServer.connect();
  client.send(get());
  assert.equal((await client.answer()).body, 'ok');
  testServer.sites.set(NAME, siteOf(fixedBackend('changed')));
  client.send(get());
  assert.equal((await client.answer()).body, 'changed');
  testServer.sites.set(
    NAME,
    siteOf(
      fixedBackend('other TLS'),
      {},
      { tls: { key: 'k2', minVersion: 'TLSv1.3', clientAuthorities: null } },
    ),
  );
  client.send(get());
  assert.equal((await client.answer()).body, 'other TLS');
  testServer.sites.delete(NAME);
  client.send(get());
  const gone = await client.answer();
  assert.equal(gone.status, 404);
  assert.equal(gone.headers.get('underpass-error-code'), 'ERR_TEST_3200');
  assert.equal(await client.rest(), '');
});

test('a target that may not serve says why, and no backend is asked', async (t) => {
  const testServer = await startTestServer(t);
  testServer.sites.set(NAME, siteOf(fixedBackend('never'), { refusal: 'moduleWithoutEffect' }));
  const client = await testServer.connect();
  client.send(get('/', 'Accept: text/html\r\n'));
  const refused = await client.answer();
  assert.equal(refused.status, 503);
  assert.equal(refused.headers.get('underpass-error-code'), 'ERR_TEST_60200');
  assert.equal(refused.headers.get('content-type'), 'text/html; charset=utf-8');
  testServer.sites.set(NAME, siteOf(unservedBackend('', 'edgeWithoutBackend')));
  client.send(get());
  assert.equal((await client.answer()).headers.get('underpass-error-code'), 'ERR_TEST_6528');
});

test('a visitor that sends one byte at a time is understood', async (t) => {
  const testServer = await startTestServer(t);
  const client = await testServer.connect();
  const request = `POST /slow HTTP/1.1\r\nHost: ${NAME}\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n`;
  for (const byte of request + get()) client.send(byte);
  assert.equal((await client.answer()).status, 200);
  assert.equal((await client.answer()).status, 200);
});

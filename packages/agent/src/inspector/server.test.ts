/** The inspector's API, and who it does not answer: pages of other sites, by rebinding or with a forged request. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { request as ask, createServer } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { missingPrograms } from '../../../../test/harness/missing.ts';
import { inTime } from '../../../../test/harness/until.ts';
import { warningsOf } from '../../../../test/harness/warnings.ts';
import type { ExchangeDetails, ExchangesEvent, StatusView } from './api-types.ts';
import { echo, type Inspected, inspect, request } from './inspector.fixture.ts';
import { serveInspector } from './server.ts';

const skip = missingPrograms('curl');

const run = (command: string) => promisify(execFile)('sh', ['-c', command]);

/** Response of `echo`. */
interface Echo {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const echoed = async (response: Promise<Response>): Promise<Echo> => (await (await response).json()) as Echo;

/** The status of a request with any Host, because fetch does not let its caller choose the Host. */
function status(url: string, headers: Record<string, string>, method = 'GET'): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = ask(url, { method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', reject).end();
  });
}

test('a page that has its name point here gets nothing (rebinding)', async (t) => {
  const { server } = await inspect(t, echo);
  const { port } = new URL(server.url);
  const token = { 'X-Inspector-Token': server.token };
  for (const host of [
    `evil.test:${port}`,
    'evil.test',
    '127.0.0.1',
    `127.0.0.1:${Number(port) + 1}`,
    `a.localhost:${port}`,
  ])
    for (const path of ['/', '/api/status'])
      assert.equal(await status(server.url + path, { ...token, Host: host }), 403, `${host} ${path}`);
  for (const host of [`127.0.0.1:${port}`, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])
    assert.equal(await status(`${server.url}/api/status`, { ...token, Host: host }), 200, host);
});

test('a page of another site can neither read nor change anything (CSRF)', async (t) => {
  const { server, visit } = await inspect(t, echo);
  await visit(request('GET /a HTTP/1.1'));
  const token = { 'X-Inspector-Token': server.token };
  const tried: [string, string][] = [
    ['GET', '/api/exchanges'],
    ['GET', '/api/exchanges/1/response-body'],
    ['GET', '/api/events'],
    ['POST', '/api/exchanges/1/replay'],
    ['POST', '/api/har'],
    ['DELETE', '/api/exchanges'],
    ['OPTIONS', '/api/exchanges'],
  ];
  for (const [method, path] of tried) {
    const at = server.url + path;
    assert.equal(await status(at, {}, method), 403, `${method} ${path} without the token`);
    assert.equal(
      await status(at, { 'X-Inspector-Token': 'x' }, method),
      403,
      `${method} ${path} with a wrong one`,
    );
    for (const Origin of ['https://evil.test', 'null', server.url.replace('http:', 'https:')])
      assert.equal(await status(at, { ...token, Origin }, method), 403, `${method} ${path} from ${Origin}`);
    for (const site of ['cross-site', 'same-site'])
      assert.equal(
        await status(at, { ...token, 'Sec-Fetch-Site': site }, method),
        403,
        `${method} ${path} ${site}`,
      );
  }
  assert.equal(await status(`${server.url}/api/exchanges`, { ...token, Origin: server.url }), 200);
});

test('what went by is never a page of the inspector', async (t) => {
  const { api, visit } = await inspect(t, (_, response) => {
    response.setHeader('Content-Type', 'text/html');
    response.end('<script>alert(1)</script>');
  });
  await visit(request('GET / HTTP/1.1'));
  const { headers } = await api('GET', '/api/exchanges/1/response-body');
  assert.equal(headers.get('content-type'), 'application/octet-stream');
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
  assert.equal(headers.get('content-security-policy'), "default-src 'none'; sandbox");
});

test('a port that is taken is left to whom it belongs', async (t) => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  t.after(() => taken.close());
  const address = taken.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const { inspector } = await inspect(t, echo);
  const next = await serveInspector(inspector, { host: '127.0.0.1', port });
  t.after(() => next.close());
  assert.ok(Number(new URL(next.url).port) > port);
});

test('many agents at once find ports one after the other, without a warning', async (t) => {
  const { inspector, server } = await inspect(t, echo);
  const warnings = warningsOf(t, /MaxListeners/);
  const wanted = { host: '127.0.0.1', port: Number(new URL(server.url).port) };
  for (let agents = 0; agents < 15; agents++) {
    const next = await serveInspector(inspector, wanted);
    t.after(() => next.close());
  }
  await new Promise(setImmediate);
  assert.deepEqual(warnings, []);
});

test('an exchange is shown with its heads, its decoded body, and where visitors find it', async (t) => {
  const { inspector, api, json, visit } = await inspect(t, (_, response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'text/plain; charset=utf-8' });
    response.end(gzipSync('Gr\u00fc\u00dfe'));
  });
  await visit(request('POST /p?q=1 HTTP/1.1\nX-Name: v', 'sent'));
  const details = (await json('/api/exchanges/1')) as ExchangeDetails;
  assert.deepEqual(
    [details.method, details.path, details.status, details.outcome],
    ['POST', '/p?q=1', 200, 'complete'],
  );
  assert.deepEqual([details.client, details.url], ['192.0.2.1:1234', 'http://demo.test/p?q=1']);
  assert.deepEqual(details.request.headers[0], ['X-Name', 'v']);
  assert.deepEqual([details.response?.body.encoding, details.contentType], ['gzip', 'text/plain']);
  const { sentMs, answeredMs, endedMs } = details.timing;
  assert.ok(sentMs !== null && answeredMs !== null && endedMs !== null && answeredMs <= endedMs);
  assert.equal(await (await api('GET', '/api/exchanges/1/request-body')).text(), 'sent');
  assert.equal(await (await api('GET', '/api/exchanges/1/response-body')).text(), 'Gr\u00fc\u00dfe');
  const raw = await (await api('GET', '/api/exchanges/1/response-body?raw=true')).arrayBuffer();
  assert.ok(Buffer.from(raw).equals(gzipSync('Gr\u00fc\u00dfe')));
  assert.equal((await api('GET', '/api/exchanges/2')).status, 404);
  assert.equal((await api('GET', '/api/exchanges/1/other')).status, 404);
  const found = async (search: string) =>
    ((await json(`/api/exchanges?search=${encodeURIComponent(search)}`)) as ExchangesEvent).exchanges.length;
  assert.deepEqual(
    await Promise.all(['GR\u00dc\u00dfE', 'x-name', 'sent', 'nowhere'].map(found)),
    [1, 1, 1, 0],
  );
  inspector.store.clear();
  assert.equal(await found('sent'), 0);
});

test('a body that cannot be decoded is shown, searched and saved as it was', async (t) => {
  const { visit, api, json } = await inspect(t, (asked, answer) => {
    const coding = asked.url === '/unknown' ? 'utf-8' : 'gzip';
    asked.resume().on('end', () => answer.writeHead(200, { 'content-encoding': coding }).end('a needle'));
  });
  for (const path of ['/unknown', '/broken'])
    await visit(request(`POST ${path} HTTP/1.1\nContent-Encoding: aws-chunked`, 'a pin'));
  for (const id of [1, 2]) {
    assert.equal(await (await api('GET', `/api/exchanges/${id}/request-body`)).text(), 'a pin');
    assert.equal(await (await api('GET', `/api/exchanges/${id}/response-body`)).text(), 'a needle');
  }
  const { exchanges } = (await json('/api/exchanges?search=needle')) as { exchanges: { id: number }[] };
  assert.deepEqual(
    exchanges.map(({ id }) => id),
    [1, 2],
  );
  const har = (await json('/api/har')) as { log: { entries: { response: { content: { text: string } } }[] } };
  assert.deepEqual(
    har.log.entries.map(({ response }) => response.content.text),
    ['a needle', 'a needle'],
  );
});

test('a request is sent again, as it was or edited, and its answer is a new exchange', async (t) => {
  const { api, json, visit, inspector } = await inspect(t, echo);
  await visit(request('POST /first HTTP/1.1\nX-Kept: yes', 'body'));
  const replayed = async (edits?: object): Promise<{ id: number; answer: Echo }> => {
    const response = await api(
      'POST',
      '/api/exchanges/1/replay',
      edits === undefined ? '' : JSON.stringify(edits),
    );
    const { id } = (await response.json()) as { id: number };
    assert.equal(response.status, 201);
    await untilOver(inspector, id);
    return { id, answer: await echoed(api('GET', `/api/exchanges/${id}/response-body`)) };
  };
  const same = await replayed();
  assert.equal(same.id, 2);
  assert.deepEqual(
    [same.answer.method, same.answer.url, same.answer.body, same.answer.headers['x-kept']],
    ['POST', '/first', 'body', 'yes'],
  );
  assert.equal(((await json('/api/exchanges/2')) as ExchangeDetails).replayOf, 1);
  const headers = [
    ['Host', 'other.test'],
    ['X-New', 'n'],
    ['Content-Length', '999'],
    ['Transfer-Encoding', 'chunked'],
  ];
  const edited = await replayed({
    method: 'PUT',
    path: '/second?x',
    headers,
    body: 'B\u00f6dy',
    tunnel: null,
  });
  const { method, url, body, headers: got } = edited.answer;
  assert.deepEqual(
    [method, url, body, got.host, got['x-new']],
    ['PUT', '/second?x', 'B\u00f6dy', 'other.test', 'n'],
  );
  const foreign = await replayed({ headers: [...headers, ['X-Name', 'Gr\u00fc\u00dfe']] });
  const name = Buffer.from(String(foreign.answer.headers['x-name']), 'latin1').toString();
  assert.equal(name, 'Gr\u00fc\u00dfe');
  const binary = await replayed({ bodyBase64: Buffer.from('ab').toString('base64') });
  assert.equal(binary.answer.body, 'ab');
});

/** Waits until an exchange has ended. */
async function untilOver(inspector: Inspected['inspector'], id: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = () => {
    if (inspector.store.get(id)?.outcome !== 'open') resolve();
  };
  const stop = inspector.store.watch(look);
  look();
  await inTime(promise, () => `exchange ${id} is over`);
  stop();
}

test('a request without an answer says why, also one that is sent again', async (t) => {
  const { api, visit, upstream, inspector, json } = await inspect(t, (request, response) => {
    if (request.url === '/closed') request.socket.destroy();
    else response.end();
  });
  const faultOf = async (id: number) => ((await json(`/api/exchanges/${id}`)) as ExchangeDetails).fault;
  await visit(request('GET / HTTP/1.1'));
  await visit(request('GET /closed HTTP/1.1'));
  await upstream.stop();
  assert.equal((await api('POST', '/api/exchanges/1/replay')).status, 201);
  await untilOver(inspector, 3);
  assert.equal(await faultOf(1), null);
  assert.match((await faultOf(2)) ?? '', /closed the connection without an answer/);
  assert.match((await faultOf(3)) ?? '', /cannot be reached: .* start the server/);
});

test('bytes that are no text are replayed as they were', async (t) => {
  const { api, visit, inspector } = await inspect(t, echo);
  await visit(
    Buffer.from('GET /a HTTP/1.1\r\nHost: x\r\nX-Name: \xff\xe4\r\nConnection: close\r\n\r\n', 'latin1'),
  );
  assert.equal((await api('POST', '/api/exchanges/1/replay')).status, 201);
  await untilOver(inspector, 2);
  const { headers } = await echoed(api('GET', '/api/exchanges/2/response-body'));
  assert.equal(headers['x-name'], '\xff\xe4');
});

test('an edit that would make two requests of one, or none, is refused and sends nothing', async (t) => {
  const { api, visit, inspector } = await inspect(t, echo);
  await visit(request('GET /a HTTP/1.1'));
  const edits: [object | string, RegExp][] = [
    [{ path: '/a HTTP/1.1\r\nX: y' }, /path/],
    [{ path: 'http://other.test/' }, /path/],
    [{ method: 'GET /x' }, /method/],
    [{ method: 'get' }, /method/],
    [{ headers: [['X', 'a\r\nY: b']] }, /"X"/],
    [{ headers: [['X Y', 'a']] }, /"X Y"/],
    [{ headers: [['Upgrade', 'websocket']] }, /upgrade/],
    [{ headers: { X: 'y' } }, /"headers"/],
    [{ tunnel: 7 }, /tunnel/],
    [{ tunnel: 'web' }, /"tunnel"/],
    [{ bodies: 'x' }, /"bodies"/],
    ['{', /JSON/],
    ['[]', /object/],
  ];
  for (const [edit, message] of edits) {
    const body = typeof edit === 'string' ? edit : JSON.stringify(edit);
    const response = await api('POST', '/api/exchanges/1/replay', body);
    assert.equal(response.status, 400, body);
    assert.match(((await response.json()) as { error: string }).error, message);
  }
  assert.equal(inspector.store.all.length, 1);
});

test('of a body whose beginning alone was kept nothing is replayed that would look whole', async (t) => {
  const { api, visit } = await inspect(t, echo);
  await visit(request('POST /large HTTP/1.1', 'x'.repeat(300_000)));
  assert.equal((await api('POST', '/api/exchanges/1/replay')).status, 400);
  assert.equal((await api('POST', '/api/exchanges/1/replay', '{"body":"y"}')).status, 201);
  assert.equal((await api('POST', '/api/exchanges/1/replay', ' '.repeat(17_000_000))).status, 413);
  assert.equal((await api('GET', '/api/exchanges/1/curl')).status, 409);
});

test('the command for curl asks what was asked', { skip: skip }, async (t) => {
  const { api, visit, upstream, json } = await inspect(t, echo);
  const bodies = ["it's", '{"a": "$HOME `x`\\n"}', Buffer.from([0, 255, 10, 13]).toString('latin1')];
  const ofTheService = 'CDN-Loop: underpass.localhost\nX-Forwarded-For: 192.0.2.1\nUnderpass-Auth-User: a';
  for (const [index, body] of bodies.entries()) {
    const bytes = Buffer.from(body, 'latin1');
    const head = request(
      `PUT /p/../it's?a=[1] HTTP/1.1\nX-Empty:\nX-Quote: '"$x\n${ofTheService}`,
      'x',
    ).slice(0, -1);
    await visit(
      Buffer.concat([
        Buffer.from(head.replace('Content-Length: 1', `Content-Length: ${bytes.length}`)),
        bytes,
      ]),
    );
    const said = await (await api('GET', `/api/exchanges/${index + 1}/curl`)).text();
    const command = said.replace('http://demo.test/', `http://127.0.0.1:${upstream.port}/`);
    const { stdout } = await run(command.replace('curl ', 'curl --silent '));
    const answer = JSON.parse(stdout) as Echo;
    const first = await echoed(api('GET', `/api/exchanges/${index + 1}/response-body`));
    assert.deepEqual([answer.method, answer.url, answer.body], [first.method, first.url, first.body]);
    assert.deepEqual([answer.headers['x-empty'], answer.headers['x-quote']], ['', `'"$x`]);
    for (const name of ['cdn-loop', 'x-forwarded-for', 'underpass-auth-user'])
      assert.equal(answer.headers[name], undefined, name);
  }
  assert.equal(((await json('/api/exchanges')) as ExchangesEvent).exchanges.length, bodies.length);
});

test('nor does it ask for more, and what it shows is readable', { skip: skip }, async (t) => {
  const asked: string[][] = [];
  const { api, visit, upstream } = await inspect(t, (request, response) => {
    asked.push(request.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()));
    response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync('readable'));
  });
  await visit(request('GET / HTTP/1.1\nAccept-Encoding: gzip, br'));
  const said = await (await api('GET', '/api/exchanges/1/curl')).text();
  const command = said.replace('http://demo.test/', `http://127.0.0.1:${upstream.port}/`);
  const { stdout } = await run(command.replace('curl ', 'curl --silent '));
  assert.equal(stdout, 'readable');
  assert.deepEqual(
    asked.map((names) => names.filter((name) => name !== 'connection').sort()),
    [
      ['accept-encoding', 'host'],
      ['accept-encoding', 'host'],
    ],
  );
});

test('a long target is kept and sent again as it was', async (t) => {
  const { api, visit, json, inspector } = await inspect(t, echo);
  const path = `/${'x'.repeat(12_000)}`;
  await visit(request(`GET ${path} HTTP/1.1`));
  const [first] = ((await json('/api/exchanges')) as ExchangesEvent).exchanges;
  assert.equal(first?.path, path);
  assert.equal((await api('POST', '/api/exchanges/1/replay')).status, 201);
  await untilOver(inspector, 2);
  assert.equal((await echoed(api('GET', '/api/exchanges/2/response-body'))).url, path);
});

/** The events of the stream, from the first on. */
async function* events(inspected: Inspected, lastEventId?: string) {
  const headers: Record<string, string> = lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId };
  const response = await inspected.api('GET', '/api/events', undefined, headers);
  let unread = '';
  for await (const piece of response.body!.pipeThrough(new TextDecoderStream())) {
    unread += piece;
    for (let end = unread.indexOf('\n\n'); end >= 0; end = unread.indexOf('\n\n')) {
      const fields = new Map(
        unread
          .slice(0, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s, 2) as [string, string]),
      );
      unread = unread.slice(end + 2);
      yield {
        id: fields.get('id') ?? '',
        event: fields.get('event'),
        data: JSON.parse(fields.get('data') ?? 'null'),
      };
    }
  }
}

async function nextExchanges(
  stream: ReturnType<typeof events>,
): Promise<{ id: string; data: ExchangesEvent }> {
  for (;;) {
    const { value } = await inTime(stream.next(), () => 'an event');
    if (value?.event === 'exchanges') return value;
  }
}

test('the stream reports changes, and goes on where a reader was', async (t) => {
  const inspected = await inspect(t, echo);
  const { visit, inspector } = inspected;
  await visit(request('GET /one HTTP/1.1'));
  const stream = events(inspected);
  const status = (await inTime(stream.next(), () => 'the status')).value?.data as StatusView;
  assert.equal(status.tunnels[0]?.name, 'web');
  const first = await nextExchanges(stream);
  assert.deepEqual(
    first.data.exchanges.map(({ path }) => path),
    ['/one'],
  );
  await visit(request('GET /two HTTP/1.1'));
  const second = await nextExchanges(stream);
  assert.equal(second.data.exchanges.at(-1)?.path, '/two');
  await stream.return(undefined);
  await visit(request('GET /three HTTP/1.1'));
  const again = await nextExchanges(events(inspected, second.id));
  assert.ok(again.data.exchanges.every(({ path }) => path !== '/one'));
  assert.equal(again.data.exchanges.at(-1)?.path, '/three');
  const other = await nextExchanges(events(inspected, 'another-5'));
  assert.equal(other.data.exchanges.length, 3);
  const cleared = events(inspected);
  await nextExchanges(cleared);
  inspector.store.clear();
  assert.deepEqual((await nextExchanges(cleared)).data, { oldest: 4, exchanges: [] });
});

test('of requests that are sent at once on a connection one is answered', async (t) => {
  const { server, visit } = await inspect(t, (_, response) => response.end('x'.repeat(200_000)));
  await visit(request('GET / HTTP/1.1'));
  const { host, hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const asked = `GET /api/exchanges/1/response-body HTTP/1.1\r\nHost: ${host}\r\nX-Inspector-Token: ${server.token}\r\n\r\n`;
  socket.write(asked.repeat(500));
  const answers = await text(socket.on('error', () => {}));
  assert.equal(answers.match(/HTTP\/1.1 200 /g)?.length, 1);
  assert.ok(answers.length < 400_000, String(answers.length));
});

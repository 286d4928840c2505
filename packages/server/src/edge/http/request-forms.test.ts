/**
 * Forms of requests that are not as most clients send them: what the edge does with each, beside nginx 1.22 as a proxy.
 * Forms that two readers could read differently are in attacks.test.ts.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receivedField } from '@underpass/wire/http2';
import { requestHead } from '../../http2/request-head.ts';
import type { Guard } from '../sites/site.ts';
import { byHand, NAME, siteOf, startTestServer } from './test-server.fixture.ts';

const H = `Host: ${NAME}\r\n`;
const withTarget = (target: string, method = 'GET'): string => `${method} ${target} HTTP/1.1\r\n${H}\r\n`;
const withFields = (fields: string): string => `GET / HTTP/1.1\r\n${H}${fields}\r\n`;
const withHost = (host: string): string => `GET / HTTP/1.1\r\nHost:${host}\r\n\r\n`;
const post = (fields: string, body: string): string => `POST / HTTP/1.1\r\n${H}${fields}\r\n${body}`;

/** Target as sent, one character a byte; target at the upstream; nginx's status. Both HTTP versions forward each of them. */
const targets: readonly (readonly [sent: string, forwarded: string, nginx: number])[] = [
  ['/stra\xc3\x9fe', '/stra%C3%9Fe', 200],
  ['/a?q=\xc3\xbc', '/a?q=%C3%BC', 200],
  // Latin-1, malformed UTF-8, and C1 controls as bytes.
  ['/\xe4', '/%E4', 200],
  ['/\xc3(', '/%C3(', 200],
  ['/\x80\x85\xff', '/%80%85%FF', 200],
  ...[...'|"<>{}^`\\[]\'!$&()*+,;=:@~'].map((mark) => {
    const target = `/a${mark}b?c${mark}d`;
    return [target, target, 200] as const;
  }),
  ['//a//b', '//a//b', 200],
  ['/?', '/?', 200],
  ['/%zz', '/%zz', 400],
  ['/a%', '/a%', 400],
];

/** Name, bytes, what the request at the upstream matches, nginx's status. */
const accepted: readonly (readonly [name: string, bytes: string, upstream: RegExp, nginx: number])[] = [
  ['an empty line first', `\r\n${withTarget('/')}`, /^GET \/ /, 200],
  ['two empty lines first', `\r\n\r\n${withTarget('/')}`, /^GET \/ /, 200],
  ['an absolute target of this host', withTarget(`http://${NAME}/a`), /^GET \/a /, 200],
  ['a raw absolute target', withTarget(`http://${NAME}/\xc3\x9f`), /^GET \/%C3%9F /, 200],
  ['a method in lower case', withTarget('/', 'get'), /^get \/ /, 400],
  ['an unknown method', withTarget('/', 'FROB'), /^FROB \/ /, 200],
  ['OPTIONS *', withTarget('*', 'OPTIONS'), /^OPTIONS \* /, 400],
  ['Host with a port', withHost(` ${NAME}:443`), /Host: app\.example\.com:443\r\n/, 200],
  ['Host with a final dot', withHost(` ${NAME}.`), /Host: app\.example\.com\.\r\n/, 200],
  ['Host without a space before it', withHost(NAME), /^GET \/ /, 200],
  ['white space behind a value', withFields('X-A: b \t\r\n'), /X-A: b/, 200],
  ['an empty value', withFields('X-A:\r\n'), /X-A:\r\n/, 200],
  ['bytes beyond ASCII in a value', withFields('X-A: \xe4\r\n'), /X-A: \xe4\r\n/, 200],
  ['a field twice', withFields('X-A: 1\r\nX-A: 2\r\n'), /X-A: 1\r\nX-A: 2\r\n/, 200],
  [
    'an unknown connection option',
    withFields('Connection: x-foo\r\nX-Foo: 1\r\n'),
    /^GET (?![\s\S]*x-foo)/i,
    200,
  ],
  ['empty connection options', withFields('Connection: ,, keep-alive,\r\n'), /^GET /, 200],
  ['TE without its option', withFields('TE: trailers\r\n'), /^GET (?![\s\S]*\r\nTE:)/, 200],
  ['TE and its option', withFields('Connection: TE\r\nTE: trailers\r\n'), /\r\nTE: trailers\r\n/, 200],
  ['a GET with a body', withFields('Content-Length: 1\r\n').concat('a'), /\r\n\r\na$/, 200],
  ['an expectation in another case', post('Expect: 100-Continue\r\nContent-Length: 1\r\n', 'a'), /a$/, 200],
  ['a length with zeros', post('Content-Length: 005\r\n', 'hello'), /Content-Length: 5\r\n/, 200],
  [
    'chunked in another case',
    post('Transfer-Encoding: Chunked\r\n', '1\r\na\r\n0\r\n\r\n'),
    /\r\na\r\n0\r\n\r\n$/,
    200,
  ],
  [
    'a chunk extension',
    post('Transfer-Encoding: chunked\r\n', '1;a=b\r\na\r\n0\r\n\r\n'),
    /\r\n1\r\na\r\n0\r\n/,
    200,
  ],
];

/** The edge refuses what nginx forwards. */
const refused: readonly (readonly [name: string, bytes: string, status: number, nginx: number])[] = [
  ['a fragment', withTarget('/a#b'), 400, 200],
  ['a bare LF first', `\n${withTarget('/')}`, 400, 200],
  ['lines that end in a bare LF', withTarget('/').replaceAll('\r\n', '\n'), 400, 200],
  ['an absolute target of another host', withTarget('http://other.example.com/'), 400, 200],
  ['a percent-encoded host', withHost(' app%2eexample.com'), 400, 200],
  ['HTTP/1.2', withTarget('/').replace('1.1', '1.2'), 400, 200],
];

test('forms that the RFCs admit are forwarded', async (t) => {
  let seen = '';
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      seen = soFar;
      const isWhole = /\r\n\r\n$/.test(soFar)
        ? !/content-length|chunked\r\n(?!.*\r\n0\r\n)/is.test(soFar)
        : /\r\n\r\n/.test(soFar);
      if (isWhole)
        stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok'));
    }),
  );
  const cases = [
    ...accepted,
    ...targets.map(([sent, forwarded, nginx]) => {
      const line = `GET ${forwarded} HTTP/1.1\r\n`;
      return [sent, withTarget(sent), { test: (text: string) => text.startsWith(line) }, nginx] as const;
    }),
  ];
  for (const [name, bytes, upstream] of cases) {
    const client = await testServer.connect();
    seen = '';
    client.send(bytes);
    let answer = await client.answer();
    if (answer.status === 100) answer = await client.answer();
    assert.equal(answer.status, 200, name);
    assert.ok(upstream.test(seen), `${name}: ${JSON.stringify(seen)}`);
    client.socket.destroy();
  }
});

test('other forms are refused, although nginx forwards them', async (t) => {
  const testServer = await startTestServer(t, () => assert.fail('it reached the upstream'));
  for (const [name, bytes, status] of refused) {
    const client = await testServer.connect();
    client.send(bytes);
    assert.equal((await client.answer()).status, status, name);
  }
});

test('a request that begins in small pieces, with an empty line, is read', async (t) => {
  const testServer = await startTestServer(t);
  const client = await testServer.connect();
  for (const byte of `\r\n${withTarget('/stra\xc3\x9fe')}\r\n${withTarget('/')}`) client.send(byte);
  assert.equal((await client.answer()).status, 200);
  assert.equal((await client.answer()).status, 200);
});

test('routes and guards read the target that the upstream gets', async (t) => {
  let seen = '';
  const testServer = await startTestServer(
    t,
    byHand((stream, soFar) => {
      seen = soFar;
      stream.write(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    }),
  );
  const read: string[] = [];
  const guard: Guard = {
    name: 'reading',
    reads: 'request',
    check: ({ target }) => {
      read.push(target);
      return null;
    },
  };
  const { backend } = testServer.sites.get(NAME)!.route('')!;
  const site = siteOf(backend, { guards: [guard], readsRequest: true });
  const route = (path: string) => {
    read.push(path);
    return site.route(path);
  };
  testServer.sites.set(NAME, { ...site, routesByPath: true, route });
  for (const version of ['1.0', '1.1']) {
    read.length = 0;
    const client = await testServer.connect();
    client.send(`GET /stra\xc3\x9fe?q=\xfc HTTP/${version}\r\n${H}\r\n`);
    assert.equal((await client.answer()).status, 200);
    assert.deepEqual(read, ['/stra%C3%9Fe', '/stra%C3%9Fe?q=%FC']);
    assert.ok(seen.startsWith('GET /stra%C3%9Fe?q=%FC HTTP/1.1\r\n'));
    client.socket.destroy();
  }
});

test('over HTTP/2 the same targets are forwarded', () => {
  for (const [sent, forwarded] of targets) {
    const fields = Object.entries({
      ':method': 'GET',
      ':scheme': 'https',
      ':authority': NAME,
      ':path': sent,
    });
    const list = { fields: fields.map(([name, value]) => receivedField(name, value)), isTooLarge: false };
    const head = requestHead(list, true);
    assert.ok(typeof head !== 'string', sent);
    assert.equal(head.text.split('\r\n', 1)[0], `GET ${forwarded} HTTP/1.1`);
  }
});

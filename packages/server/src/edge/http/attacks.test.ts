import assert from 'node:assert/strict';
import { test } from 'node:test';
import { until } from '../../../../../test/harness/until.ts';
import { always, byHand, get, NAME, startTestServer, type TestServer } from './test-server.fixture.ts';

const H = `Host: ${NAME}\r\n`;
const post = (headers: string, body: string): string => `POST / HTTP/1.1\r\n${H}${headers}\r\n${body}`;
const withHost = (host: string): string => `GET / HTTP/1.1\r\nHost:${host}\r\n\r\n`;
const withTarget = (target: string, method = 'GET'): string => `${method} ${target} HTTP/1.1\r\n${H}\r\n`;

/** Name, bytes, status, digits of the error code. Each must be answered so, and the connection closed, and no upstream see it. */
const refused: [string, string, number, number][] = [
  // H1
  [
    'CL and TE',
    post('Content-Length: 5\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\nGET /x HTTP/1.1'),
    400,
    60213,
  ],
  ['TE and CL', post('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', '0\r\n\r\n'), 400, 60213],
  ['TE of two codings', post('Transfer-Encoding: identity, chunked\r\n', '0\r\n\r\n'), 400, 60215],
  ['TE xchunked', post('Transfer-Encoding: xchunked\r\n', '0\r\n\r\n'), 400, 60215],
  ['TE chunked twice', post('Transfer-Encoding: chunked, chunked\r\n', '0\r\n\r\n'), 400, 60215],
  [
    'two TE lines',
    post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n'),
    400,
    60215,
  ],
  ['TE identity', post('Transfer-Encoding: identity\r\n', ''), 400, 60215],
  ['empty TE', post('Transfer-Encoding:\r\n', ''), 400, 60215],
  ['TE with a vertical tab', post('Transfer-Encoding:\x0bchunked\r\n', '0\r\n\r\n'), 400, 60212],
  ['TE in quotes', post('Transfer-Encoding: "chunked"\r\n', '0\r\n\r\n'), 400, 60215],
  ['two equal CLs', post('Content-Length: 5\r\nContent-Length: 5\r\n', 'hello'), 400, 60214],
  ['two CLs', post('Content-Length: 5\r\ncontent-length: 6\r\n', 'hello'), 400, 60214],
  ['CL +5', post('Content-Length: +5\r\n', 'hello'), 400, 60214],
  ['CL -5', post('Content-Length: -5\r\n', 'hello'), 400, 60214],
  ['CL 0x5', post('Content-Length: 0x5\r\n', 'hello'), 400, 60214],
  ['CL 5, 5', post('Content-Length: 5, 5\r\n', 'hello'), 400, 60214],
  ['CL 5 5', post('Content-Length: 5 5\r\n', 'hello'), 400, 60214],
  ['CL 5.0', post('Content-Length: 5.0\r\n', 'hello'), 400, 60214],
  ['CL 1e1', post('Content-Length: 1e1\r\n', 'hello'), 400, 60214],
  ['empty CL', post('Content-Length:\r\n', 'hello'), 400, 60214],
  ['CL beyond every integer', post('Content-Length: 9007199254740993\r\n', ''), 400, 60214],
  ['CL of 40 digits', post(`Content-Length: ${'9'.repeat(40)}\r\n`, ''), 400, 60214],
  ['obs-fold', `GET / HTTP/1.1\r\n${H}X-A: b\r\n c\r\n\r\n`, 400, 60212],
  ['obs-fold before the first header', `GET / HTTP/1.1\r\n ${H}\r\n`, 400, 60212],
  ['space before colon', `GET / HTTP/1.1\r\n${H}Content-Length : 5\r\n\r\nhello`, 400, 60212],
  ['tab before colon', `GET / HTTP/1.1\r\n${H}Content-Length\t: 5\r\n\r\nhello`, 400, 60212],
  ['bare CR in a value', `GET / HTTP/1.1\r\n${H}X-A: b\rX-B: c\r\n\r\n`, 400, 60212],
  ['bare CR before the line end', `GET / HTTP/1.1\r\n${H}X-A: b\r\r\n\r\n`, 400, 60212],
  ['bare LF after a header', `GET / HTTP/1.1\r\n${H}X-A: b\nX-B: c\r\n\r\n`, 400, 60212],
  ['bare LF after the request line', `GET / HTTP/1.1\n${H}\r\n`, 400, 60210],
  ['bare LFs at the end', `GET / HTTP/1.1\r\n${H}\n`, 400, 60212],
  ['NUL in a value', `GET / HTTP/1.1\r\n${H}X-A: b\0c\r\n\r\n`, 400, 60212],
  ['NUL in a name', `GET / HTTP/1.1\r\n${H}X\0A: b\r\n\r\n`, 400, 60212],
  ['DEL in a value', `GET / HTTP/1.1\r\n${H}X-A: b\x7f\r\n\r\n`, 400, 60212],
  ['header without a name', `GET / HTTP/1.1\r\n${H}: b\r\n\r\n`, 400, 60212],
  ['header without a colon', `GET / HTTP/1.1\r\n${H}X-A\r\n\r\n`, 400, 60212],
  ['header name with a slash', `GET / HTTP/1.1\r\n${H}X/A: b\r\n\r\n`, 400, 60212],
  ['header name outside ASCII', `GET / HTTP/1.1\r\n${H}X-\xe4: b\r\n\r\n`, 400, 60212],
  [
    'chunk extensions of 1 MB',
    post('Transfer-Encoding: chunked\r\n', `5;${'a'.repeat(1_000_000)}\r\nhello\r\n0\r\n\r\n`),
    400,
    60216,
  ],
  [
    'chunk extensions in many chunks',
    post('Transfer-Encoding: chunked\r\n', `${'1;aaaaaaaaaaaaa\r\na\r\n'.repeat(500)}0\r\n\r\n`),
    400,
    60216,
  ],
  [
    'chunk extension with a bare LF',
    post('Transfer-Encoding: chunked\r\n', '5;a\nhello\r\n0\r\n\r\n'),
    400,
    60216,
  ],
  ['chunk size overflow', post('Transfer-Encoding: chunked\r\n', 'ffffffffffffffff\r\nhello'), 400, 60216],
  [
    'chunk size of 17 digits',
    post('Transfer-Encoding: chunked\r\n', '00000000000000005\r\nhello\r\n0\r\n\r\n'),
    400,
    60216,
  ],
  ['chunk size +5', post('Transfer-Encoding: chunked\r\n', '+5\r\nhello\r\n0\r\n\r\n'), 400, 60216],
  ['chunk size 0x5', post('Transfer-Encoding: chunked\r\n', '0x5\r\nhello\r\n0\r\n\r\n'), 400, 60216],
  ['empty chunk size', post('Transfer-Encoding: chunked\r\n', '\r\nhello\r\n0\r\n\r\n'), 400, 60216],
  [
    'space around a chunk size',
    post('Transfer-Encoding: chunked\r\n', '5 \r\nhello\r\n0\r\n\r\n'),
    400,
    60216,
  ],
  ['bare LF after a chunk size', post('Transfer-Encoding: chunked\r\n', '5\nhello\r\n0\r\n\r\n'), 400, 60216],
  ['bare LF after a chunk', post('Transfer-Encoding: chunked\r\n', '5\r\nhello\n0\r\n\r\n'), 400, 60216],
  [
    'chunk longer than its size',
    post('Transfer-Encoding: chunked\r\n', '4\r\nhello\r\n0\r\n\r\n'),
    400,
    60216,
  ],
  [
    'trailer Content-Length',
    post('Transfer-Encoding: chunked\r\n', '0\r\nContent-Length: 5\r\n\r\n'),
    400,
    60217,
  ],
  [
    'trailer Transfer-Encoding',
    post('Transfer-Encoding: chunked\r\n', '0\r\nTransfer-Encoding: chunked\r\n\r\n'),
    400,
    60217,
  ],
  [
    'trailer Host',
    post('Transfer-Encoding: chunked\r\n', '0\r\nHost: other.example.com\r\n\r\n'),
    400,
    60217,
  ],
  ['malformed trailer', post('Transfer-Encoding: chunked\r\n', '0\r\nX A: 5\r\n\r\n'), 400, 60217],
  [
    'trailer section without end',
    post('Transfer-Encoding: chunked\r\n', `0\r\n${'X-A: b\r\n'.repeat(5000)}`),
    400,
    60217,
  ],
  // H2
  [
    'HTTP/1.0 with TE',
    `POST / HTTP/1.0\r\n${H}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    60790,
  ],
  ['HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 60223],
  ['HTTP/3.7', `GET / HTTP/3.7\r\n${H}\r\n`, 505, 60223],
  ['HTTP/1.2', `GET / HTTP/1.2\r\n${H}\r\n`, 400, 60210],
  ['HTTP/0.9', 'GET /\r\n', 400, 60210],
  ['http/1.1 in lower case', `GET / http/1.1\r\n${H}\r\n`, 400, 60210],
  ['HTTP/1.10', `GET / HTTP/1.10\r\n${H}\r\n`, 400, 60210],
  // H4
  ['CONNECT', `CONNECT ${NAME}:443 HTTP/1.1\r\n${H}\r\n`, 501, 60222],
  ['CONNECT with a path', withTarget('/', 'CONNECT'), 501, 60222],
  // The request line
  ['an empty line of a bare LF first', `\n${get()}`, 400, 60210],
  ['a bare CR first', `\r${get()}`, 400, 60210],
  ['no method', ` / HTTP/1.1\r\n${H}\r\n`, 400, 60210],
  ['method with a slash', withTarget('/', 'GE/T'), 400, 60210],
  ['a method of 100 characters', withTarget('/', 'A'.repeat(100)), 400, 60210],
  ['two spaces before the target', `GET  / HTTP/1.1\r\n${H}\r\n`, 400, 60210],
  ['two spaces after the target', `GET /  HTTP/1.1\r\n${H}\r\n`, 400, 60210],
  ['space after the version', `GET / HTTP/1.1 \r\n${H}\r\n`, 400, 60210],
  ['space in the target', withTarget('/a b'), 400, 60210],
  ['tab in the target', withTarget('/a\tb'), 400, 60211],
  ['NUL in the target', withTarget('/a\0b'), 400, 60211],
  ['DEL in the target', withTarget('/a\x7fb'), 400, 60211],
  ['a control byte behind one beyond ASCII', withTarget('/\xc3\x01'), 400, 60211],
  ['fragment in the target', withTarget('/a#b'), 400, 60211],
  ['target without a slash', withTarget('admin'), 400, 60211],
  ['target in authority form', withTarget(`${NAME}:443`), 400, 60211],
  ['* for GET', withTarget('*'), 400, 60211],
  ['target of another scheme', withTarget(`ftp://${NAME}/`), 400, 60211],
  ['target with user information', withTarget(`http://user@${NAME}/`), 400, 60211],
  ['TLS in TLS', '\x16\x03\x01\x02\x00\x01\x00\x01', 400, 60210],
  // N3, N5
  ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400, 60218],
  ['two Hosts', `GET / HTTP/1.1\r\n${H}${H}\r\n`, 400, 60218],
  ['empty Host', withHost(''), 400, 60218],
  ['Host with an empty port', withHost(` ${NAME}:`), 400, 60218],
  ['Host with a port with a leading zero', withHost(` ${NAME}:0443`), 400, 60218],
  ['Host with a port above 65535', withHost(` ${NAME}:65536`), 400, 60218],
  ['Host with the port of something else', withHost(` ${NAME}:8080`), 421, 60013],
  ['Host [::1]:443', withHost(' [::1]:443'), 400, 60218],
  ['Host with NUL', withHost(` app\0.example.com`), 400, 60212],
  ['Host with a space', withHost(' app.example.com x'), 400, 60218],
  ['Host with a tab', withHost(' app.example.com\tx'), 400, 60218],
  ['Host with @', withHost(` x@${NAME}`), 400, 60218],
  ['Host with #', withHost(` ${NAME}#x`), 400, 60218],
  ['Host with /', withHost(` ${NAME}/x`), 400, 60218],
  ['Host with \\', withHost(` ${NAME}\\x`), 400, 60218],
  ['Host with a comma', withHost(` ${NAME}, ${NAME}`), 400, 60218],
  ['Host outside ASCII', withHost(' \xe4pp.example.com'), 400, 60218],
  ['another Host', withHost(' other.example.com'), 421, 60013],
  ['a Host that ends in ours', withHost(` evil-${NAME}`), 421, 60013],
  ['a Host that begins with ours', withHost(` ${NAME}.attacker.net`), 421, 60013],
  ['absolute target of another host', withTarget('http://other.example.com/'), 400, 60219],
  ['absolute target with another port', withTarget(`http://${NAME}:81/`), 400, 60219],
  ['other Expect', post('Expect: 200-ok\r\nContent-Length: 1\r\n', 'a'), 417, 60224],
  [
    'two Expects',
    post('Expect: 100-continue\r\nExpect: 100-continue\r\nContent-Length: 1\r\n', 'a'),
    417,
    60224,
  ],
  // Size
  ['a head of 70 KB', get('/', `X-A: ${'a'.repeat(70_000)}\r\n`), 431, 60009],
  ['a target of 70 KB', get(`/${'a'.repeat(70_000)}`), 431, 60009],
  ['201 headers', get('/', 'X-A: b\r\n'.repeat(200)), 431, 60220],
];

/** These take the upstream a part of the request before they turn out wrong; it must then lose the connection. */
const reachesUpstream = (name: string): boolean => /chunk|trailer/i.test(name);

async function startCountingServer(
  t: Parameters<typeof startTestServer>[0],
): Promise<{ testServer: TestServer; seen: string[] }> {
  const seen: string[] = [];
  const testServer = await startTestServer(
    t,
    byHand((_stream, soFar, index) => (seen[index] = soFar)),
  );
  return { testServer, seen };
}

for (const segmented of [false, true]) {
  test(`attack lines are refused with their own codes${segmented ? ', also in small segments' : ''}`, async (t) => {
    const { testServer, seen } = await startCountingServer(t);
    for (const [name, bytes, status, code] of refused) {
      if (segmented && bytes.length > 5000) continue;
      await t.test(name, async () => {
        const before = seen.length;
        const client = await testServer.connect();
        if (segmented) for (let i = 0; i < bytes.length; i += 3) client.send(bytes.slice(i, i + 3));
        // The bytes after it must not be taken for a request.
        client.send(segmented ? get('/smuggled') : bytes + get('/smuggled'));
        const answer = await client.answer();
        assert.equal(answer.status, status);
        assert.equal(answer.headers.get('underpass-error-code'), `ERR_TEST_${code}`);
        assert.equal(answer.headers.get('connection'), 'close');
        assert.equal(await client.rest(), '');
        if (!reachesUpstream(name)) assert.equal(seen.length, before);
        for (const request of seen) assert.doesNotMatch(request, /smuggled/);
      });
    }
  });
}

test('spellings of the one host name are accepted, and reach the upstream as sent', async (t) => {
  const { testServer, seen } = await startCountingServer(t);
  for (const host of ['app.example.com.', 'APP.example.COM', `${NAME}:443`, `${NAME}:8443`, `${NAME}.:443`]) {
    const client = await testServer.connect();
    client.send(withHost(` ${host}`));
    const count = seen.length;
    await until(() => seen.length > count);
    assert.match(seen.at(-1)!, new RegExp(`\\r\\nHost: ${host.replaceAll('.', '\\.')}\\r\\n`));
    client.socket.destroy();
  }
});

test('an absolute target of our own host is brought to origin form', async (t) => {
  const { testServer, seen } = await startCountingServer(t);
  const cases = [
    [`GET http://${NAME}/a?b`, 'GET /a?b HTTP/1.1'],
    [`GET HTTPS://APP.example.com:443`, 'GET / HTTP/1.1'],
    [`GET http://${NAME}?q`, 'GET /?q HTTP/1.1'],
    [`OPTIONS http://${NAME}`, 'OPTIONS * HTTP/1.1'],
    ['OPTIONS *', 'OPTIONS * HTTP/1.1'],
  ];
  for (const [line, expected] of cases) {
    const client = await testServer.connect();
    const count = seen.length;
    client.send(`${line} HTTP/1.1\r\n${H}\r\n`);
    await until(() => seen.length > count);
    assert.equal(seen.at(-1)!.split('\r\n')[0], expected);
    client.socket.destroy();
  }
});

test('another Host on the second request of a connection is refused too', async (t) => {
  const testServer = await startTestServer(t, always('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  const client = await testServer.connect();
  client.send(get());
  assert.equal((await client.answer()).status, 200);
  client.send(withHost(' other.example.com'));
  const answer = await client.answer();
  assert.equal(answer.status, 421);
  assert.match(answer.body, /other\.example\.com/);
  assert.equal(await client.rest(), '');
});

test('a page about a hostile Host shows it only escaped', async (t) => {
  const testServer = await startTestServer(t);
  const client = await testServer.connect();
  client.send(`GET / HTTP/1.1\r\nHost: other.example.com\r\nAccept: text/html\r\n\r\n`);
  const answer = await client.answer();
  assert.equal(answer.status, 421);
  assert.doesNotMatch(answer.body, /<script/);
  assert.match(answer.headers.get('content-security-policy')!, /default-src 'none'/);
});

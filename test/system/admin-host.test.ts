/** Programs and browsers at the admin listener, by their bytes: any name for programs, only trusted names for browsers. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { Platform } from '../harness/index.ts';

const LISTED = 'Edge1.example.com';
let platform: Platform;

before(async () => {
  platform = await Platform.start({ args: ['--admin-host', LISTED, '--admin-host', 'edge2.example.com'] });
});
after(() => platform?.stop());

/** All that comes until the daemon closes the connection. */
async function exchange(lines: readonly string[]): Promise<string> {
  const socket = connect(platform.adminPort, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  let text = '';
  socket.setEncoding('latin1').on('data', (piece) => {
    text += piece;
  });
  await once(socket, 'close');
  return text;
}

async function statusOf(line: string, ...fields: string[]): Promise<number> {
  const version = line.endsWith('HTTP/1.0') ? [] : ['Connection: close'];
  return Number((await exchange([line, ...fields, ...version])).split(' ')[1]);
}

const NAMES = [
  'underpass.default.svc:9090',
  'edge1.example.com:9090',
  'other.example.com',
  '127.0.0.1',
  'localhost',
];

test('programs are served under every name', async () => {
  for (const name of NAMES)
    for (const path of ['/metrics', '/healthz', '/readyz', '/readyz?for=api', '/metrics?format=prometheus'])
      for (const method of ['GET', 'HEAD'])
        assert.equal(await statusOf(`${method} ${path} HTTP/1.1`, `Host: ${name}`), 200, `${name} ${path}`);
});

test('checks of HTTP/1.0 are served without a Host header', async () => {
  assert.equal(await statusOf('GET /healthz HTTP/1.0'), 200);
  assert.equal(await statusOf('HEAD /readyz HTTP/1.0'), 200);
  assert.equal(await statusOf('OPTIONS / HTTP/1.0'), 204);
  assert.equal(await statusOf('OPTIONS /readyz HTTP/1.0', 'Host: edge1'), 204);
  assert.equal(await statusOf('OPTIONS * HTTP/1.1', 'Host: edge1'), 204);
});

test('browsers are refused, unless the user typed the address or the operator listed the name', async () => {
  const get = (...fields: string[]) => statusOf('GET /metrics HTTP/1.1', ...fields);
  const language = 'Accept-Language: en';
  for (const name of NAMES) {
    assert.equal(await get(`Host: ${name}`, 'Origin: https://evil.example.com'), 403);
    assert.equal(await get(`Host: ${name}`, language, 'Sec-Fetch-Site: cross-site'), 403);
  }
  assert.equal(await get('Host: evil.example.com:9090', language), 403);
  assert.equal(await get('Host: evil.example.com:9090', language, 'Sec-Fetch-Site: same-origin'), 403);
  assert.equal(await get('Host: 127.0.0.1:9090', language, 'Sec-Fetch-Site: none'), 200);
  for (const listed of ['edge1.example.com:9090', 'EDGE2.example.com']) {
    assert.equal(await get(`Host: ${listed}`, language, 'Sec-Fetch-Site: same-origin'), 200);
    assert.equal(await get(`Host: ${listed}`, language), 200);
  }
});

test('a refusal names the option, and every response is stored nowhere', async () => {
  const refusal = await exchange(['GET /metrics HTTP/1.0', 'Host: evil.example.com', 'Accept-Language: en']);
  assert.match(refusal, /--admin-host NAME/);
  const others = [
    'GET /metrics',
    'GET /healthz',
    'GET /readyz',
    'GET /none',
    'POST /metrics',
    'OPTIONS /metrics',
  ];
  const texts = await Promise.all(others.map((one) => exchange([`${one} HTTP/1.0`])));
  for (const text of [refusal, ...texts]) assert.match(text, /\r\nCache-Control: no-store\r\n/);
  for (const line of ['POST /metrics HTTP/1.0', 'OPTIONS /metrics HTTP/1.0'])
    assert.match(await exchange([line]), /\r\nAllow: GET, HEAD, OPTIONS\r\n/);
});

test('HEAD has the length of GET and no body', async () => {
  const [get, head] = await Promise.all(
    ['GET', 'HEAD'].map((method) => exchange([`${method} /healthz HTTP/1.0`])),
  );
  for (const text of [get, head]) assert.match(text!, /\r\nContent-Length: 3\r\n/);
  assert.ok(get!.endsWith('\r\n\r\nok\n'));
  assert.ok(head!.endsWith('\r\n\r\n'));
});

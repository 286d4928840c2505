import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput, parseServer, parseTcpUpstream, parseUpstream } from './address.ts';

test('an upstream is a port, host:port or an origin', () => {
  for (const [text, shown] of [
    ['3000', 'http://localhost:3000'],
    ['example.test:80', 'http://example.test:80'],
    ['127.0.0.1:3000', 'http://127.0.0.1:3000'],
    ['[::1]:3000', 'http://[::1]:3000'],
    ['http://localhost:3000', 'http://localhost:3000'],
    ['http://localhost:3000/', 'http://localhost:3000'],
    ['HTTP://Example.test', 'http://example.test:80'],
    ['https://example.test', 'https://example.test:443'],
    ['https://example.test:8443', 'https://example.test:8443'],
  ] as const) {
    assert.equal(parseUpstream(text).text, shown, text);
  }
  assert.deepEqual(parseUpstream('[::1]:3000').at, { host: '::1', port: 3000 });
});

test('what is no upstream is refused with its text', () => {
  for (const text of [
    ...[
      '',
      '0',
      '65536',
      'localhost',
      'localhost:',
      ':3000',
      'localhost:99999',
      'ftp://x:1',
      'http://',
      'a b:1',
    ],
    ...['http://x/path', 'http://u:p@x:1', 'x:1?y', 'x:1#y', '-1', '3000x', 'http://3000:', 'x:-1', 'x:1:2'],
  ]) {
    assert.throws(() => parseUpstream(text), InvalidInput, text);
  }
});

test('an upstream of bytes is a port or host:port', () => {
  assert.deepEqual(parseTcpUpstream('5432'), {
    scheme: 'tcp',
    at: { host: 'localhost', port: 5432 },
    text: 'localhost:5432',
  });
  assert.deepEqual(parseTcpUpstream('[::1]:22').at, { host: '::1', port: 22 });
  for (const text of ['', '0', 'localhost', 'tcp://localhost:22', 'http://localhost:22', 'a:1/b', '70000']) {
    assert.throws(() => parseTcpUpstream(text), InvalidInput, text);
  }
});

test('an upstream may be a unix socket, below the folder that its path is relative to', () => {
  const shown = { at: { path: '/run/app/web.sock' }, text: 'unix:/run/app/web.sock' };
  assert.deepEqual(parseUpstream('unix:/run/app/web.sock'), { scheme: 'http', ...shown });
  assert.deepEqual(parseUpstream('unix:../app/web.sock', '/run/x'), { scheme: 'http', ...shown });
  assert.deepEqual(parseTcpUpstream('unix:web.sock', '/run/app'), { scheme: 'tcp', ...shown });
  for (const text of ['unix:', 'unix:/run/', 'unix:/a\0b', 'unix:/a\nb', `unix:/${'a'.repeat(107)}`]) {
    assert.throws(() => parseUpstream(text), InvalidInput, text);
    assert.throws(() => parseTcpUpstream(text), InvalidInput, text);
  }
});

test('a server is host:port, 443 when not said', () => {
  assert.deepEqual(parseServer('connect.example.com'), { host: 'connect.example.com', port: 443 });
  assert.deepEqual(parseServer('connect.example.com:80'), { host: 'connect.example.com', port: 80 });
  assert.deepEqual(parseServer('[::1]:8443'), { host: '::1', port: 8443 });
  for (const text of ['', ':443', 'a:', 'a:99999', 'https://a:1', 'a/b', 'a b', 'a@b:1']) {
    assert.throws(() => parseServer(text), InvalidInput, text);
  }
});

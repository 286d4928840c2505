import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { serveFolder } from './serve-folder.ts';

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

const outside = mkdtempSync(join(tmpdir(), 'underpass-folder-'));
const root = join(outside, 'served');
const server = createServer((asked, answer) => {
  const hidden = asked.headers['x-hidden'] !== undefined;
  serveFolder({ root, hidden })(asked, answer);
});

before(async () => {
  mkdirSync(join(root, 'inner'), { recursive: true });
  mkdirSync(join(root, 'site'));
  mkdirSync(join(root, '.git'));
  writeFileSync(join(outside, 'secret.txt'), 'secret');
  writeFileSync(join(outside, 'served-too.txt'), 'secret');
  writeFileSync(join(root, '.env'), 'secret');
  writeFileSync(join(root, '.git', 'config'), 'secret');
  writeFileSync(join(root, 'a.txt'), '0123456789');
  writeFileSync(join(root, 'inner', 'b10.css'), 'b');
  writeFileSync(join(root, 'inner', 'b9.css'), 'b');
  writeFileSync(join(root, 'site', 'index.html'), '<h1>site</h1>');
  writeFileSync(join(root, 'empty'), '');
  writeFileSync(join(root, '<b>"&\'.txt'), 'x');
  writeFileSync(join(root, 'javascript:alert(1)'), 'x');
  writeFileSync(join(root, 'two words?#%.txt'), 'odd');
  // Names that are not served.
  writeFileSync(join(root, 'two\nlines'), 'x');
  writeFileSync(join(root, 'back\\slash'), 'x');
  symlinkSync(join(outside, 'secret.txt'), join(root, 'link-out'));
  symlinkSync(outside, join(root, 'folder-out'));
  symlinkSync('.env', join(root, 'link-hidden'));
  symlinkSync('a.txt', join(root, 'link-in'));
  symlinkSync('loop', join(root, 'loop'));
  execFileSync('mkfifo', [join(root, 'pipe')]);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
after(() => {
  server.close();
  server.closeAllConnections();
  rmSync(outside, { recursive: true });
});

/** The path goes as it is given: nothing is resolved or encoded. */
async function get(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answer> {
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', path, headers, method }).end();
  const [answer] = await once(asked, 'response');
  return { status: answer.statusCode, headers: answer.headers, text: String(await buffer(answer)) };
}

test('a file comes with its type, size, version and time', async () => {
  utimesSync(join(root, 'a.txt'), 1_000, 1_000);
  const { status, headers, text } = await get('/a.txt?x=1');
  assert.deepEqual([status, text], [200, '0123456789']);
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(headers['content-length'], '10');
  assert.equal(headers['last-modified'], 'Thu, 01 Jan 1970 00:16:40 GMT');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.match(headers.etag ?? '', /^"[a-z0-9-]+"$/);
  const head = await get('/a.txt', {}, 'HEAD');
  assert.deepEqual([head.status, head.headers['content-length'], head.text], [200, '10', '']);
  assert.deepEqual(head.headers.etag, headers.etag);
  assert.equal((await get('/a.txt', { 'if-none-match': headers.etag ?? '' })).status, 304);
  appendFileSync(join(root, 'a.txt'), 'x');
  assert.equal((await get('/a.txt', { 'if-none-match': headers.etag ?? '' })).status, 200);
  truncateSync(join(root, 'a.txt'), 10);
});

test('parts of a file are answered, and an empty one is', async () => {
  const part = await get('/a.txt', { range: 'bytes=2-4' });
  assert.deepEqual([part.status, part.text, part.headers['content-range']], [206, '234', 'bytes 2-4/10']);
  const beyond = await get('/a.txt', { range: 'bytes=10-' });
  assert.deepEqual([beyond.status, beyond.headers['content-range']], [416, 'bytes */10']);
  const empty = await get('/empty');
  assert.deepEqual([empty.status, empty.headers['content-length'], empty.text], [200, '0', '']);
  assert.equal((await get('/empty', { range: 'bytes=0-' })).status, 416);
});

test('a folder is a sorted page of links, and nothing in a name is markup', async () => {
  const { status, headers, text } = await get('/');
  assert.equal(status, 200);
  assert.match(String(headers['content-security-policy']), /default-src 'none'/);
  const links = Array.from(text.matchAll(/href="([^"]*)"/g), ([, link = '']) => link);
  assert.deepEqual(links.slice(0, 2), ['./inner/', './site/'], 'folders come first');
  assert.deepEqual(
    links.slice(2).sort(),
    [
      "./%3Cb%3E%22%26'.txt",
      './a.txt',
      './empty',
      './javascript%3Aalert(1)',
      './link-in',
      './two%20words%3F%23%25.txt',
    ].sort(),
  );
  assert.ok(text.includes('&lt;b&gt;&quot;&amp;&#39;.txt'));
  assert.ok(!text.includes('<b>'));
  assert.match(text, /color-scheme: light dark/);
  for (const link of links) assert.equal((await get(new URL(link, 'http://a/').pathname)).status, 200, link);
  const inner = (await get('/inner/')).text;
  assert.ok(inner.indexOf('b9.css') < inner.indexOf('b10.css'), 'numbers count');
  assert.ok(inner.includes('href="../"'));
  assert.equal((await get('/', {}, 'HEAD')).text, '');
});

test('a folder with an index.html shows it, and an address without a slash leads to the one with it', async () => {
  assert.equal((await get('/site/')).text, '<h1>site</h1>');
  const moved = await get('/site?a=b');
  assert.deepEqual([moved.status, moved.headers.location], [301, '/site/?a=b']);
});

test('nothing outside of the folder, hidden, or other than a file is served, however it is asked for', async () => {
  const paths = [
    ...[
      '/../secret.txt',
      '/..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/%2E%2E%2Fsecret.txt',
      '/inner/../../secret.txt',
    ],
    ...[
      '/..\\secret.txt',
      '/..%5csecret.txt',
      '/%252e%252e/secret.txt',
      '/./a.txt',
      '/inner/../a.txt',
      '/..',
    ],
    ...[
      '//a.txt',
      '//etc/passwd',
      '/inner//b9.css',
      '/%2fetc/passwd',
      '/a.txt%00.css',
      '/a.txt%00',
      '/%0aa.txt',
    ],
    ...[
      '/../served-too.txt',
      '/-too.txt',
      '/a.txt/',
      '/a.txt/x',
      '/A.TXT',
      '/nothing',
      `/${'a'.repeat(5_000)}`,
    ],
    ...['/link-out', '/folder-out', '/folder-out/', '/folder-out/secret.txt', '/loop', '/pipe'],
    ...['/.env', '/%2eenv', '/.git/config', '/.git/', '/link-hidden'],
  ];
  for (const path of paths) {
    const { status, text } = await get(path);
    assert.equal(status, 404, path);
    assert.ok(!text.includes('secret'), path);
  }
  for (const path of ['/%', '/%zz', '/%ff', '/%c0%ae%c0%ae/secret.txt', 'a.txt', '*', 'http://a/a.txt'])
    assert.equal((await get(path)).status, 400, path);
});

test('hidden files are served where they are asked for', async () => {
  assert.equal((await get('/.env', { 'x-hidden': '1' })).text, 'secret');
  assert.equal((await get('/link-hidden', { 'x-hidden': '1' })).text, 'secret');
  assert.ok((await get('/', { 'x-hidden': '1' })).text.includes('.git'));
  assert.equal((await get('/link-out', { 'x-hidden': '1' })).status, 404);
});

test('nothing but reading is answered', async () => {
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
    const answer = await get('/a.txt', {}, method);
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD'], method);
  }
});

test('a file that becomes shorter while it is sent does not look whole', async () => {
  const path = join(root, 'big');
  writeFileSync(path, Buffer.alloc(50_000_000));
  const { port } = server.address() as AddressInfo;
  const asked = request({ port, host: '127.0.0.1', path: '/big' }).end();
  const [answer] = await once(asked, 'response');
  truncateSync(path, 1_000);
  await assert.rejects(buffer(answer), { code: 'ECONNRESET' });
  rmSync(path);
});

test('of a folder with more entries than a page takes, the page says so', async () => {
  const many = join(root, 'many');
  mkdirSync(many);
  for (let index = 0; index <= 2_000; index++) writeFileSync(join(many, String(index)), '');
  const { text } = await get('/many/');
  assert.equal(text.match(/<tr>/g)?.length, 2_001);
  assert.match(text, /more here than these 2000: request it by its name/);
  const listed = new Set(Array.from(text.matchAll(/href="\.\/(\d+)"/g), ([, name]) => name));
  const left = Array.from({ length: 2_001 }, (_, index) => String(index)).find((name) => !listed.has(name));
  assert.equal((await get(`/many/${left}`)).status, 200);
  rmSync(many, { recursive: true });
});

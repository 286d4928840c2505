/** Browsers at the bare domain and at the address for agents: they reach the console, and agents notice nothing. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { closing, freePorts, Platform, startUpstream } from '../harness/index.ts';

const NAMES = ['underpass.localhost', 'connect.underpass.localhost'];
const page = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
let platform: Platform;
let plainPort: number;

before(async () => {
  [plainPort = 0] = await freePorts(1);
  platform = await Platform.start({ args: ['--http-listen', `127.0.0.1:${plainPort}`] });
});
after(() => platform.stop());

async function get(name: string, path: string, method = 'GET', headers: Record<string, string> = page) {
  return await platform.client.unchecked(new URL(`https://${name}:${platform.port}${path}`), {
    method,
    headers,
  });
}

/** Returns how many requests there were since the start, by result. */
async function counted(): Promise<Record<string, number>> {
  const metrics = await (await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`)).text();
  const lines = metrics.matchAll(/^underpass_signpost_requests_total\{result="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, result = '', count]) => [result, Number(count)]));
}

test('each request is counted by its result at both names, and no other request is', async () => {
  assert.deepEqual(await counted(), { redirected: 0, not_found: 0, refused: 0 });
  for (const name of NAMES) {
    await get(name, '/');
    await get(name, '/evil');
    const socket = await platform.client.tls(name);
    socket.resume().write('GET / \0\r\n\r\n');
    await closing(socket);
  }
  await platform.api('GET', '/me');
  await get('nobody.underpass.localhost', '/').catch(() => {});
  assert.deepEqual(await counted(), { redirected: 2, not_found: 2, refused: 2 });
  const { json } = await platform.api('GET', '/traffic/requests');
  assert.ok(!JSON.stringify(json).includes('/evil'), 'no account has them');
});

test('a browser that opens the bare domain or the address of agents reaches the console', async () => {
  const { base_url } = platform.bootstrap;
  for (const name of NAMES)
    for (const [path, method, more] of [
      ['/', 'GET', {}],
      ['/', 'HEAD', {}],
      ['/?next=https://evil.example/', 'GET', {}],
      ['/', 'GET', { 'x-forwarded-host': 'evil.example', cookie: '__Host-underpass.console=x' }],
    ] as const) {
      const about = `${method} ${name}${path}`;
      const { status, headers, text } = await get(name, path, method, { ...page, ...more });
      assert.deepEqual([status, headers.location, text], [302, `${base_url}/ui/`, ''], about);
      assert.equal(headers['cache-control'], 'no-store', about);
      for (const absent of ['strict-transport-security', 'set-cookie', 'access-control-allow-origin'])
        assert.equal(headers[absent], undefined, about);
    }
});

test('a foreign Host header is not in the redirect', async () => {
  for (const name of NAMES) {
    const socket = await platform.client.tls(name);
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    socket.write('GET / HTTP/1.1\r\nHost: evil.example\r\nAccept: text/html\r\nConnection: close\r\n\r\n');
    await closing(socket);
    assert.match(answer, /^HTTP\/1\.1 302 /, name);
    assert.ok(answer.includes(`\r\nlocation: ${platform.bootstrap.base_url}/ui/\r\n`), answer);
    assert.doesNotMatch(answer, /evil/);
  }
});

test('other requests there get the addresses of the service, and nothing of their own', async () => {
  const { base_url, connect_addr } = platform.bootstrap;
  for (const name of NAMES)
    for (const [path, method, headers] of [
      ['/', 'GET', { accept: '*/*' }],
      ['/', 'POST', page],
      ['/<b>', 'GET', page],
      ['//evil.example/', 'GET', page],
      ['/ui/session', 'GET', { accept: 'application/json' }],
      ['/credentials', 'GET', { authorization: `Bearer ${platform.bootstrap.api_key}` }],
    ] as const) {
      const about = `${method} ${name}${path}`;
      const answer = await get(name, path, method, headers);
      assert.equal(answer.status, 404, about);
      assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8', about);
      for (const text of [`${base_url}/ui/`, `${base_url}/docs`, connect_addr])
        assert.ok(answer.text.includes(text), about);
      assert.doesNotMatch(answer.text, /evil|<b>/, about);
      assert.equal(answer.headers.location, undefined, about);
    }
});

test('plain HTTP leads there by HTTPS', async () => {
  for (const name of NAMES) {
    const url = new URL(`http://${name}:${plainPort}/`);
    const { status, headers } = await platform.client.unchecked(url, { headers: page });
    assert.deepEqual([status, headers.location], [308, `https://${name}:${platform.port}/`]);
  }
});

test('long and broken requests at the address of agents are cut, and agents go on', async () => {
  const name = 'connect.underpass.localhost';
  const upstream = await startUpstream((_request, response) => response.end('through'));
  const agent = await platform.agent(['http', String(upstream.port)]);
  for (const bytes of [
    `GET /${'a'.repeat(40_000)} HTTP/1.1\r\n\r\n`,
    `GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(40_000)}\r\n\r\n`,
    'GET / \0\r\n\r\n',
    'GET / HTTP/9.9\r\nHost: x\r\n\r\n',
    'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  ]) {
    const socket = await platform.client.tls(name);
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    socket.write(bytes);
    await closing(socket);
    assert.match(answer, /^HTTP\/1\.1 400 /, bytes.slice(0, 20));
  }
  const left = await platform.client.tls(name);
  left.write('GE');
  left.end();
  await once(left, 'close');
  assert.equal((await platform.visit(agent.url)).text, 'through');
  assert.match((await get(name, '/')).headers.location?.toString() ?? '', /\/ui\/$/);
  await upstream.stop();
});

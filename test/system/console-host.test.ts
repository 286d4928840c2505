/** A console at a name of its own: nothing of it is left at the API, and attacks on its cookie fail at both names. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { closing, freePorts, Platform, underpassd } from '../harness/index.ts';
import { ConsoleBrowser, foreign, linkToken } from './console.fixture.ts';

const HOST = 'console.example.net';
const page = { accept: 'text/html,*/*;q=0.8' };
let platform: Platform;
let plainPort: number;
let consoleUrl: string;
let victim: ConsoleBrowser;

before(async () => {
  [plainPort = 0] = await freePorts(1);
  const args = ['--console-host', HOST, '--http-listen', `127.0.0.1:${plainPort}`];
  platform = await Platform.start({ args });
  consoleUrl = `https://${HOST}:${platform.port}`;
  victim = await ConsoleBrowser.signedIn(platform, await linkToken(platform), consoleUrl);
});
after(() => platform.stop());

async function get(url: string, headers: Record<string, string> = page, method = 'GET') {
  return await platform.client.unchecked(new URL(url), { method, headers });
}

test('links lead to its name, where a browser signs in and uses the API', async () => {
  const { json } = await platform.api('POST', '/console/links', {});
  assert.equal(new URL(json.url).origin, consoleUrl);
  const printed = await underpassd(['console', 'link', '--json', '--data-dir', platform.dataDir]);
  const { url } = JSON.parse(printed.stdout) as { url: string };
  assert.equal(new URL(url).origin, consoleUrl);
  const browser = await ConsoleBrowser.signedIn(platform, new URL(url).hash.slice(1), consoleUrl);
  const made = await browser.request('POST', '/ip_policies', { description: 'at the console' });
  assert.equal(made.status, 201);
  assert.equal(new URL(made.json.uri).origin, platform.bootstrap.base_url, 'the API stays where it is');
  assert.equal((await browser.request('DELETE', `/ip_policies/${made.json.id}`)).status, 204);
  assert.equal((await get(`${consoleUrl}/ui/`)).status, 200);
  assert.equal((await browser.request('DELETE', '/ui/session')).status, 204);
});

test('the API redirects browsers to its name, and keeps its own page', async () => {
  const { base_url } = platform.bootstrap;
  for (const [from, to] of [
    [`${base_url}/`, '/ui/'],
    [`${base_url}/ui`, '/ui'],
    [`${base_url}/ui/`, '/ui/'],
    [`${base_url}/ui/names?q=a`, '/ui/names?q=a'],
    [`${base_url}/ui/session`, '/ui/session'],
    [`${base_url}/ui//evil.example/`, '/ui//evil.example/'],
    [`https://underpass.localhost:${platform.port}/`, '/ui/'],
    [`https://connect.underpass.localhost:${platform.port}/`, '/ui/'],
  ] as const)
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await get(from, page, method);
      assert.deepEqual([status, headers.location], [302, `${consoleUrl}${to}`], `${method} ${from}`);
    }
  for (const path of ['/ui/', '/ui/session', '/ui/assets/a.js']) {
    const { status, json, headers } = await get(`${base_url}${path}`, { accept: '*/*' });
    assert.deepEqual([status, json.error_code], [421, 'ERR_SERVICE_60959'], path);
    assert.ok(json.msg.includes(`${consoleUrl}/ui/`), json.msg);
    assert.equal(headers['access-control-allow-origin'], undefined);
  }
  assert.equal((await get(`${base_url}/docs`)).status, 200);
  const docs = await get(`${consoleUrl}/docs`);
  assert.deepEqual([docs.status, docs.headers.location], [302, `${base_url}/docs`]);
  assert.equal((await platform.api('GET', '/me')).status, 200, 'keys are good at the API as before');
});

test('its cookie is of no use at the API, from whatever page', async () => {
  const { cookie, csrf } = victim;
  const atApi = new ConsoleBrowser(platform);
  Object.assign(atApi, { cookie, csrf });
  for (const headers of [{}, ...foreign]) {
    const about = JSON.stringify(headers);
    for (const path of ['/me', '/users'])
      assert.equal((await atApi.request('GET', path, undefined, headers)).status, 401, `${path} ${about}`);
    assert.equal((await atApi.request('POST', '/ip_policies', {}, headers)).status, 401, about);
    const signIn = await atApi.signIn(platform.bootstrap.api_key, headers);
    assert.deepEqual([signIn.status, signIn.headers['set-cookie']], [421, undefined], about);
    assert.equal((await atApi.request('DELETE', '/ui/session', undefined, headers)).status, 421, about);
  }
  assert.equal((await victim.request('GET', '/me')).status, 200);
});

test('at its name the cookie counts in its own pages only', async () => {
  const { base_url } = platform.bootstrap;
  const others = [
    { 'sec-fetch-site': '', origin: base_url },
    { 'sec-fetch-site': '', origin: `https://${HOST}` },
  ];
  for (const headers of [...foreign, ...others]) {
    const about = JSON.stringify(headers);
    for (const [method, path] of [
      ['GET', '/me'],
      ['GET', '/ui/session'],
      ['POST', '/ip_policies'],
      ['DELETE', '/ui/session'],
    ] as const) {
      const answer = await victim.request(method, path, method === 'POST' ? {} : undefined, headers);
      assert.deepEqual(
        [answer.status, answer.json.error_code],
        [403, 'ERR_SERVICE_60954'],
        `${path} ${about}`,
      );
      assert.equal(answer.headers['access-control-allow-origin'], undefined, about);
    }
  }
  const old = await victim.request('GET', '/me', undefined, { 'sec-fetch-site': '', origin: consoleUrl });
  assert.equal(old.status, 200, 'an old browser');
  const noToken = await victim.request('POST', '/ip_policies', {}, { 'x-csrf-token': 'x' });
  assert.equal(noToken.json.error_code, 'ERR_SERVICE_60955');
});

test('a Host header does not move a connection to the other name', async () => {
  for (const [name, host] of [
    ['api.underpass.localhost', HOST],
    [HOST, 'api.underpass.localhost'],
  ] as const) {
    const socket = await platform.client.tls(name);
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString('latin1');
    });
    const lines = [
      `Host: ${host}`,
      `Cookie: ${victim.cookie}`,
      'Sec-Fetch-Site: same-origin',
      'Connection: close',
    ];
    socket.write(`GET /me HTTP/1.1\r\n${lines.join('\r\n')}\r\nService-Version: 2\r\n\r\n`);
    await closing(socket);
    assert.match(answer, /^HTTP\/1\.1 421 /, name);
  }
});

test('plain HTTP for its name is refused, and sets nothing', async () => {
  const url = `http://${HOST}:${plainPort}/me`;
  const { status, headers } = await get(url, { cookie: victim.cookie, 'sec-fetch-site': 'same-origin' });
  assert.deepEqual([status, headers['set-cookie']], [403, undefined]);
});

test('no account gets its name, a name below it, or a wildcard over it', async () => {
  for (const domain of [HOST, `*.${HOST}`, `x.${HOST}`, '*.example.net']) {
    const { status, text } = await platform.api('POST', '/reserved_domains', { domain });
    assert.equal(status, 400, `${domain} ${text}`);
  }
  const hostports = [`${HOST}:443`];
  const edge = await platform.api('POST', '/edges/https', { hostports });
  assert.equal(edge.status, 400, edge.text);
  const free = await platform.api('POST', '/reserved_domains', { domain: 'other.example.net' });
  assert.equal(free.status, 201, free.text);
  const test = await platform.api('DELETE', `/reserved_domains/${free.json.id}`);
  assert.equal(test.status, 204);
});

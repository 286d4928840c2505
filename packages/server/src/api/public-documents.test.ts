import assert from 'node:assert/strict';
import { test } from 'node:test';
import { resourceSurfaces } from '../resources/kinds/index.ts';
import { startApi } from './api.fixture.ts';
import { openApiDocument } from './openapi.ts';
import { pageAsset, pageHtml } from './page-files.ts';
import { publicDocuments } from './public-documents.ts';

const nobody = { authorization: undefined, 'service-version': undefined };

test('the reference page and all that it loads come from the service itself, without a key', async (t) => {
  const { request } = await startApi(t);
  const page = await request('GET', '/docs', nobody);
  assert.equal(page.status, 200);
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  const links = Array.from(page.text.matchAll(/(?:src|href)="([^"]+)"/g), ([, link]) => link!);
  assert.ok(links.length >= 5);
  for (const link of links) {
    assert.match(link, /^\/[a-z]/, 'nothing is fetched from elsewhere');
    const { status, headers, text } = await request('GET', link, nobody);
    assert.equal(status, 200, link);
    assert.ok(text.length > 0, link);
    const type = { css: 'text/css', js: 'text/javascript', svg: 'image/svg+xml', json: 'application/json' };
    const extension = link.slice(link.lastIndexOf('.') + 1) as keyof typeof type;
    assert.ok(headers.get('content-type')?.startsWith(type[extension]), link);
  }
});

test('the page may talk to the service only, and is not shown inside another', async (t) => {
  const { request } = await startApi(t);
  const { headers } = await request('GET', '/docs', nobody);
  const policy = headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'/);
  assert.match(policy, /script-src 'self';/);
  assert.match(policy, /connect-src 'self'/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.equal(headers.get('x-content-type-options'), 'nosniff');
});

test('what is beside the page needs a key like any other path, and the page is only read', async (t) => {
  const { request } = await startApi(t);
  assert.equal((await request('GET', '/docs/../package.json', nobody)).status, 400);
  assert.equal((await request('GET', '/docs/page.html')).status, 404);
  const posted = await request('POST', '/docs');
  assert.equal(posted.status, 405);
  assert.equal(posted.headers.get('allow'), 'GET, HEAD, OPTIONS');
  assert.equal((await request('GET', '/docs?x=1')).json.error_code, 'ERR_SERVICE_231');
});

test('what a module of the page imports is preloaded, so that nothing waits for it', async (t) => {
  const { request } = await startApi(t);
  const { text: page } = await request('GET', '/docs', nobody);
  const scripts = Array.from(
    page.matchAll(/(?:src|href)="(\/ui\/assets\/[\w-]+\.js)"/g),
    ([, link]) => link!,
  );
  assert.ok(scripts.length > 1);
  for (const script of scripts) {
    const { text } = await request('GET', script, nobody);
    for (const [, name] of text.matchAll(/(?:from|import)"\.\/([\w-]+\.js)"/g)) {
      assert.ok(scripts.includes(`/ui/assets/${name}`), `${script} imports ${name}`);
    }
  }
});

test('the document goes out in the best coding that the client takes, and not at all to who has it', async (t) => {
  const { port, request } = await startApi(t);
  const get = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${port}/openapi.json`, {
      headers: { 'accept-encoding': 'identity', ...headers },
    });
  const plain = await get({});
  assert.equal(plain.headers.get('content-encoding'), null);
  assert.equal(plain.headers.get('vary'), 'accept-encoding');
  const text = await plain.text();
  const seen = new Set<string | null>();
  for (const [accepted, coding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['*', 'br'],
    ['deflate, *;q=0', null],
    ['zstd', null],
    [';;q=,,=', null],
  ] as const) {
    const answer = await get({ 'accept-encoding': accepted });
    assert.equal(answer.headers.get('content-encoding'), coding, accepted);
    assert.equal(await answer.text(), text);
    const etag = answer.headers.get('etag') ?? '';
    seen.add(etag);
    const again = await get({ 'accept-encoding': accepted, 'if-none-match': `"x", W/${etag}` });
    assert.equal(again.status, 304);
    assert.equal(again.headers.get('etag'), etag);
    assert.equal(await again.text(), '');
  }
  assert.equal(seen.size, 3, 'a tag for each coding');
  const identity = await request('GET', '/openapi.json', { ...nobody, 'if-none-match': '"other"' });
  assert.equal(identity.status, 200);
});

test('the page with all that it loads, and the document of every kind, are at most 64 KiB on the wire', async () => {
  const openApi = openApiDocument(resourceSurfaces, { baseUrl: 'https://x', versionHeaders: ['V'] });
  const documents = publicDocuments(() => JSON.stringify(openApi));
  const html = (await pageHtml('docs.html')).toString();
  const assets = Array.from(html.matchAll(/"\/ui\/assets\/([^"]+)"/g), ([, name]) => name!);
  const contents = [
    ...documents.flatMap(({ content }) => content ?? []),
    ...(await Promise.all(assets.map(async (name) => (await pageAsset(name))!))),
  ];
  const sizes = await Promise.all(contents.map(async (content) => (await content.for('br')).bytes.length));
  const total = sizes.reduce((sum, size) => sum + size, 0);
  assert.ok(total <= 64 * 1024, `${total} bytes`);
});

test('a browser that asks for the root is led to the page; who asks for data gets what it always got', async (t) => {
  const { request } = await startApi(t);
  const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  for (const accept of [browser, 'TEXT/HTML', 'text/html;q=0.9, application/json;q=0.5']) {
    const led = await request('GET', '/', { ...nobody, accept });
    assert.equal(led.status, 302);
    assert.equal(led.headers.get('location'), '/ui/');
    assert.equal(led.headers.get('vary'), 'accept');
    assert.equal(led.text, '');
  }
  for (const accept of [
    undefined,
    '*/*',
    'application/json',
    'application/json, text/html;q=0.5',
    'text/html;q=0',
  ]) {
    assert.equal((await request('GET', '/', { ...nobody, 'service-version': '2', accept })).status, 401);
    assert.equal((await request('GET', '/', { accept })).status, 404);
  }
  for (const [method, path] of [
    ['POST', '/'],
    ['GET', '/gadgets'],
    ['GET', '/?x=1'],
  ] as const)
    assert.notEqual((await request(method, path, { accept: browser })).status, 302);
});

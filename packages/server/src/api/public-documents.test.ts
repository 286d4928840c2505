import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from './api.fixture.ts';

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
    const type = { css: 'text/css', js: 'text/javascript', png: 'image/png', json: 'application/json' };
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
  assert.equal(posted.headers.get('allow'), 'GET');
  assert.equal((await request('GET', '/docs?x=1')).json.error_code, 'ERR_SERVICE_231');
});

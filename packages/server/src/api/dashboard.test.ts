import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApi } from './api.fixture.ts';

const nobody = { authorization: undefined, 'service-version': undefined };
const browser = { ...nobody, accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

test('every path of a page has the same HTML without a key, with a strict policy', async (t) => {
  const { request } = await startApi(t);
  const home = await request('GET', '/ui/', browser);
  for (const path of ['/ui/', '/ui/names/shop.example.com', '/ui/traffic?filter=status%3E499']) {
    const { status, headers, text } = await request('GET', path, browser);
    assert.equal(status, 200, path);
    assert.equal(text, home.text);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal(headers.get('cache-control'), 'no-cache');
    assert.equal(headers.get('referrer-policy'), 'no-referrer');
    assert.equal(headers.get('x-content-type-options'), 'nosniff');
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self';/);
    assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  }
  assert.match(home.text, /name="version-header" content="Service-Version"/);
});

test('assets are kept for a year under names with a hash, and others are not there', async (t) => {
  const { request } = await startApi(t);
  const { text } = await request('GET', '/ui/', browser);
  const assets = Array.from(text.matchAll(/(?:src|href)="(\/ui\/assets\/[^"]+)"/g), ([, path]) => path!);
  assert.ok(assets.length > 2);
  for (const path of assets) {
    assert.match(path, /-[0-9A-Z]{8}\.(js|css)$/);
    const { status, headers } = await request('GET', path, nobody);
    assert.equal(status, 200, path);
    assert.equal(headers.get('cache-control'), 'public, max-age=31536000, immutable');
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin');
    assert.match(headers.get('content-type') ?? '', /^text\/(javascript|css)/);
  }
  for (const path of ['/ui/assets/main-00000000.js', '/ui/assets/../index.html', '/ui/assets/index.html'])
    assert.ok([400, 404].includes((await request('GET', path)).status), path);
});

test('clients that want data get the errors of the API below /ui/, and pages are only read', async (t) => {
  const { request } = await startApi(t);
  assert.equal((await request('GET', '/ui/names', { accept: 'application/json' })).status, 404);
  assert.equal((await request('GET', '/ui/names', nobody)).status, 400);
  assert.equal((await request('POST', '/ui/names', browser)).status, 405);
  const led = await request('GET', '/ui', browser);
  assert.equal(led.status, 308);
  assert.equal(led.headers.get('location'), '/ui/');
});

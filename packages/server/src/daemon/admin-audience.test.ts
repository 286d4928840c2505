/** Tests of the requests that the admin listener serves. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isServed } from './admin-audience.ts';

const NAMES = new Set(['edge1.example.com']);

function served(headers: Readonly<Record<string, string>>): boolean {
  return isServed(new Map(Object.entries(headers)), NAMES);
}

const ADDRESSES = ['127.0.0.1', '127.0.0.1:9090', '[::1]:9090', '10.0.0.7', 'localhost', 'LOCALHOST:9090'];
const LISTED = ['edge1.example.com', 'Edge1.Example.com:9090', 'edge1.example.com.:9090'];
const UNLISTED = [
  'underpass.default.svc:9090',
  'edge1',
  'evil.example.com',
  'xedge1.example.com',
  'edge1.example.com.evil.example',
];

test('programs are served under every name, and without one', () => {
  assert.ok(served({}));
  for (const host of [...ADDRESSES, ...LISTED, ...UNLISTED, ''])
    assert.ok(served({ host, 'user-agent': 'Prometheus/2.45', accept: '*/*' }), host);
});

test('the fetch of Node is a program, although it sends an Accept-Language', () => {
  for (const host of [...ADDRESSES, ...LISTED, ...UNLISTED])
    assert.ok(served({ host, 'accept-language': '*', 'sec-fetch-mode': 'cors' }), host);
});

test('a request with an Origin is refused under every name', () => {
  for (const host of [...ADDRESSES, ...LISTED, ...UNLISTED])
    for (const origin of ['https://evil.example.com', `http://${host}`, 'null', ''])
      assert.ok(!served({ host, origin }), host);
});

test('a request that another site caused is refused under every name', () => {
  for (const host of [...ADDRESSES, ...LISTED, ...UNLISTED])
    for (const site of ['cross-site', 'same-site', 'unknown', ''])
      assert.ok(!served({ host, 'sec-fetch-site': site }), `${host} ${site}`);
});

test('a browser is served at an address that its user typed, and under listed names', () => {
  const language = { 'accept-language': 'en' };
  for (const host of [...ADDRESSES, ...LISTED]) {
    assert.ok(served({ host, ...language }), host);
    assert.ok(served({ host, ...language, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }), host);
  }
  for (const host of LISTED) assert.ok(served({ host, ...language, 'sec-fetch-site': 'same-origin' }), host);
  for (const host of ADDRESSES)
    assert.ok(!served({ host, ...language, 'sec-fetch-site': 'same-origin' }), host);
});

test('a page whose name was rebound to this address is refused, with fetch metadata and without', () => {
  for (const host of UNLISTED) {
    assert.ok(!served({ host, 'accept-language': 'en' }), host);
    for (const site of ['none', 'same-origin'])
      assert.ok(
        !served({ host, 'accept-language': '*', 'sec-fetch-site': site, 'sec-fetch-mode': 'cors' }),
        host,
      );
  }
});

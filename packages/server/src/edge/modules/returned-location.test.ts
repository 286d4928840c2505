import assert from 'node:assert/strict';
import { test } from 'node:test';
import { returnedLocation, toldOrigin } from './returned-location.ts';

function returned(location: string, told = 'localhost:3000'): string | null {
  return returnedLocation(location, { told, asked: 'a.example:8443', scheme: 'https' });
}

test('what leads to the name that the upstream was told leads to the one that was asked for', () => {
  assert.equal(
    returned('http://localhost:3000/login?next=%2F#top'),
    'https://a.example:8443/login?next=%2F#top',
  );
  assert.equal(returned('HTTPS://LOCALHOST:3000'), 'https://a.example:8443');
  assert.equal(returned('//localhost:3000?x'), '//a.example:8443?x');
  for (const [location, told] of [
    ['http://inside.example:80/', 'inside.example'],
    ['http://inside.example/', 'INSIDE.example:80'],
    ['https://inside.example:443/', 'inside.example'],
    ['http://inside.example:/', 'inside.example'],
  ] as const) {
    assert.equal(returned(location, told), 'https://a.example:8443/', location);
  }
});

test('what leads elsewhere stays', () => {
  for (const location of [
    '',
    '/login',
    'login',
    '?x',
    'http://localhost/',
    'http://localhost:3001/',
    'http://localhost:3000.evil.example/',
    'http://user@localhost:3000/',
    'http://other.example/http://localhost:3000/',
    'ftp://localhost:3000/',
    'javascript://localhost:3000/',
    'http:///x',
    'http:localhost:3000',
    'https://inside.example:80/',
  ]) {
    assert.equal(returned(location), null, location);
    assert.equal(returned(location, 'inside.example'), null, location);
  }
});

const change = { told: 'localhost:3000', asked: 'a.example:8443', scheme: 'https' } as const;

test('Origin and Referer of the public name have the name that the upstream was told', () => {
  assert.equal(toldOrigin('https://a.example:8443', change), 'https://localhost:3000');
  assert.equal(toldOrigin('https://A.example:8443/x?y#z', change), 'https://localhost:3000/x?y#z');
  assert.equal(
    toldOrigin('https://a.example', { ...change, asked: 'a.example:443' }),
    'https://localhost:3000',
  );
});

test('those of another origin stay', () => {
  for (const value of [
    'null',
    '',
    'https://a.example',
    'http://a.example:8443',
    'https://a.example:8443.evil',
    'https://evil.example/https://a.example:8443',
    'https://a.example:8443@evil.example/',
    'https://evil.example?https://a.example:8443',
    'https://x.a.example:8443',
    'https://',
  ]) {
    assert.equal(toldOrigin(value, change), null, value);
  }
  assert.equal(toldOrigin('https://', { ...change, asked: '' }), null);
});

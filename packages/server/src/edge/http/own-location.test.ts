import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ownLocation } from './own-location.ts';
import { always, get, NAME, startTestServer } from './test-server.fixture.ts';

const https = { host: 'a.example:8443', scheme: 'https', publicPort: 8443 } as const;
const http = { host: 'a.example', scheme: 'http', publicPort: 8443 } as const;

test('the public name with the port or scheme of the service leads to where the visitor was', () => {
  for (const [location, corrected] of [
    ['http://a.example/x', 'https://a.example:8443/x'],
    ['http://a.example:8080/x?y=http://b/#z', 'https://a.example:8443/x?y=http://b/#z'],
    ['https://a.example:3000/x', 'https://a.example:8443/x'],
    ['https://a.example/x', 'https://a.example:8443/x'],
    ['HTTP://A.example:8443', 'https://a.example:8443'],
    ['//a.example:3000/x', '//a.example:8443/x'],
    ['http://a.example?x', 'https://a.example:8443?x'],
  ] as const) {
    assert.equal(ownLocation(location, https), corrected, location);
  }
  for (const [location, corrected] of [
    ['http://a.example:8080/x', 'http://a.example/x'],
    ['https://a.example:3000/x', 'http://a.example/x'],
  ] as const) {
    assert.equal(ownLocation(location, http), corrected, location);
  }
});

test('all else stays', () => {
  for (const location of [
    '',
    '/x',
    'x',
    'https://a.example:8443/x',
    '//a.example:8443/x',
    'http://b.example/x',
    'http://x.a.example/',
    'http://a.example.evil/',
    'http://a.example:x/',
    'http://a.example@b.example/',
    'http://b@a.example/',
    'http://a.example:80@b.example/',
    'http://a.example\\@b.example/',
    'ftp://a.example/',
    'http:a.example',
  ]) {
    assert.equal(ownLocation(location, https), null, location);
  }
  for (const location of [
    'http://a.example/',
    'http://a.example:80/',
    'https://a.example/',
    'https://a.example:8443/',
  ]) {
    assert.equal(ownLocation(location, http), null, location);
  }
});

const found = (fields: string) => always(`HTTP/1.1 302 Found\r\n${fields}Content-Length: 0\r\n\r\n`);

test('a visitor gets the corrected Location once, and that of another host as it came', async (t) => {
  for (const [given, got] of [
    [`http://${NAME}:3000/next`, `https://${NAME}/next`],
    [`https://${NAME}/next`, `https://${NAME}/next`],
    ['http://other.example:3000/next', 'http://other.example:3000/next'],
  ]) {
    const testServer = await startTestServer(t, found(`Location: ${given}\r\nX: y\r\n`));
    const client = await testServer.connect();
    for (let i = 0; i < 2; i += 1) {
      client.send(get());
      const { headers } = await client.answer();
      assert.equal(headers.get('location'), got);
      assert.equal(headers.get('x'), 'y');
    }
    client.send(
      get('/', `Forwarded: x\r\nConnection: close\r\n`).replace(`Host: ${NAME}`, `Host: ${NAME}:8443`),
    );
    const { headers } = await client.answer();
    assert.equal(headers.get('location'), got!.replace(`https://${NAME}/`, `https://${NAME}:8443/`));
  }
});

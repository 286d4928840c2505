import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { HttpLog } from '../http-log.ts';
import { passBy } from './inspector.fixture.ts';
import { search } from './search.ts';
import { Store } from './store.ts';

/** A message of the server, in a frame of its own. */
function frame(first: number, payload: Buffer): Buffer {
  return Buffer.concat([Buffer.from([first, payload.length]), payload]);
}

test('what WebSocket messages say is found, compressed or not', async () => {
  const store = new Store();
  const log = new HttpLog({
    report: undefined,
    capture: store.capture({ tunnel: 1, client: '', replayOf: null }),
    now: () => 0,
  });
  const upgrade = 'Upgrade: websocket\r\nConnection: Upgrade\r\n';
  const answer = `HTTP/1.1 101 Switching Protocols\r\n${upgrade}Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n`;
  passBy(Buffer.from(`GET /ws HTTP/1.1\r\nHost: x\r\n${upgrade}\r\n`), (seen) => log.request(seen));
  const compressed = deflateRawSync('a needle, a needle, a needle');
  for (const bytes of [
    Buffer.from(answer),
    frame(0x81, Buffer.from('a pin')),
    frame(0x82, Buffer.from('a nail')),
    frame(0xc1, compressed),
  ])
    passBy(bytes, (seen) => log.response(seen));
  const { signal } = new AbortController();
  for (const [text, count] of [
    ['A NEEDLE, a needle, a', 1],
    ['pin', 1],
    ['nail', 1],
    ['hay', 0],
  ] as const)
    assert.equal((await search(store.all, text, signal)).length, count, text);
  log.close();
});

test('a form and a path are found by what they mean, in any case', async () => {
  const store = new Store();
  const origin = { tunnel: 1, client: '', replayOf: null, method: 'POST', target: '/', startedAt: 0 };
  const exchange = store.add(origin, 'POST /Stra%C3%9Fe HTTP/1.1\r\nHost: x\r\n');
  const body = Buffer.from('name=J%C3%BCrgen+Doe');
  exchange.requestBody(body, 0, body.length);
  exchange.end(true);
  const { signal } = new AbortController();
  for (const [text, count] of [
    ['/STRASSE', 1],
    ['jÜrgen doe', 1],
    ['J%c3%bcrgen+', 1],
    ['juergen', 0],
  ] as const)
    assert.equal((await search(store.all, text, signal)).length, count, text);
});

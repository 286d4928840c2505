import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HttpLog } from '../http-log.ts';
import { passBy } from './inspector.fixture.ts';
import { CAPTURE_LIMITS, type CaptureLimits } from './limits.ts';
import { Store } from './store.ts';
import { detailsOf, messagesOf } from './views.ts';

interface Step {
  readonly side: 'request' | 'response';
  readonly bytes: Buffer;
}

const SOURCE = { tunnel: 1, client: '192.0.2.1:1', replayOf: null };
const request = (text: string): Step => ({ side: 'request', bytes: Buffer.from(text, 'latin1') });
const response = (text: string): Step => ({ side: 'response', bytes: Buffer.from(text, 'latin1') });

function watched(limits: CaptureLimits = CAPTURE_LIMITS) {
  const store = new Store({ limits, now: () => 0, clock: () => 0 });
  const log = () => new HttpLog({ report: undefined, capture: store.capture(SOURCE), now: () => 0 });
  return { store, log };
}

function run(steps: readonly Step[], cut: (bytes: Buffer) => Buffer[] = (bytes) => [bytes]): Store {
  const { store, log } = watched();
  const one = log();
  for (const { side, bytes } of steps)
    for (const piece of cut(bytes)) passBy(piece, (seen) => one[side](seen));
  one.close();
  return store;
}

function shown(store: Store): unknown[] {
  return store.all.map((exchange) => ({
    ...detailsOf(exchange, null),
    bodies: [exchange.request.bytes.toString('latin1'), exchange.response.bytes.toString('latin1')],
    messages: messagesOf(exchange),
  }));
}

const TWO = [
  request(
    'POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;e=1\r\nde\r\n0\r\nT: v\r\n\r\n',
  ),
  request('GET /b HTTP/1.1\r\nHost: x\r\n\r\n'),
  response('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Made\r\nContent-Length: 4\r\nX: 1\r\nX: 2\r\n\r\nmade'),
  response('HTTP/1.1 200 OK\r\n\r\nuntil the end'),
];

const WEBSOCKET = [
  request('GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
  response(
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x05hello',
  ),
  // "hi!" masked with 01020304, in two frames, with a ping in between.
  request('\x01\x82\x01\x02\x03\x04ik\x89\x80\x00\x00\x00\x00\x80\x81\x01\x02\x03\x04\x20'),
  response(`\x82\x7e\x01\x00${'b'.repeat(256)}\x88\x05\x03\xe8bye`),
];

test('heads and bodies are kept as they were meant, without what frames them', () => {
  const [first, second] = run(TWO).all;
  assert.ok(first && second);
  assert.equal(first.request.bytes.toString(), 'abcde');
  assert.equal(first.response.bytes.toString(), 'made');
  const { request: asked, response: answered, status } = detailsOf(first, 'https://demo.test');
  assert.equal(status, 201);
  assert.deepEqual(asked.headers, [
    ['Host', 'x'],
    ['Transfer-Encoding', 'chunked'],
  ]);
  assert.equal(answered?.reason, 'Made');
  assert.deepEqual(answered?.headers.slice(1), [
    ['X', '1'],
    ['X', '2'],
  ]);
  assert.equal(second.response.bytes.toString(), 'until the end');
  assert.deepEqual([first.outcome, second.outcome], ['complete', 'broken']);
});

test('the messages of a WebSocket are read in both directions', () => {
  const [exchange] = run(WEBSOCKET).all;
  assert.ok(exchange);
  const { count, messages } = messagesOf(exchange);
  assert.equal(count, 5);
  assert.deepEqual(
    messages.map(({ direction, kind, text }) => [direction, kind, text?.slice(0, 8)]),
    [
      ['received', 'text', 'hello'],
      ['sent', 'ping', ''],
      ['sent', 'text', 'hi!'],
      ['received', 'binary', '62626262'],
      ['received', 'close', '1000 bye'],
    ],
  );
  assert.equal(exchange.outcome, 'complete');
});

test('however the bytes are cut, what is kept is the same', () => {
  for (const steps of [TWO, WEBSOCKET]) {
    const whole = shown(run(steps));
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }), (sizes) => {
        let next = 0;
        const cut = (bytes: Buffer): Buffer[] => {
          const pieces: Buffer[] = [];
          for (let at = 0; at < bytes.length; ) {
            const size = sizes[next++ % sizes.length]!;
            pieces.push(bytes.subarray(at, at + size));
            at += size;
          }
          return pieces;
        };
        assert.deepEqual(shown(run(steps, cut)), whole);
      }),
    );
  }
});

test('bytes of any kind never throw', () => {
  const side = fc.constantFrom('request' as const, 'response' as const);
  const piece = fc.record({ side, bytes: fc.uint8Array().map((it) => Buffer.from(it)) });
  fc.assert(
    fc.property(fc.boolean(), fc.array(piece), (isUpgraded, pieces) => {
      run([...(isUpgraded ? WEBSOCKET : []), ...pieces]);
    }),
  );
});

const SMALL: CaptureLimits = {
  ...{ exchanges: 4, bytes: 20_000, bodyBytes: 1_000 },
  ...{ messages: 3, messagesBytes: 2_000, messageBytes: 500 },
};

test('of long bodies the beginning is kept, and their length', () => {
  const { store, log } = watched(SMALL);
  const one = log();
  one.request(Buffer.from('POST / HTTP/1.1\r\nContent-Length: 5000\r\n\r\n'));
  for (let sent = 0; sent < 5_000; sent++) one.request(Buffer.from('x'));
  const { request: body } = store.all[0]!;
  assert.deepEqual([body.bytes.length, body.size, body.isCut], [1_000, 5_000, true]);
  assert.equal(body.memory, 1_000);
});

test('the oldest give way, also those that are under way, and nothing of them is kept any more', () => {
  const { store, log } = watched(SMALL);
  const logs = Array.from({ length: 10 }, log);
  for (const [index, one] of logs.entries())
    one.request(Buffer.from(`POST /${index} HTTP/1.1\r\nContent-Length: 900\r\n\r\n${'x'.repeat(400)}`));
  assert.deepEqual(
    store.all.map(({ origin }) => origin.target),
    ['/6', '/7', '/8', '/9'],
  );
  assert.equal(store.oldestId, 7);
  const { bytes } = store;
  logs[0]!.request(Buffer.from('y'.repeat(400)));
  logs[0]!.response(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'));
  assert.equal(store.bytes, bytes);
  const upgraded = log();
  for (const { side, bytes } of WEBSOCKET) upgraded[side](bytes);
  store.clear();
  upgraded.response(Buffer.from('\x81\x05hello', 'latin1'));
  upgraded.close();
  assert.equal(store.bytes, 0);
  assert.equal(store.oldestId, 12);
});

test('many bodies together take no more than they may', () => {
  const limits = { ...SMALL, exchanges: 1_000 };
  const { store, log } = watched(limits);
  for (let visit = 0; visit < 100; visit++) {
    const one = log();
    one.request(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
    one.response(Buffer.from(`HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n${'x'.repeat(900)}`));
  }
  assert.ok(store.bytes <= limits.bytes, String(store.bytes));
  assert.ok(store.all.length > 2);
});

test('of a WebSocket the latest messages are kept, and of a long one the beginning', () => {
  const { store, log } = watched(SMALL);
  const one = log();
  for (const { side, bytes } of WEBSOCKET.slice(0, 2)) one[side](bytes);
  const text = Buffer.alloc(1_004, 'x');
  text.writeUInt32BE(0x817e03e8);
  for (let sent = 0; sent < 50; sent++) one.response(text);
  const { messages } = store.all[0]!;
  assert.equal(messages?.count, 51);
  assert.equal(messages?.kept.length, 2);
  assert.deepEqual([messages?.kept[0]?.payload.bytes.length, messages?.kept[0]?.payload.size], [500, 1_000]);
  assert.ok(store.bytes < 4_000, String(store.bytes));
});

test('an answer that comes before the request is complete leaves the rest of that to it', () => {
  const { store, log } = watched();
  const one = log();
  one.request(Buffer.from('POST / HTTP/1.1\r\nContent-Length: 6\r\n\r\nabc'));
  one.response(Buffer.from('HTTP/1.1 413 No\r\nContent-Length: 0\r\n\r\n'));
  one.request(Buffer.from('def'));
  assert.equal(store.all[0]?.request.bytes.toString(), 'abcdef');
});

test('a refused response is shown with its line, and one that is mended as it goes on', () => {
  const asked = request('GET /a HTTP/1.1\r\nHost: x\r\n\r\n');
  const [refused] = run([asked, response('HTTP/1.1 200 OK\r\nBad Name: 1\r\n\r\n')]).all;
  const { status, fault } = detailsOf(refused!, null);
  assert.equal(status, null);
  assert.equal(fault, 'The response is not valid HTTP: a header line whose name is not valid: "Bad Name: 1"');
  const [mended] = run([asked, response('HTTP/1.1 200 OK\nX : a\nContent-Length: 2\n\nhi')]).all;
  assert.deepEqual(detailsOf(mended!, null).response?.headers, [
    ['X', 'a'],
    ['Content-Length', '2'],
  ]);
  assert.equal(mended!.response.bytes.toString(), 'hi');
});

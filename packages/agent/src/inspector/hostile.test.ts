/** Attacks by a visitor, or by a foreign file: requests to send, memory to fill, and commands for the user to paste. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { deflateRawSync } from 'node:zlib';
import { missingPrograms } from '../../../../test/harness/missing.ts';
import { serve as listen } from '../testing/upstream.fixture.ts';
import type { ExchangeDetails } from './api-types.ts';
import { curlCommand } from './curl.ts';
import { inspect, request } from './inspector.fixture.ts';
import { replayedRequest, requestBytes } from './replay.ts';
import { answerOf } from './routes.ts';
import { Store } from './store.ts';
import { messagesOf } from './views.ts';

const ORIGIN = { tunnel: 1, client: '', replayOf: null, method: 'POST', startedAt: 0 };

/** A request whose head and body came; `head` is the rest of its first line, and its headers. */
function came(target: string, headers = '', body: Buffer | string = '') {
  const lines = Buffer.from(`POST ${target} HTTP/1.1\r\n${headers}`).toString('latin1');
  const exchange = new Store().add({ ...ORIGIN, target }, lines);
  const bytes = Buffer.from(body);
  exchange.requestBody(bytes, 0, bytes.length);
  return exchange;
}

test('of a request that never came whole nothing is sent again, nor made a command', () => {
  const exchange = came('/', 'Content-Length: 9\r\n', 'half');
  assert.throws(() => replayedRequest(exchange, {}), /beginning/);
  assert.equal(curlCommand(exchange, 'http://demo.test/', null), null);
  assert.match(requestBytes(replayedRequest(exchange, { body: 'other' })).toString(), /other$/);
  exchange.requestEnd();
  assert.match(requestBytes(replayedRequest(exchange, {})).toString(), /half$/);
  assert.notEqual(curlCommand(exchange, 'http://demo.test/', null), null);
});

test('what gave way while its replay was being asked for is not sent without its body', async (t) => {
  const { inspector, visit } = await inspect(t, (_, response) => response.end());
  await visit(request('POST /once HTTP/1.1', 'body'));
  const answer = await answerOf(inspector, {
    method: 'POST',
    url: new URL('http://inspector/api/exchanges/1/replay'),
    body: async () => {
      inspector.store.clear();
      return '';
    },
    signal: AbortSignal.timeout(60_000),
  });
  assert.equal(answer.status, 404);
  assert.equal(inspector.store.all.length, 0);
});

test('what gave way while a HAR was written is not in it', async (t) => {
  const { inspector, api, visit } = await inspect(t, (_, response) => response.end('x'.repeat(200_000)));
  for (let visits = 0; visits < 50; visits++) await visit(request('GET / HTTP/1.1'));
  const { body } = await api('GET', '/api/har');
  const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
  let file = (await reader.read()).value ?? '';
  inspector.store.clear();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) file += piece.value;
  const entries: { request: { headers: unknown[] } }[] = JSON.parse(file).log.entries;
  assert.ok(entries.length < 50, 'all were written before they could give way');
  assert.ok(entries.every((entry) => entry.request.headers.length > 0));
});

test('bytes of a head that are no UTF-8 are sent again as they came', () => {
  const store = new Store();
  const lines = 'POST /caf\xe9 HTTP/1.1\r\nX-Name: Andr\xe9\r\nX-City:\t voil\xc3\xa0 \r\n';
  const exchange = store.add({ ...ORIGIN, target: '/caf\xe9' }, lines);
  exchange.requestEnd();
  assert.match(
    requestBytes(replayedRequest(exchange, {})).toString('latin1'),
    /^POST \/caf\xe9 HTTP\/1.1\r\nX-Name: Andr\xe9\r\nX-City: voil\xc3\xa0\r\n/,
  );
  const edited = requestBytes(
    replayedRequest(exchange, { path: '/\u00f6', headers: [['X-City', 'K\u00f6ln']] }),
  );
  assert.match(edited.toString(), /^POST \/\u00f6 HTTP\/1.1\r\nX-City: K\u00f6ln\r\n/);
});

test('the command for curl has nothing in it that a terminal obeys, and sends it all the same', {
  skip: missingPrograms('curl'),
}, async (t) => {
  const got: string[] = [];
  const server = createServer({ insecureHTTPParser: true }, async (incoming, response) => {
    got.push(`${incoming.headers['x-a']} ${await buffer(incoming).then((body) => body.toString('latin1'))}`);
    response.end();
  });
  const upstream = await listen(server);
  t.after(() => upstream.stop());
  const hostile = 'a\x1b[201~\x03\rid > /tmp/x\n\t';
  const text = 'two\nlines';
  const long = 'y'.repeat(200_000);
  for (const body of [hostile, text, long]) {
    const exchange = came('/', 'X-A: \x1b[201~%s\\ \u009bK\u00f6ln\x07\r\n', body);
    exchange.requestEnd();
    const command = curlCommand(exchange, `http://127.0.0.1:${upstream.port}/`, null) ?? '';
    assert.doesNotMatch(command, /[^\P{Cc}\n]/u);
    const shell = promisify(execFile)('sh');
    // As a word of the shell's own command line it would be too long.
    shell.child.stdin?.end(command.replace('curl ', 'curl --silent --show-error '));
    await shell;
    const header = Buffer.from('\x1b[201~%s\\ \u009bK\u00f6ln\x07').toString('latin1');
    assert.equal(got.at(-1), `${header} ${body}`);
  }
});

test('a URL is never one of another scheme, nor an option of curl', async (t) => {
  const { api, json } = await inspect(t, (_, response) => response.end());
  for (const scheme of ['javascript', '-Kconfig', 'file']) {
    const headers = [
      { name: 'Host', value: 'demo.test' },
      { name: 'X-Forwarded-Proto', value: scheme },
    ];
    const entry = { startedDateTime: '2026-01-01T00:00:00Z', response: { headers: [] } };
    const asked = { method: 'GET', url: 'http://demo.test/', headers };
    const file = JSON.stringify({ log: { entries: [{ ...entry, request: asked }] } });
    assert.equal((await api('POST', '/api/har', file)).status, 201);
  }
  for (const id of [1, 2, 3])
    assert.equal(((await json(`/api/exchanges/${id}`)) as ExchangeDetails).url, 'http://demo.test/');
});

test('messages that were compressed each for itself take no more memory than one body', () => {
  const exchange = came('/ws');
  const head =
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nSec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover\r\n';
  exchange.responseHead(101, head);
  exchange.upgraded();
  const bomb = deflateRawSync(Buffer.alloc(900_000)).subarray(0, -1);
  const frame = Buffer.concat([Buffer.from([0xc1, 126, bomb.length >> 8, bomb.length & 255]), bomb]);
  for (let sent = 0; sent < 100; sent++) exchange.sent(frame);
  const { messages } = messagesOf(exchange);
  const shown = messages.reduce((sum, { text }) => sum + (text?.length ?? 0), 0);
  assert.equal(messages.length, 100);
  assert.ok(shown > 800_000 && shown <= 1_100_000, String(shown));
});

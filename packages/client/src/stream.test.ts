/** Tests of the stream of events in the client. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { makeCertificate } from '../../agent/src/testing/certificates.fixture.ts';
import { EventReader } from './event-reader.ts';
import { ApiError, Client, type StreamEvent, type StreamOptions } from './index.ts';
import { cut, refusal, ScriptedServer, type Step } from './scripted-server.fixture.ts';

const HOST = 'api.underpass.localhost';
const certificate = makeCertificate(HOST);

async function setUp(t: TestContext) {
  const server = await ScriptedServer.start(certificate);
  const client = new Client({
    ...{ baseUrl: `https://${HOST}:${server.port}`, apiKey: 'key', ca: certificate.ca },
    retry: { attempts: 4, maxDelayMs: 10 },
  });
  t.after(async () => {
    client.close();
    await server.stop();
  });
  return { server, client };
}

function events(text: string, isEnded = true): Step {
  return (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(text);
    if (isEnded) response.end();
  };
}

const change = (id: number) => `id: ${id}\nevent: change\ndata: {"id":"c${id}"}\n\n`;

/** Reads this many events. */
async function take(client: Client, count: number, options: StreamOptions = {}): Promise<StreamEvent[]> {
  const taken: StreamEvent[] = [];
  for await (const event of client.stream(options)) {
    taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

test('events are yielded, and a cut stream continues behind the last one', async (t) => {
  const { server, client } = await setUp(t);
  server.script(events(`:\n\n${change(1)}:\nid: 7\n\n`), cut, events(change(8), false));
  const taken = await take(client, 2, { topics: ['changes', 'sessions'] });
  assert.deepEqual(taken, [
    { event: 'change', data: { id: 'c1' }, id: '1' },
    { event: 'change', data: { id: 'c8' }, id: '8' },
  ]);
  assert.deepEqual(
    server.seen.map(({ headers }) => headers['last-event-id']),
    [undefined, '7', '7'],
  );
  assert.equal(server.seen[0]?.url, '/stream?topics=changes%2Csessions');
  assert.equal(server.seen[0]?.headers.accept, 'text/event-stream');
  await server.deserted();
});

test('a refusal that lasts is thrown, and one that passes is not', async (t) => {
  const { server, client } = await setUp(t);
  server.script(refusal(503, 1), refusal(429, 2), events(change(1)), refusal(401, 3));
  await assert.rejects(take(client, 2), (error) => error instanceof ApiError && error.status === 401);
  assert.equal(server.seen.length, 4);
});

test('an abort ends the stream with its reason, while it reads and while it waits', async (t) => {
  const { server, client } = await setUp(t);
  for (const step of [events(change(1), false), refusal(503, 1)]) {
    server.script(step);
    const ended = new AbortController();
    const reason = new Error('enough');
    const arrived = server.arrived(server.seen.length + 1);
    const reading = (async () => {
      for await (const _ of client.stream({}, { signal: ended.signal })) ended.abort(reason);
    })();
    await arrived;
    ended.abort(reason);
    await assert.rejects(reading, reason);
  }
  client.close();
  await server.deserted();
});

test('events are read in the same way, however they are cut, and an endless one is refused', () => {
  const text =
    'retry: 5\r\n\r\nevent: a\ndata: 1\ndata: 2\n\ndata:x\r\rid: 3\n\n: c\nid\nevent: b\ndata: ü\n\n';
  const whole = new EventReader('0').push(text);
  assert.deepEqual(whole, [
    { event: 'a', data: '1\n2', id: '0' },
    { event: 'message', data: 'x', id: '0' },
    { event: 'b', data: 'ü', id: '' },
  ]);
  fc.assert(
    fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
      const at = [0, ...cuts.toSorted((a, b) => a - b), text.length];
      const reader = new EventReader('0');
      const read = at.slice(1).flatMap((end, index) => reader.push(text.slice(at[index], end)));
      assert.deepEqual(read, whole);
      assert.equal(reader.retryMs, 5);
    }),
  );
  const endless = new EventReader('');
  assert.throws(() => {
    for (let piece = 0; piece < 100; piece += 1) endless.push(`data: ${'x'.repeat(65_536)}\n`);
  });
});

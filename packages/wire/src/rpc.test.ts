import assert from 'node:assert/strict';
import { test } from 'node:test';
import { warningsOf } from '../../../test/harness/warnings.ts';
import { ByteBudget } from './byte-budget.ts';
import { ErrorCode, StreamType } from './codes.ts';
import type { MuxStream } from './mux-stream.ts';
import { answer, call, field } from './rpc.ts';
import { data, fin, goAway, rawPair, rst, sessionPair, syn, until, words } from './test-peers.fixture.ts';
import { WireError } from './wire-error.ts';

const failsWith =
  (code: ErrorCode) =>
  (error: unknown): boolean =>
    error instanceof WireError && error.code === code;
const text = (value: string): Buffer => Buffer.from(value);
const echo = {
  accept: (_type: number, stream: MuxStream) => answer(stream, (request) => ({ got: request })),
};

test('a call gets the answer to its request, and leaves no stream open', async (t) => {
  const { client, server } = await sessionPair(t, echo);
  const request = { Version: ['3', '2'], ClientId: '', Extra: { Text: '"}{\\ äöü 🦀', Null: null } };
  assert.deepEqual(await call(client.session, StreamType.auth, request), { got: request });
  await until(() => client.session.streamCount + server.session.streamCount === 0);
});

test('an answer may take its time and be large', async (t) => {
  const big = 'x'.repeat(900_000);
  const { client } = await sessionPair(t, {
    accept: (_type, stream) =>
      answer(stream, async () => {
        await new Promise((resolve) => setImmediate(resolve));
        return { big };
      }),
  });
  assert.deepEqual(await call(client.session, StreamType.bind, {}), { big });
});

test('many calls at once each get their own answer', async (t) => {
  const { client } = await sessionPair(t, echo);
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => call(client.session, StreamType.bind, { index })),
  );
  answers.forEach((got, index) => {
    assert.deepEqual(got, { got: { index } });
  });
});

test('a call is one SYN frame with type and JSON, and is not half-closed before the answer', async (t) => {
  const { peer, session } = await rawPair(t);
  const answered = call(session, StreamType.stop, { a: 1 });
  await until(() => peer.frames.length === 1);
  assert.deepEqual(peer.frames[0], {
    type: 1,
    flags: 2,
    id: 2,
    body: Buffer.concat([words(5), text('{"a":1}\n')]),
  });
  peer.send(data(2, text('{"Err')), data(2, text('or":""}')));
  assert.deepEqual(await answered, { Error: '' });
  await until(() => peer.frames.length === 2);
  assert.equal(peer.frames[1]!.flags, 1);
  peer.send(fin(2));
  await until(() => session.streamCount === 0);
});

test('the answer comes without waiting for the end of the request, and with FIN', async (t) => {
  const { peer, session } = await rawPair(t, echo);
  peer.send(syn(1, 8, text('{"a"')), data(1, text(': 1')), data(1, text('}')));
  await until(() => (peer.frames.at(-1)?.flags ?? 0) === 1);
  assert.equal(peer.received(1).toString(), '{"got":{"a":1}}\n');
  assert.equal(session.streamCount, 1);
  peer.send(data(1, text('\n')), fin(1));
  await until(() => session.streamCount === 0);
});

test('a request whose opener half-closes first is answered too', async (t) => {
  const { peer, session } = await rawPair(t, echo);
  peer.send(syn(1, 8, text('{}\n'), 1), syn(3, 8, text('7'), 1));
  await until(() => session.streamCount === 0 && peer.frames.filter((f) => f.flags === 1).length === 2);
  assert.equal(peer.received(1).toString(), '{"got":{}}\n');
  assert.equal(peer.received(3).toString(), '{"got":7}\n');
});

test('a request that is no JSON or too long resets its stream; the session lives', async (t) => {
  const { peer, session } = await rawPair(t, echo);
  peer.send(syn(1, 8, text('{]')), syn(3, 8, text('{"a":'), 1));
  peer.send(syn(5, 8, text('"')), ...Array.from({ length: 17 }, () => data(5, Buffer.alloc(65_536, 'x'))));
  await until(() => [1, 3, 5].every((id) => peer.resets(id).length === 1));
  assert.deepEqual(
    [1, 3, 5].map((id) => peer.resets(id)[0]),
    [ErrorCode.protocol, ErrorCode.protocol, ErrorCode.protocol],
  );
  assert.equal(session.isClosed, false);
});

test('of requests that are not whole, and answers that are not read, the oldest give way beyond a bound', async (t) => {
  const budget = new ByteBudget(4_000);
  const { peer, session } = await rawPair(t, {
    accept: (type, stream) =>
      answer(stream, () => 'x'.repeat(300_000), {
        budget,
        ...(type === 8 ? {} : { gaveWay: () => ({ Error: 'gave way' }) }),
      }),
  });
  peer.send(
    syn(1, 8, text('{"a":')),
    syn(3, 9, text('{"a":')),
    data(3, text('"b"')),
    syn(5, 9, text('{"a":')),
  );
  await until(() => budget.total > 0 && session.streamCount === 3);
  peer.send(data(5, Buffer.alloc(1_900, 'x')));
  // The peer gets the response, and its stream is half-closed.
  await until(
    () => peer.resets(1).length === 1 && peer.frames.some(({ id, flags }) => id === 3 && flags === 1),
  );
  assert.deepEqual(peer.resets(1), [ErrorCode.enhanceYourCalm]);
  assert.equal(peer.received(3).toString(), '{"Error":"gave way"}\n');
  assert.deepEqual(peer.resets(5), []);
  peer.send(data(3, text('}')), fin(3));
  // A request that arrives whole is never evicted. Its response may be, if it exceeds the window of its reader.
  peer.send(syn(7, 9, text('{}')));
  await until(() => peer.resets(7).length === 1);
  assert.deepEqual(peer.resets(7), [ErrorCode.enhanceYourCalm]);
  await until(() => peer.received(5).length > 0);
  peer.send(fin(5));
  await until(() => session.streamCount === 0);
  assert.equal(budget.total, 0);
});

test('a request may be no longer than its answerer says', async (t) => {
  const { peer } = await rawPair(t, {
    accept: (_type, stream) => answer(stream, () => ({}), { maxBytes: 10 }),
  });
  peer.send(syn(1, 8, text('"12345678"')), syn(3, 8, text('"123456789"')), syn(5, 8, text('"12345678901')));
  await until(() => peer.received(1).length > 0 && [3, 5].every((id) => peer.resets(id).length === 1));
  assert.deepEqual([...peer.resets(3), ...peer.resets(5)], [ErrorCode.protocol, ErrorCode.protocol]);
});

test('a peer that never closes its half of an answered call is not waited for without end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { peer, session } = await rawPair(t, echo);
  peer.send(syn(1, 8, text('{}')));
  const answered = call(session, StreamType.stop, {});
  await until(() => peer.frames.some((f) => f.id === 2) && peer.received(1).length > 0);
  peer.send(data(2, text('{}')));
  await answered;
  assert.equal(session.streamCount, 2);
  t.mock.timers.tick(10_000);
  assert.equal(session.streamCount, 0);
});

test('a request that never becomes whole is not waited for without end', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { peer, session } = await rawPair(t, echo);
  peer.send(syn(1, 8, text('{"a":')), syn(3, 8, text('{}')));
  await until(() => peer.received(3).length > 0);
  t.mock.timers.tick(30_000);
  assert.equal(session.streamCount, 0);
  await until(() => peer.resets(1).length === 1);
  assert.deepEqual(peer.resets(1), [ErrorCode.streamCancelled]);
});

test('a responder that throws resets the stream with internal', async (t) => {
  const warnings = warningsOf(t, /thrown|BigInt|rejected/);
  const { client } = await sessionPair(t, {
    accept: (type, stream) =>
      answer(stream, () => {
        if (type === StreamType.stop) throw new Error('thrown');
        if (type === StreamType.bind) return { big: 1n };
        return Promise.reject(new Error('rejected'));
      }),
  });
  for (const type of [StreamType.stop, StreamType.bind, StreamType.unbind]) {
    await assert.rejects(call(client.session, type, {}), failsWith(ErrorCode.internal));
  }
  await until(() => warnings.length === 3);
});

test('a call fails when its stream is reset, its session ends, its answer is no JSON or none comes', async (t) => {
  const { peer, session } = await rawPair(t);
  const reset = call(session, StreamType.stop, {});
  const refused = assert.rejects(reset, failsWith(ErrorCode.streamRefused));
  const malformed = assert.rejects(call(session, StreamType.stop, {}), failsWith(ErrorCode.protocol));
  const empty = assert.rejects(call(session, StreamType.stop, {}), failsWith(ErrorCode.protocol));
  const late = assert.rejects(call(session, StreamType.stop, {}, 1), failsWith(ErrorCode.streamCancelled));
  const lost = assert.rejects(call(session, StreamType.stop, {}), failsWith(ErrorCode.remoteGoneAway));
  await until(() => peer.received(10).length > 0);
  peer.send(rst(2, 5), data(4, text('nonsense '), 1), fin(6));
  await Promise.all([refused, malformed, empty, late]);
  await until(() => peer.resets(8).length === 1);
  peer.send(goAway(0, 0));
  await lost;
  await assert.rejects(call(session, StreamType.stop, {}), failsWith(ErrorCode.sessionClosed));
  assert.equal(session.streamCount, 0);
});

test('fields are found in any case, the exact one first', () => {
  assert.equal(field({ AuthToken: 'a' }, 'Authtoken'), 'a');
  assert.equal(field({ authtoken: 'a', Authtoken: 'b' }, 'Authtoken'), 'b');
  assert.equal(field({ Other: 1 }, 'Authtoken'), undefined);
  for (const odd of [null, undefined, 1, 'text', [], ['length']])
    assert.equal(field(odd, 'length'), undefined);
  assert.equal(field({}, 'constructor'), undefined);
  assert.equal(field(JSON.parse('{"__proto__": {"Authtoken": 1}}'), 'Authtoken'), undefined);
});

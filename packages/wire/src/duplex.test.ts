import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { ErrorCode, StreamType } from './codes.ts';
import { toDuplex } from './duplex.ts';
import type { MuxStream } from './mux-stream.ts';
import { Recorder, sessionPair, until } from './test-peers.fixture.ts';
import { WireError } from './wire-error.ts';

test('bytes go through in both directions, with back-pressure and half-close', async (t) => {
  const { client, server } = await sessionPair(t, {
    accept: (_type, stream) => {
      const duplex = toDuplex(stream);
      void pipeline(duplex, duplex);
    },
  });
  const duplex = toDuplex(client.session.open(StreamType.proxy, new Recorder())!);
  const bytes = Buffer.alloc(3_000_000, 'abcdefghijk');
  let at = 0;
  const write = (): void => {
    while (at < bytes.length) {
      const chunk = bytes.subarray(at, at + 50_000);
      at += chunk.length;
      if (!duplex.write(chunk)) return;
    }
    duplex.end();
  };
  duplex.on('drain', write);
  write();
  assert.ok(at < bytes.length, 'the writer was held back');
  assert.ok((await buffer(duplex)).equals(bytes));
  await until(() => client.session.streamCount + server.session.streamCount === 0);
});

test('an HTTP server and client can speak through it', async (t) => {
  const http = createServer((req, res) => {
    req.pipe(res.writeHead(200, { path: req.url }));
  });
  const { client } = await sessionPair(t, {
    accept: (_type, stream) => http.emit('connection', toDuplex(stream)),
  });
  const stream = client.session.open(StreamType.proxy, new Recorder())!;
  const req = request({ createConnection: () => toDuplex(stream), method: 'POST', path: '/up', host: 'x' });
  req.end('hello');
  const [res] = await once(req, 'response');
  assert.equal(res.headers.path, '/up');
  assert.equal((await buffer(res)).toString(), 'hello');
});

/** Returns a duplex at one end, its stream, and the recorder at the other end. */
async function ends(
  t: Parameters<typeof sessionPair>[0],
): Promise<{ near: Duplex; far: MuxStream; told: Recorder }> {
  const { client, server } = await sessionPair(t);
  const near = toDuplex(client.session.open(StreamType.proxy, new Recorder())!);
  await until(() => server.accepted.length === 1);
  return { near, far: server.accepted[0]!.stream, told: server.accepted[0]!.told };
}

test('destroying it resets the stream', async (t) => {
  const { near, told } = await ends(t);
  near.destroy();
  await until(() => told.closes.length === 1);
  assert.deepEqual(told.closes, [ErrorCode.streamCancelled]);
});

test('a reset destroys it with the code', async (t) => {
  const { near, far } = await ends(t);
  far.reset(ErrorCode.streamRefused);
  const [error] = await once(near, 'error');
  assert.ok(error instanceof WireError);
  assert.equal(error.code, ErrorCode.streamRefused);
  assert.equal(near.destroyed, true);
});

test('a reset in the middle of a write that waits fails the write', async (t) => {
  const { near, far } = await ends(t);
  far.pause();
  near.on('error', () => {});
  const written = new Promise<Error | null | undefined>((resolve) => {
    near.write(Buffer.alloc(1_000_000), resolve);
  });
  far.reset(ErrorCode.streamCancelled);
  assert.ok((await written) instanceof Error);
});

test('a clean end on both sides closes it without an error', async (t) => {
  const { near, far, told } = await ends(t);
  near.resume();
  near.end('last');
  far.end();
  await once(near, 'close');
  assert.equal(near.errored, null);
  await until(() => told.closes.length === 1);
  assert.deepEqual([told.bytes.toString(), told.closes], ['last', [0]]);
});

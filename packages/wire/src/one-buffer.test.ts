/** Sessions that read into one buffer. A handler that keeps bytes must get them unchanged. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ErrorCode, StreamType } from './codes.ts';
import { toDuplex } from './duplex.ts';
import { type MuxStream, noopHandler, type StreamHandler } from './mux-stream.ts';
import { encodeProxyHeader, type ProxyHeader, readProxyHeader } from './proxy-header.ts';
import { answer, call } from './rpc.ts';
import { data, RawPeer, readsIntoOneBuffer, socketPair, syn, until, watch } from './test-peers.fixture.ts';

test('a handler that may keep chunks has them to itself, and one that keeps none has them where they lie', async (t) => {
  const [near, far] = await socketPair(t);
  const told = new Map<number, Buffer[]>();
  watch(near, 'server', {
    reads: readsIntoOneBuffer(near),
    accept: (type, stream) => {
      const chunks: Buffer[] = [];
      told.set(stream.id, chunks);
      const handler: StreamHandler = { ...noopHandler, data: (chunk) => void chunks.push(chunk) };
      stream.handler = type === StreamType.proxy ? handler : { ...handler, keepsNoChunk: true };
    },
  });
  const peer = new RawPeer(far);
  const body = Buffer.from('as it came');
  peer.send(syn(1, StreamType.proxy, body), data(1, body), syn(3, StreamType.bind, body));
  await until(() => told.get(3)?.length === 1, 'all of it');
  assert.deepEqual(told.get(1)!.map(String), ['as it came', 'as it came']);
  assert.match(told.get(3)!.join(), /^\?+$/, 'which other bytes have filled since');
});

test('data without a reader stays as it came', async (t) => {
  const [near, far] = await socketPair(t);
  let accepted: MuxStream | null = null;
  const chunks: Buffer[] = [];
  watch(near, 'server', {
    reads: readsIntoOneBuffer(near),
    accept: (_type, stream) => {
      accepted = stream;
      stream.handler = {
        ...noopHandler,
        keepsNoChunk: true,
        data: (chunk) => void chunks.push(Buffer.from(chunk)),
      };
      stream.pause();
    },
  });
  const pieces = ['a', 'b', 'c'].map((letter) => Buffer.alloc(20_000, letter));
  new RawPeer(far).send(syn(1), ...pieces.map((piece) => data(1, piece)));
  await until(() => accepted !== null, 'the stream');
  await turn();
  accepted!.resume();
  const expected = Buffer.concat(pieces);
  await until(() => chunks.reduce((sum, { length }) => sum + length, 0) === expected.length, 'all of it');
  assert.ok(Buffer.concat(chunks).equals(expected));
});

test('calls, headers and streams of Node are read as they came', async (t) => {
  const [near, far] = await socketPair(t);
  const header: ProxyHeader = {
    Id: 'a',
    ClientAddr: '192.0.2.1:1',
    Proto: 'tcp',
    EdgeType: '1',
    PassthroughTLS: false,
  };
  let got: { header: ProxyHeader; text: string } | null = null;
  const { session } = watch(near, 'client', {
    reads: readsIntoOneBuffer(near),
    accept: (_type, stream) =>
      readProxyHeader(stream, (read) => {
        let text = '';
        const duplex = toDuplex(stream).setEncoding('latin1');
        duplex.on('error', () => {});
        // The buffer has other bytes in it by then.
        duplex.on('end', () => {
          got = { header: read, text };
        });
        setImmediate(() =>
          duplex.on('data', (piece: string) => {
            text += piece;
          }),
        );
      }),
  });
  const service = watch(far, 'server', {
    accept: (_type, stream) => answer(stream, (request) => ({ request })),
  });
  assert.deepEqual(await call(session, StreamType.auth, { some: 'thing' }), { request: { some: 'thing' } });
  const stream = service.session.open(StreamType.proxy, noopHandler, encodeProxyHeader(header))!;
  stream.write(Buffer.from('what follows'));
  stream.end();
  await until(() => got !== null, 'all of it');
  assert.deepEqual(got, { header, text: 'what follows' });
  session.goAway(ErrorCode.none);
});

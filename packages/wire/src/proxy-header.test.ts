import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode } from './codes.ts';
import type { MuxStream } from './mux-stream.ts';
import { encodeProxyHeader, type ProxyHeader, readProxyHeader } from './proxy-header.ts';
import { data, fin, Recorder, rawPair, syn, until } from './test-peers.fixture.ts';

const header: ProxyHeader = {
  Id: 'b1',
  ClientAddr: '192.0.2.7:50000',
  Proto: 'https',
  EdgeType: '3',
  PassthroughTLS: false,
};

test('the header is a little-endian int64 and that many bytes of JSON', () => {
  const bytes = encodeProxyHeader({ ...header, Id: 'ä' });
  const text =
    '{"Id":"ä","ClientAddr":"192.0.2.7:50000","Proto":"https","EdgeType":"3","PassthroughTLS":false}';
  assert.equal(bytes.readBigInt64LE(0), BigInt(Buffer.byteLength(text)));
  assert.equal(bytes.subarray(8).toString(), text);
});

test('the header is read wherever it is cut, and what follows goes to the handler that was set', async (t) => {
  const got: ProxyHeader[] = [];
  const handlers: Recorder[] = [];
  const { peer } = await rawPair(t, {
    accept: (_type, stream) =>
      readProxyHeader(stream, (one) => {
        got.push(one);
        const told = new Recorder();
        handlers.push(told);
        stream.handler = told;
      }),
  });
  const bytes = Buffer.concat([encodeProxyHeader(header), Buffer.from('GET /')]);
  for (let cut = 0; cut <= bytes.length; cut += 3) {
    const id = 1 + 2 * (cut / 3);
    peer.send(
      syn(id, 3, bytes.subarray(0, cut)),
      data(id, bytes.subarray(cut)),
      data(id, Buffer.from(' x'), 1),
    );
  }
  peer.send(
    syn(999, 3),
    ...Array.from(bytes, (byte) => data(999, Buffer.of(byte))),
    data(999, Buffer.from(' x'), 1),
  );
  const count = Math.floor(bytes.length / 3) + 2;
  await until(() => handlers.length === count && handlers.every((told) => told.ends === 1));
  for (const one of got) assert.deepEqual(one, header);
  for (const told of handlers) assert.equal(told.bytes.toString(), 'GET / x');
});

test('what follows the header waits for a handler that is set later, and for a stream that is paused', async (t) => {
  let held: MuxStream | undefined;
  const { peer } = await rawPair(t, {
    accept: (_type, stream) =>
      readProxyHeader(stream, () => {
        stream.pause();
        held = stream;
      }),
  });
  peer.send(
    syn(1, 3, Buffer.concat([encodeProxyHeader(header), Buffer.from('one')])),
    data(1, Buffer.from('two'), 1),
  );
  await until(() => held !== undefined);
  const told = new Recorder();
  held!.handler = told;
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(told.chunks.length, 0);
  held!.resume();
  await until(() => told.ends === 1);
  assert.equal(told.bytes.toString(), 'onetwo');
});

test('field names in any case are read, missing ones are empty, unknown ones ignored', async (t) => {
  const got: ProxyHeader[] = [];
  const { peer } = await rawPair(t, {
    accept: (_type, stream) => readProxyHeader(stream, (one) => got.push(one)),
  });
  peer.send(syn(1, 3, prefixed('{"id":"x","PASSTHROUGHTLS":true,"New":{}}')));
  await until(() => got.length === 1);
  assert.deepEqual(got[0], { Id: 'x', ClientAddr: '', Proto: '', EdgeType: '', PassthroughTLS: true });
});

test('a header that is malformed, too long or cut off resets the stream', async (t) => {
  const { peer, session } = await rawPair(t, {
    accept: (_type, stream) => readProxyHeader(stream, () => assert.fail('taken')),
  });
  const bad = [
    prefixed('{"Id":'),
    prefixed('[]'),
    prefixed('null'),
    prefixed('{"Id":7}'),
    prefixed(''),
    Buffer.from('0100010000000000', 'hex'),
    Buffer.from('0200000001000000', 'hex'),
    Buffer.from('ffffffffffffffff', 'hex'),
  ];
  bad.forEach((bytes, index) => {
    peer.send(syn(1 + 2 * index, 3, bytes));
  });
  peer.send(syn(101, 3, encodeProxyHeader(header).subarray(0, 20)), fin(101));
  const ids = [...bad.map((_, index) => 1 + 2 * index), 101];
  await until(() => ids.every((id) => peer.resets(id).length === 1));
  for (const id of ids) assert.deepEqual(peer.resets(id), [ErrorCode.protocol]);
  assert.equal(session.streamCount, 0);
});

function prefixed(text: string): Buffer {
  const prefix = Buffer.alloc(8);
  prefix.writeBigInt64LE(BigInt(Buffer.byteLength(text)));
  return Buffer.concat([prefix, Buffer.from(text)]);
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ErrorCode, type MuxStream } from '@underpass/wire';
import fc from 'fast-check';
import { ipOf, sourceKey } from '../core/ip/client-address.ts';
import { encodeHopHeader, type HopHeader, readHopHeader } from './hop.ts';

const connection = {
  ...{ clientAddr: '192.0.2.1:1', serverAddr: '192.0.2.2:443', proto: 'https' as const },
  ...{ edgeType: '0' as const, passthroughTls: false },
};
const header: HopHeader = { number: 7, hasOthers: false, connection };

/** Returns the header as it was read, or the code of a reset. */
function read(bytes: Buffer): HopHeader | ErrorCode | null {
  let result: HopHeader | ErrorCode | null = null;
  const stream: Pick<MuxStream, 'handler' | 'reset' | 'detach'> = {
    handler: { data: () => {}, end: () => {}, drain: () => {}, close: () => {} },
    reset: (code) => {
      result = code;
    },
    detach: () => {},
  };
  readHopHeader(stream as MuxStream, (read) => {
    result = read;
  });
  stream.handler.data(bytes);
  return result;
}

test('unknown fields of a header pass', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (more) => {
      const newer = { ...more, ...header, connection: { ...more, ...connection } };
      assert.deepEqual(read(encodeHopHeader(newer)), JSON.parse(JSON.stringify(newer)));
    }),
  );
});

test('a header of another form is refused, and one that passes can be served', () => {
  const part = fc.record({ number: fc.jsonValue(), connection: fc.jsonValue() }, { requiredKeys: [] });
  const fields = fc.record(
    {
      clientAddr: fc.jsonValue(),
      serverAddr: fc.jsonValue(),
      proto: fc.jsonValue(),
      edgeType: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );
  const values = fc.oneof(
    fc.jsonValue(),
    part,
    fields.map((one) => ({ number: 1, connection: { ...connection, ...one } })),
  );
  fc.assert(
    fc.property(values, (value) => {
      const result = read(encodeHopHeader(value as never));
      if (result === ErrorCode.protocol) return;
      const { number, connection } = result as HopHeader;
      assert.ok(Number.isSafeInteger(number));
      assert.equal(typeof sourceKey(ipOf(connection.clientAddr)), 'string');
    }),
  );
  for (const value of [
    { number: 1, connection: null },
    { number: 1, connection: {} },
  ])
    assert.equal(read(encodeHopHeader(value as never)), ErrorCode.protocol);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import packet, { type Packet } from 'dns-packet';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import { truncatedResponse } from './truncated-response.ts';

const question = { name: 'aBc.acme.service.example', type: 'TXT' as const };
const opt = {
  ...{ type: 'OPT' as const, name: '.', udpPayloadSize: 4096, extendedRcode: 0, ednsVersion: 0 },
  ...{ flags: 0, flag_do: false, options: [] },
};

function query(changes: Partial<Packet> = {}): Buffer {
  return packet.encode({ type: 'query', id: 7, flags: 0, questions: [question], ...changes });
}

test('the question comes back with the request to ask over TCP', () => {
  const bytes = truncatedResponse(query({ flags: packet.RECURSION_DESIRED }))!;
  const response = packet.decode(bytes);
  assert.deepEqual(
    [response.id, response.type, response.flag_tc, response.flag_rd],
    [7, 'response', true, true],
  );
  assert.deepEqual(response.questions, [{ ...question, class: 'IN' }]);
  assert.deepEqual([response.answers, response.authorities, response.additionals], [[], [], []]);
});

test('a query with extensions gets extensions', () => {
  const response = packet.decode(truncatedResponse(query({ additionals: [opt] }))!);
  assert.equal(response.additionals?.[0]?.type, 'OPT');
});

test('answers, other operations, several questions and malformed ones get none', () => {
  const name = Buffer.from(query());
  name[12] = 0xc0;
  for (const bytes of [
    query({ type: 'response' }),
    query({ flags: 2 << 11 }),
    query({ questions: [question, question] }),
    query({ questions: [] }),
    name,
    Buffer.alloc(0),
    Buffer.alloc(12),
  ])
    assert.equal(truncatedResponse(bytes), null);
});

test('whatever comes, the response is not larger, and nothing throws', () => {
  const whole = query({ additionals: [opt] });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 64 }).map((tail) => Buffer.concat([whole.subarray(0, 12), tail])),
    fc.nat(whole.length).map((length) => whole.subarray(0, length)),
    fc.tuple(fc.nat(whole.length - 1), fc.nat(255)).map(([at, byte]) => {
      const changed = Buffer.from(whole);
      changed[at] = byte;
      return changed;
    }),
  );
  fc.assert(
    fc.property(bytes, (asked) => {
      const response = truncatedResponse(asked);
      if (response === null) return;
      assert.ok(response.length <= asked.length);
      assert.deepEqual(response.subarray(0, 2), asked.subarray(0, 2));
      assert.equal(response[2]! & 0x82, 0x82);
    }),
    { numRuns: propertyRuns(4000) },
  );
});

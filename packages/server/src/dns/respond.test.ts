import assert from 'node:assert/strict';
import { test } from 'node:test';
import packet, { type Packet } from 'dns-packet';
import fc from 'fast-check';
import { propertyRuns } from '../../../../test/harness/property-runs.ts';
import type { Hostname } from '../core/names/hostname.ts';
import { type DnsOutcome, respond } from './respond.ts';
import type { Zone } from './zone.ts';

const zone: Zone = {
  name: 'acme.service.example' as Hostname,
  nameServer: 'connect.service.example' as Hostname,
  texts: new Map([['abc.acme.service.example', ['one', 'two']]]),
};

function query(changes: Partial<Packet> = {}): Buffer {
  const questions = changes.questions ?? [{ name: 'abc.acme.service.example', type: 'TXT' as const }];
  return packet.encode({ type: 'query', id: 7, flags: packet.RECURSION_DESIRED, ...changes, questions });
}

function opt(version: number, size = 1232) {
  const of = { udpPayloadSize: size, extendedRcode: 0, ednsVersion: version, flags: 0, flag_do: false };
  return { type: 'OPT' as const, name: '.', ...of, options: [] };
}

/** The code of an answer's header, with the upper bits that extensions have. */
function codeOf(answer: Packet): number {
  const [extension] = answer.additionals ?? [];
  const upper = extension?.type === 'OPT' ? extension.extendedRcode : 0;
  return upper * 16 + ((answer.flags ?? 0) & 0xf);
}

function answered(bytes: Buffer, outcome: DnsOutcome = 'answered') {
  const response = respond(zone, bytes, 'tcp');
  assert.equal(response.outcome, outcome);
  assert.ok(response.bytes);
  return packet.decode(response.bytes);
}

test('a question in another case is answered as it was asked', () => {
  const answer = answered(query({ questions: [{ name: 'aBc.ACME.service.example', type: 'TXT' }] }));
  assert.deepEqual(
    answer.answers?.map((record) => record.name),
    ['aBc.ACME.service.example', 'aBc.ACME.service.example'],
  );
  assert.equal(answer.id, 7);
  assert.equal(answer.flag_aa && answer.flag_rd && !answer.flag_ra, true);
});

test('a letter that is no ASCII letter is another name', () => {
  // The sign for kelvin, which has the letter k as its lower case.
  const kelvin: Zone = { ...zone, texts: new Map([['k.acme.service.example', ['x']]]) };
  const asked = query({ questions: [{ name: '\u212a.acme.service.example', type: 'TXT' }] });
  const { bytes } = respond(kelvin, asked, 'tcp');
  assert.equal(codeOf(packet.decode(bytes ?? Buffer.alloc(0))), 3);
});

test('extensions are answered with extensions, those of another version with the version', () => {
  const answer = answered(query({ additionals: [opt(0)] }));
  assert.equal(answer.additionals?.length, 1);
  assert.equal(answered(query()).additionals?.length, 0);
  assert.equal(codeOf(answered(query({ additionals: [opt(1)] }), 'refused')), 16);
  assert.equal(codeOf(answered(query({ additionals: [opt(0), opt(0)] }), 'malformed')), 1);
});

test('over UDP no response is larger than its query, and a client is referred to TCP', () => {
  const asked = query({ additionals: [opt(0)] });
  const { bytes, outcome } = respond(zone, asked, 'udp');
  assert.equal(outcome, 'truncated');
  const answer = packet.decode(bytes ?? Buffer.alloc(0));
  assert.equal(answer.flag_tc, true);
  assert.equal(codeOf(answer), 0);
  assert.equal(answer.answers?.length, 0);
});

test('a question that is large enough is answered over UDP, but no further than the client takes', () => {
  const padded = { ...opt(0), options: [{ code: 12 as const, length: 600 }] };
  assert.equal(respond(zone, query({ additionals: [padded] }), 'udp').outcome, 'answered');
  const many: Zone = {
    ...zone,
    texts: new Map([['abc.acme.service.example', ['x'.repeat(250), 'y'.repeat(250)]]]),
  };
  const small = { ...opt(0, 512), options: [{ code: 12 as const, length: 900 }] };
  assert.equal(respond(many, query({ additionals: [small] }), 'udp').outcome, 'truncated');
});

test('what is no question is refused with a code, or not answered at all', () => {
  const code = (bytes: Buffer) => codeOf(packet.decode(respond(zone, bytes, 'udp').bytes ?? Buffer.alloc(0)));
  const question = { name: 'abc.acme.service.example', type: 'TXT' as const };
  assert.equal(code(query({ questions: [question, question] })), 1);
  assert.equal(code(query({ answers: [{ ...question, data: 'x' }] })), 1);
  assert.equal(code(query({ flags: 5 << 11 })), 4);
  assert.equal(code(query().subarray(0, -1)), 1);
  const other = query();
  // The class of chaos, as in questions about the version of a server.
  other.writeUInt16BE(3, other.length - 2);
  assert.equal(code(other), 5);
  assert.equal(respond(zone, query().subarray(0, 11), 'udp').bytes, null);
  assert.equal(respond(zone, packet.encode({ type: 'response', id: 7 }), 'udp').bytes, null);
});

test('a label with a dot in it is not taken for two', () => {
  const name = Buffer.from('\x08abc.acme\x07service\x07example\x00', 'latin1');
  const bytes = Buffer.concat([query().subarray(0, 12), name, Buffer.from([0, 16, 0, 1])]);
  assert.equal(codeOf(answered(bytes, 'malformed')), 1);
});

test('whatever bytes come, nothing throws, and nothing over UDP is larger than they are', () => {
  const whole = query({ additionals: [opt(0)] });
  const noise = fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes));
  const damaged = fc
    .array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 6 })
    .map((changes) => {
      const bytes = Buffer.from(whole);
      for (const [at, byte] of changes) bytes[at] = byte;
      return bytes;
    });
  fc.assert(
    fc.property(fc.oneof(noise, damaged), (bytes) => {
      const answer = respond(zone, bytes, 'udp').bytes;
      if (answer === null) return;
      assert.ok(answer.length <= Math.max(bytes.length, 12));
      assert.equal(answer.readUInt16BE(0), bytes.readUInt16BE(0));
      assert.equal(answer.readUInt8(2) & 0x80, 0x80, 'servers do not answer each other');
    }),
    { numRuns: propertyRuns(3000) },
  );
});

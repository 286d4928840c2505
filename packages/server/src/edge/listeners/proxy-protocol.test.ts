import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { ipOf } from '../../core/ip/client-address.ts';
import { parseIpAddress } from '../../core/ip/ip-address.ts';
import { inspectProxyHeader } from './proxy-protocol.ts';

const signature = Buffer.from('0d0a0d0a000d0a515549540a', 'hex');

function binary(command: number, family: number, rest: Buffer, announced = rest.length): Buffer {
  const fixed = Buffer.from([command, family, announced >> 8, announced & 0xff]);
  return Buffer.concat([signature, fixed, rest]);
}

const ipv4 = Buffer.from('c0000201c63364071f9001bb', 'hex');
const ipv6 = Buffer.from(`20010db8${'0'.repeat(22)}01${'0'.repeat(20)}ffffc00002071f9001bb`, 'hex');
const extension = Buffer.from([4, 0, 3, 1, 2, 3]);

function ends(bytes: Buffer | string) {
  return inspectProxyHeader(Buffer.from(bytes as string, 'latin1'));
}

test('a header says who the visitor is and where it wanted to, in either version, and ends where its bytes begin', () => {
  const addresses = { clientAddr: '192.0.2.1:8080', serverAddr: '198.51.100.7:443' };
  const text = 'PROXY TCP4 192.0.2.1 198.51.100.7 8080 443\r\n';
  assert.deepEqual(ends(`${text}hello`), { status: 'complete', length: text.length, addresses });
  for (const rest of [ipv4, Buffer.concat([ipv4, extension])]) {
    const header = binary(0x21, 0x11, rest);
    const whole = Buffer.concat([header, Buffer.from('hello')]);
    assert.deepEqual(inspectProxyHeader(whole), { status: 'complete', length: header.length, addresses });
  }
});

test('an IPv6 address has one spelling, and a mapped one is IPv4', () => {
  const addresses = { clientAddr: '[2001:db8::1]:8080', serverAddr: '192.0.2.7:443' };
  const text = 'PROXY TCP6 2001:0DB8:0::1 ::ffff:192.0.2.7 8080 443\r\n';
  assert.deepEqual(ends(text), { status: 'complete', length: text.length, addresses });
  assert.deepEqual(inspectProxyHeader(binary(0x21, 0x21, ipv6)), {
    status: 'complete',
    length: 52,
    addresses,
  });
});

test('a header may say nothing of a visitor, and then nothing else in it counts', () => {
  const nobody = [
    Buffer.from('PROXY UNKNOWN\r\n'),
    Buffer.from('PROXY UNKNOWN ffff::1 what ever 1 2\r\n'),
    binary(0x20, 0x00, Buffer.alloc(0)),
    binary(0x20, 0x11, ipv4),
    binary(0x20, 0xff, extension),
    binary(0x21, 0x00, extension),
    binary(0x21, 0x31, Buffer.alloc(216)),
  ];
  for (const header of nobody) {
    assert.deepEqual(inspectProxyHeader(header), {
      status: 'complete',
      length: header.length,
      addresses: null,
    });
  }
});

test('what is not exactly a header is none', () => {
  const texts = [
    'GET / HTTP/1.1\r\n',
    'proxy TCP4 192.0.2.1 198.51.100.7 8080 443\r\n',
    'PROXY\tTCP4 192.0.2.1 198.51.100.7 8080 443\r\n',
    'PROXY  TCP4 192.0.2.1 198.51.100.7 8080 443\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 8080 443 \r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 8080\r\n',
    'PROXY TCP4 192.0.2.01 198.51.100.7 8080 443\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 08080 443\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 65536 443\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 -1 443\r\n',
    'PROXY TCP4 2001:db8::1 2001:db8::2 8080 443\r\n',
    'PROXY TCP6 192.0.2.1 198.51.100.7 8080 443\r\n',
    'PROXY TCP6 fe80::1%eth0 2001:db8::2 8080 443\r\n',
    'PROXY TCP4 192.0.2.1 198.51.100.7 8080 443\n\r\n',
    'PROXY UDP4 192.0.2.1 198.51.100.7 8080 443\r\n',
    'PROXY UNKNOWNS\r\n',
    `PROXY UNKNOWN ${'x'.repeat(92)}\r\n`,
  ];
  for (const text of texts) assert.equal(ends(text).status, 'invalid', text);
  const others = [
    binary(0x11, 0x11, ipv4),
    binary(0x22, 0x11, ipv4),
    binary(0x21, 0x12, ipv4),
    binary(0x21, 0x41, ipv4),
    binary(0x21, 0x11, ipv4.subarray(1)),
    binary(0x21, 0x21, ipv4),
    binary(0x21, 0x11, ipv4, 4097),
    Buffer.from('\r\n\r\n\0\r\nQUIX'),
  ];
  for (const bytes of others)
    assert.equal(inspectProxyHeader(bytes).status, 'invalid', bytes.toString('hex'));
});

test('a header that comes byte by byte is complete with its last one, and one without an end is refused', () => {
  const headers = [Buffer.from('PROXY TCP4 192.0.2.1 198.51.100.7 8080 443\r\n'), binary(0x21, 0x21, ipv6)];
  for (const header of headers) {
    for (let length = 0; length < header.length; length += 1) {
      assert.equal(inspectProxyHeader(header.subarray(0, length)).status, 'need-more');
    }
    assert.equal(inspectProxyHeader(header).status, 'complete');
  }
  assert.equal(ends(`PROXY UNKNOWN ${'x'.repeat(92)}`).status, 'need-more');
  assert.equal(ends(`PROXY UNKNOWN ${'x'.repeat(93)}`).status, 'invalid');
});

test('whatever comes, it is a header with canonical addresses, an unfinished one or none, and more bytes change nothing', () => {
  const seeds = [
    Buffer.from('PROXY TCP6 2001:db8::1 ::1 1 2\r\n'),
    binary(0x21, 0x11, ipv4),
    binary(0x21, 0x21, ipv6),
  ];
  const edits = fc.array(fc.tuple(fc.nat(60), fc.nat(255)), { maxLength: 3 });
  const edited = fc.tuple(fc.constantFrom(...seeds), edits).map(([seed, changes]) => {
    const bytes = Buffer.from(seed);
    for (const [at, value] of changes) bytes[at % bytes.length] = value;
    return bytes;
  });
  const random = fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes));
  const anything = fc.oneof(
    edited,
    random,
    random.map((rest) => Buffer.concat([signature, rest])),
  );
  fc.assert(
    fc.property(anything, random, (bytes, more) => {
      const header = inspectProxyHeader(bytes);
      if (header.status === 'need-more') return;
      assert.deepEqual(inspectProxyHeader(Buffer.concat([bytes, more])), header);
      if (header.status === 'invalid') return;
      assert.ok(header.length <= bytes.length);
      assert.deepEqual(inspectProxyHeader(bytes.subarray(0, header.length)), header);
      if (header.addresses === null) return;
      for (const text of Object.values(header.addresses)) {
        assert.notEqual(parseIpAddress(ipOf(text)), null, text);
        assert.match(text, /^(?:[\d.]+|\[[0-9a-f:]+\]|\[::[\d.]+\]):\d{1,5}$/);
      }
    }),
    { numRuns: propertyRuns(3000) },
  );
});

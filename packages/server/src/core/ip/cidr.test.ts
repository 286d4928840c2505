import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { propertyRuns } from '../../../../../test/harness/property-runs.ts';
import { type Cidr, contains, isCidrFault, parseCidr } from './cidr.ts';
import { formatIpAddress, type IpAddress, parseIpAddress } from './ip-address.ts';

function cidr(text: string): Cidr {
  const parsed = parseCidr(text);
  assert.ok(!isCidrFault(parsed), text);
  return parsed;
}

function address(text: string): IpAddress {
  const parsed = parseIpAddress(text);
  assert.ok(parsed !== null, text);
  return parsed;
}

const bytes = (length: number) => fc.array(fc.nat(255), { minLength: length, maxLength: length });
const anyAddress = fc.oneof(bytes(4), bytes(16)).map((parts) => formatIpAddress(parts));
/** A range around an address, without host bits. */
const anyCidr = fc.tuple(fc.oneof(bytes(4), bytes(16)), fc.nat(128)).map(([parts, length]) => {
  const prefix = Math.min(length, parts.length * 8);
  const kept = parts.map((byte, at) => byte & (0xff00 >> Math.min(Math.max(prefix - at * 8, 0), 8)) & 0xff);
  return `${formatIpAddress(kept)}/${prefix}`;
});

test('a range has one spelling', () => {
  for (const [given, canonical] of [
    ['10.0.0.0/8', '10.0.0.0/8'],
    ['10.0.0.1/32', '10.0.0.1/32'],
    ['0.0.0.0/0', '0.0.0.0/0'],
    ['::/0', '::/0'],
    ['2001:DB8:0:0::/32', '2001:db8::/32'],
    ['2001:0db8:0000::0/32', '2001:db8::/32'],
    ['::1/128', '::1/128'],
    ['::FFFF:10.0.0.0/104', '10.0.0.0/8'],
    ['::ffff:a00:1/128', '10.0.0.1/32'],
    ['::ffff:0:0/96', '0.0.0.0/0'],
    ['::10.0.0.1/128', '::a00:1/128'],
  ] as const) {
    assert.equal(cidr(given).text, canonical, given);
  }
});

test('what is no range is refused, and says what would be one', () => {
  const malformed = ['', '/', '/8', '10.0.0.0/', '10.0.0.0/33', '::/129', '10.0.0.0/08', '10.0.0.0/+8'];
  const ambiguous = [
    '010.0.0.1/32',
    '10.0.0.01/32',
    '0x0a.0.0.1/32',
    '10.1/16',
    '167772161/32',
    '10.0.0.256/32',
  ];
  const decorated = [
    'fe80::1%eth0/128',
    'fe80::%1/64',
    '[::1]/128',
    ' 10.0.0.0/8',
    '10.0.0.0/8 ',
    '10.0.0.0/8/8',
  ];
  const others = [
    'example.com/8',
    '::ffff:010.0.0.1/128',
    '1::2::3/128',
    '::00001/128',
    '10.0.0.0/255.0.0.0',
    '010.0.0.1',
  ];
  for (const text of [...malformed, ...ambiguous, ...decorated, ...others, '١٠.0.0.0/8', '10.0.0.0/1e1']) {
    assert.deepEqual(parseCidr(text), { fault: 'syntax' }, text);
  }
  assert.deepEqual(parseCidr('10.0.0.5/8'), { fault: 'host-bits', suggestion: '10.0.0.0/8' });
  assert.deepEqual(parseCidr('2001:db8::1/32'), { fault: 'host-bits', suggestion: '2001:db8::/32' });
  assert.deepEqual(parseCidr('::ffff:10.0.0.5/104'), { fault: 'host-bits', suggestion: '10.0.0.0/8' });
  assert.equal((parseCidr('::ffff:0:0/95') as { fault: string }).fault, 'host-bits');
  assert.deepEqual(parseCidr('10.0.0.5'), { fault: 'mask-missing', suggestion: '10.0.0.5/32' });
  assert.deepEqual(parseCidr('::FFFF:10.0.0.5'), { fault: 'mask-missing', suggestion: '10.0.0.5/32' });
  assert.deepEqual(parseCidr('::1'), { fault: 'mask-missing', suggestion: '::1/128' });
});

test('an address has one form, and what could be read in two ways has none', () => {
  assert.deepEqual(address('::ffff:10.0.0.1'), address('10.0.0.1'));
  assert.deepEqual(address('::FFFF:0a00:0001'), address('10.0.0.1'));
  assert.notDeepEqual(address('::10.0.0.1'), address('10.0.0.1'));
  for (const text of ['010.0.0.1', '10.1', '167772161', 'fe80::1%eth0', '[::1]', '', '1.2.3.4/32']) {
    assert.equal(parseIpAddress(text), null, text);
  }
});

test('families do not meet, and mapped addresses are IPv4', () => {
  assert.ok(contains(cidr('0.0.0.0/0'), address('::ffff:1.2.3.4')));
  assert.ok(!contains(cidr('::/0'), address('::ffff:1.2.3.4')));
  assert.ok(!contains(cidr('::/0'), address('1.2.3.4')));
  assert.ok(!contains(cidr('0.0.0.0/0'), address('::1')));
  assert.ok(contains(cidr('10.0.0.0/9'), address('10.127.255.255')));
  assert.ok(!contains(cidr('10.0.0.0/9'), address('10.128.0.0')));
});

test('canonical text parses to itself', () => {
  fc.assert(
    fc.property(anyCidr, (text) => {
      const parsed = cidr(text);
      assert.deepEqual(cidr(parsed.text), parsed);
      assert.deepEqual(cidr(text.toUpperCase()), parsed);
    }),
  );
});

test('a range holds exactly the addresses that agree with it in its first bits', () => {
  const bitsOf = (parts: readonly number[]) =>
    parts.map((byte) => byte.toString(2).padStart(8, '0')).join('');
  fc.assert(
    fc.property(anyCidr, anyAddress, fc.boolean(), (range, other, inside) => {
      const parsed = cidr(range);
      const visitor = inside ? (parsed.network as IpAddress) : address(other);
      const same = bitsOf(visitor).slice(0, parsed.prefix) === bitsOf(parsed.network).slice(0, parsed.prefix);
      assert.equal(contains(parsed, visitor), visitor.length === parsed.network.length && same);
    }),
  );
});

test('no text makes the parser throw', () => {
  const characters = fc.constantFrom(...'0123456789abcdefF:./%[]x -+');
  fc.assert(
    fc.property(fc.string({ unit: characters, maxLength: 45 }), (text) => {
      const parsed = parseCidr(text);
      if (!isCidrFault(parsed)) assert.deepEqual(cidr(parsed.text), parsed);
    }),
    { numRuns: propertyRuns(2000) },
  );
});

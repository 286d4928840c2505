import assert from 'node:assert/strict';
import { test } from 'node:test';
import { InvalidInput } from './address.ts';
import { checkCidr } from './check-cidr.ts';
import { checkAddedHeaders, checkRemovedHeaders } from './check-headers.ts';
import { checkAddress, checkDomain, checkLabels, checkTexts } from './check-name.ts';
import { checkPattern } from './check-pattern.ts';

/** The message, which names its flag; '' if the value is accepted. */
function faultOf(check: () => void): string {
  try {
    check();
    return '';
  } catch (error) {
    assert.ok(error instanceof InvalidInput && error.flag !== null, String(error));
    return error.message;
  }
}

test('names that a service could bind pass, and no others', () => {
  const long = 'a'.repeat(63);
  for (const name of [
    ...['app.example.com', 'APP.Example.com', 'app.example.com.', '*.example.com', 'foo', '123', 'a-b'],
    ...['bücher.example', 'xn--bcher-kva.example', `${long}.example`, '1.example', 'localhost'],
  ])
    assert.equal(
      faultOf(() => checkDomain(name)),
      '',
      name,
    );
  for (const name of [
    ...['', '.', 'a..b', '-a', 'a-.b', 'a_b', 'a b', 'a/b', 'https://a.b', 'a:443', 'a@b', '1.2.3.4', '::1'],
    ...[`${long}a.example`, `${`${long}.`.repeat(4)}example`, 'a.*.b', '*', 'a\u0000'],
  ])
    assert.match(
      faultOf(() => checkDomain(name)),
      /is not a host name\. .*Give a name/,
      name,
    );
  assert.equal(
    faultOf(() => checkAddress('1.tcp.example.com:20001')),
    '',
  );
  for (const address of ['', '5', ':5', 'a:5', 'a.b', 'a.b:0', 'a.b:65536', 'a.b:05', '*.b:5', 'a b.c:5'])
    assert.match(
      faultOf(() => checkAddress(address)),
      /Give HOST:PORT/,
      address,
    );
});

test('a wrong range is reported with the fault, and with the probable range', () => {
  for (const range of [
    ...['10.0.0.0/8', '0.0.0.0/0', '::/0', '2001:db8::/32', '::ffff:10.0.0.0/104', '1.2.3.4/32'],
    ...['2001:DB8:0:0:0:0:0:1/128', '::1/128'],
  ])
    assert.equal(
      faultOf(() => checkCidr(range, 'x')),
      '',
      range,
    );
  for (const [range, remedy] of [
    ['10.1.2.3', /Give 10\.1\.2\.3\/32 /],
    ['::1', /Give ::1\/128 /],
    ['10.1.2.3/8', /Give 10\.0\.0\.0\/8\./],
    ['2001:db8::1/32', /Give 2001:db8::\/32\./],
    ['255.255.255.255/31', /Give 255\.255\.255\.254\/31\./],
    ['10.0.0.0/33', /from 0 to 32/],
    ['::/129', /from 0 to 128/],
    ['10.0.0.0/', /from 0 to 32/],
    ['10.0.0.0/08', /from 0 to 32/],
    ['300.0.0.0/8', /such as/],
    ['10.0/8', /such as/],
    ['fe80::1%eth0/64', /such as/],
    ['', /such as/],
    ['everybody', /such as/],
  ] as const)
    assert.match(
      faultOf(() => checkCidr(range, 'x')),
      remedy,
      range,
    );
});

test('of patterns only what no service takes is refused', () => {
  for (const pattern of [
    ...[
      '',
      'bot',
      '^curl/',
      '(a|b)+',
      '(?i)bot',
      '(?P<n>a)',
      '(?<n>a)',
      '[]a]',
      '[^]a]',
      '[[:alpha:]]',
      '[a\\]]',
    ],
    ...['\\(', '\\Q((\\E', '\\Q(', '[(]', '\\pL', '{', ']'],
  ])
    assert.equal(
      faultOf(() => checkPattern(pattern, 'x')),
      '',
      pattern,
    );
  for (const pattern of [
    '(',
    ')',
    ')(',
    '((a)',
    '[a',
    '[',
    'a\\',
    '(?=a)',
    '(?!a)',
    '(?<=a)',
    '(?<!a)b',
    '[a\\]',
  ])
    assert.match(
      faultOf(() => checkPattern(pattern, 'x')),
      /is not a regular expression: /,
      pattern,
    );
});

test('headers, labels and texts are held against the limits of a service', () => {
  const added = (...lines: readonly string[]) => faultOf(() => checkAddedHeaders(lines, 'x'));
  assert.equal(added('a:b', 'X-c: d:e', 'f:'), '');
  assert.match(added('a b:c'), /name of a header/);
  assert.match(added(':c'), /NAME:VALUE/);
  assert.match(added('a:b', 'A: c'), /given twice/);
  assert.match(added('a:b\r\nc:d'), /printable ASCII/);
  assert.doesNotMatch(added('a:se\u0000cret'), /cret/);
  assert.match(added(...Array.from({ length: 11 }, (_, at) => `a${at}:b`)), /at most 10/);
  assert.match(
    faultOf(() => checkRemovedHeaders(['a:b'], 'x')),
    /name of a header/,
  );
  assert.equal(
    faultOf(() => checkLabels({ a: 'b' })),
    '',
  );
  assert.match(
    faultOf(() => checkLabels({ a: 'b=c' })),
    /without "="/,
  );
  assert.match(
    faultOf(() => checkLabels({ a: '' })),
    /1 to 255/,
  );
  assert.match(
    faultOf(() => checkTexts({ metadata: 'x'.repeat(4097), description: '' })),
    /at most 4096/,
  );
  assert.match(
    faultOf(() => checkTexts({ metadata: '', description: 'ü'.repeat(128) })),
    /256 bytes/,
  );
});

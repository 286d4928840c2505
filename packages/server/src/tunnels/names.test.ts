import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import type { Hostname, HostPattern } from '../core/names/hostname.ts';
import { Problem } from '../errors/problem.ts';
import { denial, type RequestedName, randomName, wantedName } from './names.ts';

const service = {
  domain: 'shared.test' as Hostname,
  publicPort: 8443,
  plainPort: null,
  baseUrl: 'https://manage.example.net',
  consoleHost: null,
};
const unspecified: RequestedName = {
  proto: 'https',
  url: '',
  domain: '',
  hostname: '',
  subdomain: '',
  addr: '',
};

const reserved = new Map([
  ['mine.example.com', 'A'],
  ['mine.internal', 'A'],
  ['*.mine.example.com', 'A'],
  ['theirs.example.com', 'B'],
  ['*.theirs.example.com', 'B'],
  ['a.theirs.example.com', 'A'],
  ['short.shared.test', 'A'],
  ['foreign.shared.test', 'B'],
  ['deep.er.shared.test', 'A'],
  ['edge.mine.example.com', 'A'],
  ['edged.shared.test', 'A'],
]);
const edges = new Map([
  ['edge.mine.example.com', 'A'],
  ['edged.shared.test', 'A'],
  ['free-edge.shared.test', 'B'],
]);
const owners = {
  reservedBy: (name: HostPattern) => reserved.get(name),
  edgeAccount: (name: HostPattern) => edges.get(name),
};
const requester = { account: 'A', credential: 'cr_1', permits: () => true };

function outcome(decide: () => HostPattern | null): string | null {
  try {
    return decide();
  } catch (error) {
    assert.ok(error instanceof Problem, String(error));
    return error.code;
  }
}

function choose(name: string, permits: (name: HostPattern) => boolean = () => true): string {
  const asked = name as HostPattern;
  const problem = denial(asked, { ...requester, permits }, service, owners);
  return problem?.code ?? asked;
}

test('the name that is asked for is found in any of its four places', () => {
  for (const [requested, expected] of [
    [{}, null],
    [{ domain: 'App.Example.com' }, 'app.example.com'],
    [{ hostname: 'app.example.com.' }, 'app.example.com'],
    [{ subdomain: 'App' }, 'app.shared.test'],
    [{ subdomain: 'a.b' }, 'a.b.shared.test'],
    [{ url: 'https://app.example.com' }, 'app.example.com'],
    [{ url: 'HTTPS://App.example.com/' }, 'app.example.com'],
    [{ url: 'https://app.example.com:443' }, 'app.example.com'],
    [{ url: 'https://app.example.com:8443/' }, 'app.example.com'],
    [{ url: 'http://app.example.com:80' }, 'app.example.com'],
    [{ url: 'app.example.com' }, 'app.example.com'],
    [{ url: 'https://*.app.example.com' }, '*.app.example.com'],
    [{ url: 'https://' }, null],
    [
      {
        domain: 'a.shared.test',
        hostname: 'A.shared.test',
        subdomain: 'a',
        url: 'https://a.shared.test:8443',
      },
      'a.shared.test',
    ],
    [{ domain: 'münchen.de' }, 'xn--mnchen-3ya.de'],
  ] satisfies [Partial<RequestedName>, string | null][]) {
    assert.equal(
      outcome(() => wantedName({ ...unspecified, ...requested }, service)),
      expected,
      JSON.stringify(requested),
    );
  }
});

test('a name that contradicts itself or is none is refused for its own reason', () => {
  for (const [requested, expected] of [
    [{ domain: 'a.example.com', hostname: 'b.example.com' }, 'bindNamesContradict'],
    [{ domain: 'a.example.com', subdomain: 'a' }, 'bindNamesContradict'],
    [{ url: 'https://a.shared.test', subdomain: 'b' }, 'bindNamesContradict'],
    [{ url: 'https://a.example.com:444' }, 'bindUrlPort'],
    [{ url: 'https://a.example.com:80' }, 'bindUrlPort'],
    [{ url: 'https://:443' }, 'bindUrlPort'],
    [{ url: 'https://a.example.com/path' }, 'bindUrlMalformed'],
    [{ url: 'https://user@a.example.com' }, 'bindUrlUserInfo'],
    [{ url: 'https://user:secret@a.example.com:443/' }, 'bindUrlUserInfo'],
    [{ url: 'user@a.example.com' }, 'bindUrlUserInfo'],
    [{ url: 'https://a.example.com/user@' }, 'bindUrlMalformed'],
    [{ url: 'tcp://a.example.com' }, 'bindUrlMalformed'],
    [{ url: 'https://[::1]' }, 'bindUrlMalformed'],
    [{ url: 'https://127.0.0.1' }, 'bindNameIsAddress'],
    [{ domain: 'a b.example.com' }, 'bindNameCharacter'],
    [{ domain: 'a.example.com:443' }, 'bindNameCharacter'],
    [{ domain: '-a.example.com' }, 'bindNameFirst'],
    [{ domain: 'a-.example.com' }, 'bindNameLast'],
    [{ subdomain: 'a.' }, 'bindNameDots'],
    [{ subdomain: '.' }, 'bindNameDots'],
    [{ domain: 'ab--c.example.com' }, 'bindNameHyphens'],
    [{ domain: 'com' }, 'bindNameTopLevel'],
    [{ domain: 'xn--a.example.com' }, 'bindNamePunycode'],
    [{ domain: 'a_b.example.com' }, 'bindNameUnderscore'],
    [{ subdomain: 'x'.repeat(64) }, 'bindLabelTooLong'],
    [{ domain: `${'abcdefghi.'.repeat(25)}example.com` }, 'bindNameTooLong'],
    [{ domain: 'a.*.example.com' }, 'bindNameWildcardMisplaced'],
    [{ domain: '*' }, 'bindNameWildcardMisplaced'],
    [{ domain: '::1' }, 'bindNameIsAddress'],
  ] satisfies [Partial<RequestedName>, string][]) {
    assert.equal(
      outcome(() => wantedName({ ...unspecified, ...requested }, service)),
      expected,
      JSON.stringify(requested),
    );
  }
});

test('who may have which name', () => {
  for (const [name, expected] of [
    ['free.shared.test', 'free.shared.test'],
    ['short.shared.test', 'short.shared.test'],
    ['foreign.shared.test', 'bindNameReservedElsewhere'],
    ['a.b.shared.test', 'bindNameNested'],
    ['deep.er.shared.test', 'deep.er.shared.test'],
    ['xshared.test', 'bindNameNotReserved'],
    ['shared.test.attacker.net', 'bindNameNotReserved'],
    ['shared.test', 'bindNameOfService'],
    ['api.shared.test', 'bindNameOfService'],
    ['connect.shared.test', 'bindNameOfService'],
    ['cname.shared.test', 'bindNameOfService'],
    ['idp.shared.test', 'bindNameOfService'],
    ['tcp.shared.test', 'bindNameOfService'],
    ['manage.example.net', 'bindNameOfService'],
    ['x.api.shared.test', 'bindNameOfService'],
    ['acme.shared.test', 'bindNameOfService'],
    ['internal.shared.test', 'bindNameOfService'],
    ['eu.shared.test', 'bindNameOfService'],
    ['x.cname.us.shared.test', 'bindNameOfService'],
    ['x.eu.other.shared.test', 'bindNameNested'],
    ['free.example.com', 'bindNameNotReserved'],
    ['app.internal', 'bindNameInternal'],
    ['*.app.internal', 'bindWildcardNotReserved'],
    ['mine.internal', 'mine.internal'],
    ['mine.example.com', 'mine.example.com'],
    ['x.mine.example.com', 'x.mine.example.com'],
    ['x.y.mine.example.com', 'x.y.mine.example.com'],
    ['theirs.example.com', 'bindNameReservedElsewhere'],
    ['x.theirs.example.com', 'bindNameReservedElsewhere'],
    ['a.theirs.example.com', 'a.theirs.example.com'],
    ['*.mine.example.com', '*.mine.example.com'],
    ['*.x.mine.example.com', 'bindWildcardNotExact'],
    ['*.theirs.example.com', 'bindNameReservedElsewhere'],
    ['*.x.theirs.example.com', 'bindNameReservedElsewhere'],
    ['*.other.example.com', 'bindWildcardNotReserved'],
    ['*.shared.test', 'bindNameOfService'],
    ['*.tcp.shared.test', 'bindNameOfService'],
    ['*.example.net', 'bindNameOfService'],
    ['edge.mine.example.com', 'bindNameOfEdge'],
    ['edged.shared.test', 'bindNameOfEdge'],
    ['free-edge.shared.test', 'bindNameReservedElsewhere'],
  ] as const) {
    assert.equal(choose(name), expected, name);
  }
});

test('a name that nobody reserved is for everybody, and a reserved one for its account only', () => {
  assert.equal(choose('free.shared.test'), 'free.shared.test');
  assert.equal(choose('foreign.shared.test'), 'bindNameReservedElsewhere');
});

test('bind rules come before everything but the names of the service', () => {
  const permits = () => false;
  assert.equal(choose('mine.example.com', permits), 'bindNameNotPermitted');
  assert.equal(choose('edged.shared.test', permits), 'bindNameNotPermitted');
  assert.equal(choose('api.shared.test', permits), 'bindNameOfService');
});

describe('a random name', () => {
  test('is the first draw that is free', () => {
    const draws = ['aaaaaaaaaaaa', 'bbbbbbbbbbbb', 'cccccccccccc'];
    const isFree = (name: HostPattern) => !name.startsWith('a') && !name.startsWith('b');
    assert.equal(
      randomName(requester, service, owners, isFree, () => draws.shift()!),
      'cccccccccccc.shared.test',
    );
  });

  test('is refused when the rules permit none', () => {
    const bound = { ...requester, permits: (name: HostPattern) => name === 'mine.example.com' };
    const decide = () =>
      randomName(
        bound,
        service,
        owners,
        () => true,
        () => 'aaaaaaaaaaaa',
      );
    assert.equal(outcome(decide), 'bindRandomNameUnavailable');
  });
});

test('no name that is reserved by another account is ever granted, whatever is reserved', () => {
  const label = fc.constantFrom('a', 'b', 'c');
  const base = fc.constantFrom('x.com', 'shared.test');
  const name = fc
    .tuple(fc.array(label, { maxLength: 3 }), base)
    .map(([labels, end]) => [...labels, end].join('.'));
  const reservation = fc.tuple(fc.boolean(), name, fc.constantFrom('A', 'B'));
  fc.assert(
    fc.property(fc.array(reservation, { maxLength: 6 }), name, fc.boolean(), (list, text, star) => {
      const table = new Map(list.map(([wild, at, account]) => [wild ? `*.${at}` : at, account]));
      const wanted = (star ? `*.${text}` : text) as HostPattern;
      const view = { reservedBy: (at: HostPattern) => table.get(at), edgeAccount: () => undefined };
      if (denial(wanted, requester, service, view) !== null) return;
      const labels = wanted.split('.');
      const covering = labels.map((_, index) => `*.${labels.slice(index + 1).join('.')}`);
      const nearest = [wanted, ...covering]
        .map((at) => table.get(at))
        .find((account) => account !== undefined);
      assert.ok(nearest !== 'B', `${wanted} in ${JSON.stringify([...table])}`);
      if (!wanted.endsWith('.shared.test')) assert.equal(nearest, 'A');
      if (star) assert.equal(table.get(wanted), 'A');
    }),
  );
});

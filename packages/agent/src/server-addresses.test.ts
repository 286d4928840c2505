import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { test } from 'node:test';
import { ServerAddresses } from './server-addresses.ts';

const of = (family: number, ...addresses: readonly string[]): readonly LookupAddress[] =>
  addresses.map((address) => ({ address, family }));

function resolving(...found: readonly LookupAddress[]) {
  const dns = { found };
  const addresses = new ServerAddresses({
    lookup: (_host, _options, callback) => callback(null, [...dns.found]),
    random: () => 0,
  });
  const next = (): readonly string[] => {
    let result: readonly string[] = [];
    addresses.lookup('connect.example.com', { all: true }, (error, found) => {
      assert.equal(error, null);
      if (typeof found !== 'string') result = found.map(({ address }) => address);
    });
    return result;
  };
  return { addresses, dns, next };
}

test('each connection begins behind the address that the one before reached', () => {
  const { addresses, next } = resolving(...of(4, 'a', 'b', 'c'));
  assert.deepEqual(next(), ['a', 'b', 'c']);
  addresses.reached('b');
  assert.deepEqual(next(), ['c', 'a', 'b']);
  addresses.reached('c');
  assert.deepEqual(next(), ['a', 'b', 'c']);
});

test('a connection that reached none begins with the next one, and has more time for each', () => {
  const { addresses, next } = resolving(...of(4, 'a', 'b', 'c'));
  next();
  const times = Array.from({ length: 20 }, () => {
    const { autoSelectFamilyAttemptTimeout } = addresses.route;
    addresses.failed();
    return autoSelectFamilyAttemptTimeout;
  });
  assert.deepEqual(times.slice(0, 6), [250, 500, 1000, 2000, 4000, 4000]);
  assert.equal(times.at(-1), 4000);
  assert.deepEqual(next(), ['c', 'a', 'b']);
  addresses.reached('c');
  assert.equal(addresses.route.autoSelectFamilyAttemptTimeout, 250);
});

test('the first family stays that of the system', () => {
  const { addresses, dns, next } = resolving(...of(6, 'x', 'y'), ...of(4, 'a', 'b'));
  assert.deepEqual(next(), ['x', 'y', 'a', 'b']);
  addresses.reached('x');
  assert.deepEqual(next(), ['y', 'x', 'a', 'b']);
  addresses.reached('a');
  assert.deepEqual(next(), ['y', 'x', 'b', 'a']);
  dns.found = [...of(4, 'a', 'b'), ...of(6, 'x', 'y')];
  assert.deepEqual(next(), ['b', 'a', 'y', 'x']);
});

test('addresses follow DNS, those without use first', () => {
  const { addresses, dns, next } = resolving(...of(4, 'a', 'b'));
  next();
  addresses.reached('a');
  dns.found = of(4, 'a', 'b', 'new');
  assert.deepEqual(next(), ['new', 'b', 'a']);
  dns.found = of(4, 'a');
  assert.deepEqual(next(), ['a']);
  addresses.reached('unknown');
  assert.deepEqual(next(), ['a']);
});

test('agents begin at random, and keep a bounded number of addresses', () => {
  const found = of(4, ...Array.from({ length: 100 }, (_, n) => `10.0.0.${n}`));
  const firsts = new Set<string>();
  for (let agent = 0; agent < 50; agent++) {
    const addresses = new ServerAddresses({ lookup: (_host, _options, done) => done(null, [...found]) });
    addresses.lookup('connect.example.com', { all: true }, (_error, answer) => {
      if (typeof answer === 'string') return;
      assert.equal(answer.length, 64);
      firsts.add(answer[0]?.address ?? '');
    });
  }
  assert.ok(firsts.size > 10, `${firsts.size} first addresses`);
});

test('an error of DNS reaches the connection', () => {
  const addresses = new ServerAddresses({
    lookup: (_host, _options, callback) => callback(new Error('no such name'), ''),
  });
  addresses.lookup('connect.example.com', { all: true }, (error) =>
    assert.equal(error?.message, 'no such name'),
  );
});

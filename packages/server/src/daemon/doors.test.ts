import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { parseIpAddress } from '../core/ip/ip-address.ts';
import { type Doors, doorsOf, isDoorOf } from './doors.ts';

const THERE: Doors = { addresses: ['192.0.2.7'], isEverywhere: true, port: 443 };

function isDoor(
  doors: Doors | undefined,
  address: string,
  port: number,
  { machine = 'other', isDead = false } = {},
): boolean {
  const node = { facts: { machine, doors }, isDead };
  return isDoorOf(node, 'this', [parseIpAddress(address)!, port], (one) => one === 20_000);
}

test('the front door and TCP ports of another daemon are known at its addresses', () => {
  assert.ok(isDoor(THERE, '192.0.2.7', 443));
  assert.ok(isDoor(THERE, '192.0.2.7', 20_000));
  assert.ok(!isDoor(THERE, '192.0.2.7', 20_001));
  assert.ok(!isDoor(THERE, '192.0.2.8', 443));
  assert.ok(!isDoor(THERE, '192.0.2.7', 443, { isDead: true }));
  assert.ok(!isDoor(undefined, '192.0.2.7', 443), 'the row of an older version');
});

test('loopback leads to a daemon of the same machine only', () => {
  for (const address of ['127.0.0.1', '127.9.9.9', '::1', '0.0.0.0', '::']) {
    assert.ok(isDoor(THERE, address, 443, { machine: 'this' }), address);
    assert.ok(!isDoor(THERE, address, 443), address);
  }
  const loopback: Doors = { addresses: ['127.0.0.2'], isEverywhere: false, port: 443 };
  assert.ok(isDoor(loopback, '127.0.0.2', 443, { machine: 'this' }));
  assert.ok(!isDoor(loopback, '127.0.0.1', 443, { machine: 'this' }));
  assert.ok(!isDoor(loopback, '127.0.0.2', 443));
});

test('a daemon at every address has those of its interfaces', () => {
  const interfaces = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const outside = interfaces.filter(({ internal }) => !internal).map(({ address }) => address);
  assert.deepEqual(doorsOf({ host: '::', port: 443 }), { addresses: outside, isEverywhere: true, port: 443 });
  const one = { addresses: ['192.0.2.7'], isEverywhere: false, port: 443 };
  assert.deepEqual(doorsOf({ host: '192.0.2.7', port: 443 }), one);
});

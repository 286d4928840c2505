import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sourceKey } from '../core/ip/client-address.ts';
import { Turns } from './turns.ts';

function turnsOf(...waiting: readonly [source: string, item: string][]): Turns<string> {
  const turns = new Turns<string>();
  for (const [source, item] of waiting) turns.add(sourceKey(source), item);
  return turns;
}

function all(turns: Turns<string>): string[] {
  return Array.from({ length: turns.size }, () => turns.take() ?? '');
}

test('each network has its turn, however many it has', () => {
  const turns = turnsOf(['192.0.2.1', 'a1'], ['192.0.2.1', 'a2'], ['192.0.2.1', 'a3'], ['192.0.2.2', 'b1']);
  turns.add(sourceKey('2001:db8:1:1::1'), 'c1');
  turns.add(sourceKey('2001:db8:1:2::1'), 'c2');
  assert.deepEqual(all(turns), ['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
  assert.deepEqual([turns.size, turns.take()], [0, undefined]);
});

test('the newest of the network that has most gives way, and to nobody who has as many', () => {
  const turns = turnsOf(['192.0.2.1', 'a1'], ['192.0.2.2', 'b1'], ['192.0.2.2', 'b2'], ['192.0.2.2', 'b3']);
  assert.equal(turns.displace('192.0.2.2'), undefined);
  assert.equal(turns.displace('192.0.2.1'), 'b3');
  assert.equal(turns.displace('192.0.2.3'), 'b2');
  assert.equal(turns.displace('192.0.2.1'), undefined);
  assert.equal(turns.displace('192.0.2.3'), 'a1');
  assert.deepEqual(all(turns), ['b1']);
  assert.equal(turns.displace('192.0.2.3'), undefined);
});

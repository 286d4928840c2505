import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { Sealer } from './seal.ts';
import { TicketKeys } from './ticket-keys.ts';

const master = randomBytes(32);
const keysOf = (key = master, now = 0) => new TicketKeys({ sealer: new Sealer(key), now: () => now });

test('daemons with one master key have the same keys, and nobody else has one of them', () => {
  const key = keysOf().keyOf('ac_1 site/TLSv1.2', 20_000);
  assert.deepEqual(keysOf().keyOf('ac_1 site/TLSv1.2', 20_000), key);
  assert.equal(key.bytes.length, 48);
  assert.equal(key.name, key.bytes.toString('latin1', 0, 16));
  const others = [
    keysOf().keyOf('ac_1 site/TLSv1.3', 20_000),
    keysOf().keyOf('ac_1 site/TLSv1.2', 20_001),
    keysOf(randomBytes(32)).keyOf('ac_1 site/TLSv1.2', 20_000),
  ];
  for (const other of others) assert.notDeepEqual(other.bytes, key.bytes);
});

test('the day changes at midnight UTC', () => {
  const midnight = Date.UTC(2026, 10, 22);
  const today = keysOf(master, midnight).day;
  assert.equal(keysOf(master, midnight - 1).day, today - 1);
  assert.equal(keysOf(master, midnight + 86_399_999).day, today);
});

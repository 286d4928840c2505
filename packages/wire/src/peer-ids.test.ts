import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PeerIds } from './peer-ids.ts';

test('each id can be used once, in any order, and only with the right parity', () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 80 }),
      fc.constantFrom(0, 1),
      (ids, parity) => {
        const peer = new PeerIds(parity as 0 | 1);
        const seen = new Set<number>();
        for (const id of ids) {
          assert.equal(peer.use(id), (id & 1) === parity && !seen.has(id), `use(${id})`);
          if ((id & 1) === parity) seen.add(id);
          for (let other = parity === 1 ? 1 : 2; other <= 60; other += 2) {
            assert.equal(peer.used(other), seen.has(other), `used(${other})`);
          }
        }
      },
    ),
  );
});

test('a peer that leaves gaps for ever is forgotten the oldest ones', () => {
  const peer = new PeerIds(1);
  for (let id = 1; id < 40_001; id += 4) assert.equal(peer.use(id), true);
  assert.equal(peer.use(3), false);
  assert.equal(peer.used(3), true);
  assert.equal(peer.use(39_991), true);
});

test('the highest id of all can be used', () => {
  const peer = new PeerIds(1);
  assert.equal(peer.use(0x7fffffff), true);
  assert.equal(peer.use(0x7fffffff), false);
  assert.equal(peer.use(1), true);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Unauthenticated } from './unauthenticated.ts';

test('beyond the bound of a source its own oldest goes, beyond that of all the oldest of all, and never the newcomer', () => {
  const crowd = new Unauthenticated<string>({ inAll: 5, perSource: 3 });
  const add = (...members: string[]) => members.map((member) => crowd.add(member, member.slice(0, 1)));
  assert.deepEqual(add('a1', 'b1', 'a2', 'a3'), [null, null, null, null]);
  assert.deepEqual(add('a4'), ['a1']);
  crowd.delete('a2');
  crowd.delete('nobody');
  assert.deepEqual(add('a5', 'c1'), [null, null]);
  assert.deepEqual(add('c2', 'c3', 'd1'), ['b1', 'a3', 'a4']);
  assert.equal(crowd.size, 5);
});

test('the bounds hold and the newest stay, after any sequence', () => {
  const arrival = fc.record({ source: fc.constantFrom('a', 'b', 'c'), leaves: fc.nat(30) });
  fc.assert(
    fc.property(fc.array(arrival, { maxLength: 40 }), (arrivals) => {
      const crowd = new Unauthenticated<number>({ inAll: 6, perSource: 4 });
      let here: { member: number; source: string }[] = [];
      for (const [member, { source, leaves }] of arrivals.entries()) {
        crowd.delete(leaves);
        here = here.filter((one) => one.member !== leaves);
        const gone = crowd.add(member, source);
        here.push({ member, source });
        const siblings = here.filter((one) => one.source === source);
        const expected = siblings.length > 4 ? siblings[0] : here.length > 6 ? here[0] : undefined;
        assert.equal(gone, expected?.member ?? null);
        here = here.filter((one) => one !== expected);
        assert.equal(crowd.size, here.length);
        assert.equal(crowd.sources, new Set(here.map((one) => one.source)).size);
      }
    }),
  );
});

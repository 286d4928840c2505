import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { TunnelHandle } from '../../online/online.ts';
import { tunnelAt } from '../../online/tunnels.fixture.ts';
import { Rotation } from './rotation.ts';

const none: ReadonlySet<TunnelHandle> = new Set();

function tunnelsOf(count: number): TunnelHandle[] {
  return Array.from({ length: count }, (_, i) => tunnelAt(`t${i}.test`));
}

test('requests that follow each other go round', () => {
  const tunnels = tunnelsOf(3);
  const rotation = new Rotation();
  const picked = Array.from({ length: 6 }, () => tunnels.indexOf(rotation.pick(tunnels, none)!));
  assert.deepEqual(picked, [0, 1, 2, 0, 1, 2]);
});

test('whatever is answered when, the next request goes to one that has the fewest under way', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 16 }),
      fc.array(fc.option(fc.nat(15)), { maxLength: 200 }),
      (count, steps) => {
        const tunnels = tunnelsOf(count);
        const rotation = new Rotation();
        for (const answered of steps) {
          const least = Math.min(...tunnels.map(({ outstanding }) => outstanding));
          if (answered === null) {
            const picked = rotation.pick(tunnels, none)!;
            assert.equal(picked.outstanding, least);
            picked.outstanding += 1;
          } else if (tunnels[answered % count]!.outstanding > 0) tunnels[answered % count]!.outstanding -= 1;
        }
      },
    ),
  );
});

test('one that answers nothing gets no more than its share, and the others all else', () => {
  const [stalled, ...others] = tunnelsOf(4);
  const rotation = new Rotation();
  const counts = new Map<TunnelHandle, number>();
  for (let i = 0; i < 300; i += 1) {
    const picked = rotation.pick([stalled!, ...others], none)!;
    counts.set(picked, (counts.get(picked) ?? 0) + 1);
    if (picked === stalled) stalled.outstanding += 1;
  }
  assert.equal(counts.get(stalled!), 1);
  for (const other of others)
    assert.ok(Math.abs(counts.get(other)! - 299 / 3) <= 1, String(counts.get(other)));
});

test('one that is silent is taken only when there is no other, and one that was tried never', () => {
  const [silent, ...others] = tunnelsOf(3).map((tunnel, i) => ({ ...tunnel, isSuspect: i === 0 }));
  const tunnels = [silent!, ...others];
  const rotation = new Rotation();
  for (let i = 0; i < 6; i += 1) assert.notEqual(rotation.pick(tunnels, none), silent);
  assert.equal(rotation.pick(tunnels, new Set(others)), silent);
  assert.equal(rotation.pick(tunnels, new Set(tunnels)), null);
  assert.equal(rotation.pick([], none), null);
});

test('among thousands no more are looked at than among a few, and they share all the same', () => {
  let looks = 0;
  const loads = new Map<string, number>();
  const tunnels = tunnelsOf(1_000).map(
    (tunnel): TunnelHandle => ({
      ...tunnel,
      get outstanding() {
        looks += 1;
        return loads.get(tunnel.id) ?? 0;
      },
    }),
  );
  const rotation = new Rotation();
  const requests = 20_000;
  for (let i = 0; i < requests; i += 1) {
    const { id } = rotation.pick(tunnels, none)!;
    loads.set(id, (loads.get(id) ?? 0) + 1);
  }
  assert.ok(looks <= requests * 40, `${looks / requests} looks a request`);
  assert.deepEqual([...new Set(loads.values())], [20]);
});

test('near tunnels are preferred to far ones, busy or not, and far ones to silent ones', () => {
  const [far, near, silent] = [
    tunnelAt('far.test', { distance: 3 }),
    tunnelAt('near.test', { outstanding: 5 }),
    tunnelAt('silent.test', { isSuspect: true }),
  ];
  const rotation = new Rotation();
  const tunnels = [far, near, silent];
  for (let count = 0; count < 4; count += 1) assert.equal(rotation.pick(tunnels, none), near);
  assert.equal(rotation.pick(tunnels, new Set([near])), far);
  assert.equal(rotation.pick(tunnels, new Set([near, far])), silent);
});

test('tunnels of one distance take turns', () => {
  const tunnels = [1, 1, 2].map((distance, at) => tunnelAt(`t${at}.test`, { distance }));
  const rotation = new Rotation();
  const picked = Array.from({ length: 4 }, () => tunnels.indexOf(rotation.pick(tunnels, none)!));
  assert.deepEqual(picked, [0, 1, 0, 1]);
});

test('an agent with connections to three other daemons gets as much as one with a single connection', () => {
  const remote = (clientId: string, count: number): TunnelHandle[] =>
    Array.from({ length: count }, (_, i) => {
      const tunnel = tunnelAt(`${clientId}${i}.test`);
      return Object.assign(tunnel, {
        facts: { ...tunnel.facts, clientId, session: `ts_${clientId}${i}` },
        distance: 1,
      });
    });
  const [several, single] = [remote('several', 3), remote('single', 1)];
  const tunnels = [...several, ...single];
  const rotation = new Rotation();
  const share = (isKept: boolean) => {
    let count = 0;
    for (let visit = 0; visit < 40; visit++) {
      const picked = rotation.pick(tunnels, none)!;
      if (isKept) picked.outstanding += 1;
      if (single.includes(picked)) count += 1;
    }
    return count;
  };
  assert.equal(share(false), 20, 'of visits one after the other');
  assert.equal(share(true), 20, 'of visits at the same time');
  assert.ok(
    several.every(({ outstanding }) => outstanding > 0),
    'all its connections are used',
  );
});

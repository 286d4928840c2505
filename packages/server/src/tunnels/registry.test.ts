import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Target } from '../core/names/bind-target.ts';
import type { HostPattern } from '../core/names/hostname.ts';
import type { SessionFacts } from '../online/session.ts';
import { factsAt, labelledFacts } from '../online/tunnels.fixture.ts';
import type { Carrier } from './carrier.ts';
import { Leases } from './leases.ts';
import { emptyRegistry } from './registry.fixture.ts';
import { nameTarget } from './target.ts';
import { Tunnel } from './tunnel.ts';

const carrier: Carrier = {
  open: () => null,
  stop() {},
  registerMs: 0,
  hidesDials: false,
  isSuspect: false,
  expectAnswer() {},
};
const uptime = () => 0;

function targetAt(name: string): Target {
  return nameTarget(name as HostPattern, 'https', { publicPort: 443, plainPort: null });
}

function tunnel(
  id: number,
  /** Credential of the account that its first letter names. */
  credential: string,
  labels: ReadonlyMap<string, string>,
  name: string | null,
  isPooled = false,
): Tunnel {
  const facts = {
    id: `tn_${String(id).padStart(4, '0')}`,
    bindId: `b${id}`,
    account: credential.charAt(0),
    credential,
    isPooled,
    labels: Object.fromEntries(labels),
  };
  return new Tunnel(carrier, uptime, {
    facts: name === null ? labelledFacts(facts) : factsAt(name, facts),
    ...{ modules: {}, termination: null, grant: null, boundAt: 0 },
  });
}

test('look-ups agree with a plain list of what is online, after any sequence of comings and goings', async () => {
  const credential = fc.constantFrom('A1', 'A2', 'B1');
  const labels = fc
    .array(fc.tuple(fc.constantFrom('app', 'zone', 'x'), fc.constantFrom('1', '2')), { maxLength: 3 })
    .map((entries) => new Map(entries));
  const step = fc.oneof(
    fc.record({
      kind: fc.constant('named' as const),
      credential,
      name: fc.constantFrom('a.x', 'b.x', '*.x'),
      isPooled: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('labelled' as const), credential, labels }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat(20) }),
    fc.record({ kind: fc.constant('lose' as const), at: fc.nat(20) }),
  );
  const selectors = ['app=1', 'app=2', 'zone=1', 'app=1,zone=2'].map(
    (text) => new Map(text.split(',').map((pair) => pair.split('=') as [string, string])),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const { registry, claims } = emptyRegistry();
      /** The last lost tunnel by name. */
      const held = new Map<string, Tunnel>();
      const all: Tunnel[] = [];
      let online: Tunnel[] = [];
      for (const action of steps) {
        if (action.kind === 'remove' || action.kind === 'lose') {
          const victim = all[action.at % Math.max(1, all.length)];
          if (victim === undefined) continue;
          if (action.kind === 'remove') registry.remove(victim);
          else registry.lose(victim, false);
          const wasOnline = online.includes(victim);
          online = online.filter((other) => other !== victim);
          const name = victim.facts.endpoint?.hostname;
          const isLast = wasOnline && !online.some((other) => other.facts.endpoint?.hostname === name);
          if (action.kind === 'lose' && name !== undefined && isLast) held.set(name, victim);
        } else {
          const name = action.kind === 'named' ? action.name : null;
          const added = tunnel(
            all.length,
            action.credential,
            action.kind === 'named' ? new Map() : action.labels,
            name,
            action.kind === 'named' && action.isPooled,
          );
          const shares = (other: Tunnel) =>
            added.facts.isPooled && other.facts.isPooled && other.facts.account === added.facts.account;
          const there = online.filter((other) => name !== null && other.facts.endpoint?.hostname === name);
          if (name !== null) {
            const before = held.get(name);
            const isRival = (other: Tunnel) =>
              other.facts.credential !== added.facts.credential && !shares(other);
            const claim = claims.claim(name as HostPattern, added.facts);
            if ([...there, ...(before === undefined ? [] : [before])].some(isRival)) {
              await assert.rejects(claim, { name: 'Problem' });
              continue;
            }
            claims.release(await claim);
            held.delete(name);
          }
          const replaced = there.filter((other) => !shares(other));
          all.push(added);
          assert.deepEqual(registry.add(added), replaced);
          online = [...online.filter((other) => !replaced.includes(other)), added];
        }
        assert.equal(registry.counts.tunnels, online.length);
        for (const owner of ['A', 'B']) {
          const mine = online.filter((other) => other.facts.account === owner);
          assert.deepEqual(
            [...registry.tunnels(owner)].map(({ id }) => id),
            mine.map(({ id }) => id),
          );
          for (const selector of selectors) {
            const expected = mine.filter(
              (other) =>
                other.facts.endpoint === null &&
                [...selector].every(([key, value]) => other.facts.labels[key] === value),
            );
            assert.deepEqual(
              registry.matching(owner, selector).map(({ id }) => id),
              expected.map(({ id }) => id),
            );
          }
        }
        for (const name of ['a.x', 'b.x', '*.x'] as HostPattern[]) {
          const there = online.filter((other) => other.facts.endpoint?.hostname === name);
          assert.equal(registry.byName(name), there[0]);
          assert.deepEqual(registry.byName(name)?.pool?.tunnels ?? [], there);
        }
        for (const other of all) assert.equal(other.closed.aborted, !online.includes(other));
      }
    }),
  );
});

test('a credential cannot hold more names than its share, its own oldest give way, and what is over is forgotten', () => {
  let now = 0;
  const leases = new Leases({ now: () => now, perCredential: 2 });
  const held = () =>
    (['z', 'a', 'b', 'c', 'y'] as HostPattern[]).filter((name) => leases.get(name) !== undefined);
  const bearer = { account: 'A', credential: 'cr_1', session: 'ts_1', clientId: 'ts_1', isPooled: false };
  leases.hold(targetAt('z'), { ...bearer, credential: 'cr_2' }, 1000);
  for (const name of ['a', 'b', 'a', 'c']) leases.hold(targetAt(name), bearer, 1000);
  assert.deepEqual(held(), ['z', 'a', 'c'], 'the name of the sibling is older, and stays');
  now = 1000;
  leases.hold(targetAt('y'), bearer, 1000);
  assert.deepEqual([...leases.names()], ['y']);
});

test('a name that was lost, bound again and given up is free at once', async () => {
  const { registry, claims } = emptyRegistry();
  const name = 'a.x' as HostPattern;
  const bound = async (id: number, credential: string) => {
    const one = tunnel(id, credential, new Map(), name);
    claims.release(await claims.claim(name, one.facts));
    registry.add(one);
    return one;
  };
  registry.lose(await bound(1, 'A1'), false);
  await assert.rejects(bound(2, 'B1'), { name: 'Problem' }, 'it is held for who had it');
  registry.remove(await bound(3, 'A1'));
  registry.remove(await bound(4, 'B1'));
});

test('the name of a tunnel that was offline already is not held', async () => {
  const { registry, claims } = emptyRegistry();
  const name = 'a.x' as HostPattern;
  const one = tunnel(1, 'A1', new Map(), name);
  claims.release(await claims.claim(name, one.facts));
  registry.add(one);
  registry.remove(one);
  registry.lose(one, false);
  assert.equal(claims.denial(name, tunnel(2, 'B1', new Map(), name).facts), null);
});

test('of a thousand tunnels and sessions that came and went nothing is held or counted', async () => {
  const { registry, claims } = emptyRegistry();
  const session = (n: number): SessionFacts => ({
    ...{ id: `ts_${n}`, account: `ac_${n % 7}`, credential: 'cr_1', clientId: `ts_${n}`, leg: 0, ip: '' },
    ...{
      agentVersion: '',
      userAgent: '',
      serverIp: '',
      metadata: '',
      os: '',
      arch: '',
      region: '',
      node: '',
    },
    ...{ startedAt: 0, transport: '' },
  });
  for (let n = 0; n < 1_000; n++) {
    const labels = new Map([['app', String(n % 3)]]);
    const [named, labelled] = [tunnel(n, 'A1', new Map(), `${n}.x`), tunnel(n + 1_000, 'A1', labels, null)];
    const live = session(n);
    registry.addSession({ facts: live, ask: async () => {} });
    claims.release(await claims.claim(`${n}.x` as HostPattern, named.facts));
    for (const one of [named, labelled]) registry.add(one);
    assert.deepEqual(registry.counts, { sessions: 1, tunnels: 2 });
    for (const one of [named, labelled, named]) registry.remove(one);
    for (const _ of [1, 2]) registry.removeSession(live);
    assert.equal(registry.byName(`${n}.x` as HostPattern), undefined);
    assert.deepEqual(registry.matching('A', labels), []);
  }
  assert.deepEqual(registry.counts, { sessions: 0, tunnels: 0 });
  claims.releaseLeases(() => assert.fail('no name is held'));
});

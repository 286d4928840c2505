import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Slot } from '../../core/names/bind-target.ts';
import { type Claimant, decide, effectOf, holdMs, occupation, type Row, sharesWith } from './decide.ts';

const secured = 'a.example.com' as Slot;
const plain = 'http:a.example.com' as Slot;

/** Facts of a tunnel of account `ac_1`. */
function facts(other: Partial<Claimant> = {}): Claimant {
  return {
    ...{ account: 'ac_1', credential: 'cr_1', session: 'ts_1', clientId: 'ag_1', isPooled: false },
    ...{ bindId: 'b1', endpoint: { slot: secured } },
    ...other,
  };
}

const mine = facts();
const siblings = facts({ credential: 'cr_2', session: 'ts_2', clientId: 'ag_2' });
const foreign = facts({ account: 'ac_2', credential: 'cr_3', session: 'ts_3', clientId: 'ag_3' });
const pooled = { isPooled: true };

function online(...all: readonly Claimant[]): Row[] {
  return all.map((one) => ({ facts: one }));
}

test('a name without rows is granted, and nothing is replaced', () => {
  assert.deepEqual(decide([], mine, 0), { outcome: 'granted', replaces: [], joins: [], frees: [] });
});

test('a tunnel of another credential refuses a name, also in the other slot and before it is online', () => {
  const refused = { outcome: 'refused', error: 'bindNameOnline' };
  const rivals = [siblings, foreign, { ...foreign, ...pooled }, { ...siblings, ...pooled }];
  for (const rival of rivals) {
    for (const endpoint of [{ slot: secured }, { slot: plain }, null])
      assert.deepEqual(decide(online({ ...rival, endpoint }), mine, 0), refused);
  }
  assert.deepEqual(decide(online(siblings), { ...mine, ...pooled }, 0), refused);
  assert.deepEqual(decide(online(mine, siblings), mine, 0), refused, 'one of many is enough');
});

test('a held name is refused to another credential until the hold has passed', () => {
  const rows = [{ facts: { ...foreign, endpoint: null }, heldUntil: 10_000 }];
  const held = (seconds: number) => ({ outcome: 'refused', error: 'bindNameHeld', seconds });
  assert.deepEqual(decide(rows, mine, 0), held(10));
  assert.deepEqual(decide(rows, mine, 9_001), held(1));
  assert.equal(decide(rows, mine, 10_000).outcome, 'granted');
  assert.equal(decide(rows, { ...foreign, session: 'ts_9' }, 0).outcome, 'granted', 'it is held for its own');
  const both = [{ facts: { ...siblings, ...pooled }, heldUntil: 10_000 }];
  assert.equal(decide(both, { ...mine, ...pooled }, 0).outcome, 'granted', 'it may be shared');
});

test('a tunnel that was replaced refuses a name until its daemon has ended it, and is not replaced again', () => {
  const over = (one: Claimant) => [{ facts: one, isOver: true }];
  assert.equal(decide(over(foreign), mine, 0).outcome, 'refused');
  const nothing = { replaces: [], joins: [], frees: [] };
  assert.deepEqual(decide(over(mine), mine, 0), { outcome: 'granted', ...nothing });
});

test('a grant ends the holds of the name, those of its own credential too', () => {
  const rows = [
    { facts: foreign, heldUntil: 100 },
    { facts: { ...mine, session: 'ts_9' }, heldUntil: 900 },
  ];
  assert.deepEqual(decide(rows, mine, 100), { outcome: 'granted', replaces: [], joins: [], frees: rows });
});

test('a claim replaces its own bind and tunnels of its credential that share nothing with it', () => {
  const elsewhere = facts({ session: 'ts_9', clientId: 'ag_9', bindId: 'b9' });
  const cases: readonly (readonly [string, Claimant, Claimant, 'replaces' | 'joins'])[] = [
    ['the same credential', elsewhere, mine, 'replaces'],
    ['the same credential, one of both pooled', { ...elsewhere, ...pooled }, mine, 'replaces'],
    ['the same credential, pooled', { ...elsewhere, ...pooled }, { ...mine, ...pooled }, 'joins'],
    ['another credential, pooled', { ...siblings, ...pooled }, { ...mine, ...pooled }, 'joins'],
    ['the same session', facts({ bindId: 'b2' }), mine, 'replaces'],
    ['the same session, pooled', facts({ bindId: 'b2', ...pooled }), { ...mine, ...pooled }, 'joins'],
    ['the same bind, pooled', facts(pooled), { ...mine, ...pooled }, 'replaces'],
    ['another connection of the agent', facts({ session: 'ts_2' }), mine, 'joins'],
  ];
  for (const [what, one, wish, kind] of cases) {
    const rows = online(one);
    const effect = { replaces: [], joins: [], [kind]: rows };
    assert.deepEqual(decide(rows, wish, 0), { outcome: 'granted', ...effect, frees: [] }, what);
  }
});

test('a claim has an effect on tunnels of its own slot only', () => {
  const others = online({ ...mine, endpoint: { slot: plain } }, { ...mine, endpoint: null });
  assert.deepEqual(decide(others, mine, 0), { outcome: 'granted', replaces: [], joins: [], frees: [] });
  assert.deepEqual(effectOf(online(mine), { ...mine, endpoint: null }), { replaces: [], joins: [] });
});

test('a tunnel that comes online replaces none of another credential, whatever has become of it', () => {
  const rows = online(siblings, foreign);
  assert.deepEqual(effectOf(rows, { ...mine, ...pooled }), { replaces: [], joins: rows });
});

test('what is granted keeps the invariant, and the order of rows does not matter', () => {
  const some = fc.record({
    account: fc.constant('ac_1'),
    credential: fc.constantFrom('cr_1', 'cr_2'),
    session: fc.constantFrom('ts_1', 'ts_2', 'ts_3'),
    clientId: fc.constantFrom('ag_1', 'ag_2'),
    isPooled: fc.boolean(),
    bindId: fc.constantFrom('b1', 'b2'),
    endpoint: fc.constantFrom(null, { slot: secured }, { slot: plain }),
  });
  const claimant = some.chain((one) => fc.constantFrom(one, { ...one, account: 'ac_2', credential: 'cr_3' }));
  const hold = fc.option(fc.constantFrom(50, 100, 150), { nil: undefined });
  const row = fc
    .tuple(claimant, hold)
    .map(([one, until]): Row => (until === undefined ? { facts: one } : { facts: one, heldUntil: until }));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 6 }), claimant, (rows, wish) => {
      const decision = decide(rows, wish, 100);
      const isThere = ({ heldUntil = 101 }: Row) => heldUntil > 100;
      const isRival = ({ facts: one }: Row) => one.credential !== wish.credential && !sharesWith(one, wish);
      const rivals = rows.filter((one) => isThere(one) && isRival(one));
      assert.equal(decision.outcome, rivals.length > 0 ? 'refused' : 'granted');
      assert.equal(decide(rows.toReversed(), wish, 100).outcome, decision.outcome);
      if (decision.outcome === 'refused') return;
      const online = rows.filter(({ heldUntil }) => heldUntil === undefined);
      assert.deepEqual([...online, ...decision.frees].length, rows.length);
      const { slot } = wish.endpoint ?? {};
      const atSlot = online.filter(({ facts: one }) => slot && one.endpoint?.slot === slot);
      assert.deepEqual(new Set([...decision.replaces, ...decision.joins]), new Set(atSlot));
      for (const { facts: one } of decision.joins)
        assert.ok(sharesWith(one, wish) || one.credential !== wish.credential);
    }),
    { numRuns: 2_000 },
  );
});

test('accounts never share, and pooling has to be requested by both', () => {
  assert.equal(sharesWith({ ...mine, ...pooled }, { ...foreign, ...pooled }), false);
  assert.equal(sharesWith({ ...mine, ...pooled }, siblings), false);
  assert.equal(sharesWith(mine, { ...siblings, ...pooled }), false);
  assert.equal(sharesWith({ ...mine, ...pooled }, { ...siblings, ...pooled }), true);
  const otherLeg = { ...mine, session: 'ts_2' };
  assert.equal(sharesWith(mine, otherLeg), true);
  assert.equal(sharesWith(mine, { ...otherLeg, credential: 'cr_2' }), false);
  assert.equal(sharesWith(mine, mine), false, 'one connection has a name once');
});

test('a name is occupied by rows of other accounts only, and a tunnel counts before a hold', () => {
  const held = { facts: foreign, heldUntil: 100 };
  assert.equal(occupation([], 'ac_1', 0), null);
  assert.equal(occupation(online(mine, siblings), 'ac_1', 0), null);
  assert.equal(occupation(online(mine, foreign), 'ac_1', 0), 'online');
  assert.equal(occupation([held, ...online(foreign)], 'ac_1', 0), 'online');
  assert.equal(occupation([held], 'ac_1', 99), 'held');
  assert.equal(occupation([held], 'ac_1', 100), null);
  assert.equal(occupation([held, ...online(mine)], 'ac_2', 0), 'online', 'the hold is its own');
});

test('a lost name is held for a minute if it is reserved, for five if not, and not beside others', () => {
  assert.equal(holdMs([], true), 60_000);
  assert.equal(holdMs([], false), 300_000);
  assert.equal(holdMs(online(mine), true), null);
});

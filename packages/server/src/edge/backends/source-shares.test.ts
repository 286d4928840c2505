import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Share, type Shared, SourceShares } from './source-shares.ts';

const openerOf = (session: string): Shared => ({ session, outstanding: 0 });

/** Takes until it is refused. */
function takeAll(shares: SourceShares, session: string, source: string): Share[] {
  const taken: Share[] = [];
  const opener = openerOf(session);
  for (let share = shares.take(opener, source); share !== null; share = shares.take(opener, source))
    taken.push(share);
  return taken;
}

test('one source gets half of the streams, the next ones a part of what is left, and each session counts for itself', () => {
  const shares = new SourceShares(480);
  assert.equal(takeAll(shares, 'ts_1', '192.0.2.1').length, 240);
  assert.equal(takeAll(shares, 'ts_1', '192.0.2.2').length, 120);
  assert.equal(takeAll(shares, 'ts_1', '192.0.2.3').length, 60);
  assert.equal(takeAll(shares, 'ts_2', '192.0.2.1').length, 240);
});

test('a place may have room for more, or fewer, than an agent', () => {
  const shares = new SourceShares(480);
  const opener: Shared = { ...openerOf('bkdsc_1'), capacity: 2 };
  assert.ok(shares.take(opener, 'a') !== null);
  assert.equal(shares.take(opener, 'a'), null);
  assert.ok(shares.take(opener, 'b') !== null);
  assert.equal(shares.take(opener, 'c'), null);
});

test('what is released is free again, once', () => {
  const shares = new SourceShares(8);
  const taken = takeAll(shares, 'ts_1', 'a');
  assert.equal(taken.length, 4);
  taken[0]!.release();
  taken[0]!.release();
  assert.equal(takeAll(shares, 'ts_1', 'a').length, 1);
  for (const share of taken) share.release();
  assert.equal(takeAll(shares, 'ts_1', 'b').length, 4);
});

test('nothing is kept of addresses and sessions whose streams are released', () => {
  const shares = new SourceShares(8);
  const [first, second] = [takeAll(shares, 'ts_1', 'a'), takeAll(shares, 'ts_1', 'b')];
  const other = takeAll(shares, 'ts_2', 'a');
  assert.deepEqual(shares.inUse, { sessions: 2, sources: 3 });
  for (const share of first) share.release();
  assert.deepEqual(shares.inUse, { sessions: 2, sources: 2 });
  for (const share of [...second, ...other]) share.release();
  assert.deepEqual(shares.inUse, { sessions: 0, sources: 0 });
});

test('each share that is released is reported with its session, once', () => {
  const shares = new SourceShares(8);
  const freed: string[] = [];
  shares.onFreed = (session) => freed.push(session);
  const taken = [...takeAll(shares, 'ts_1', 'a').slice(0, 2), ...takeAll(shares, 'ts_2', 'a').slice(0, 1)];
  for (const share of taken) share.release();
  for (const share of taken) share.release();
  assert.deepEqual(freed, ['ts_1', 'ts_1', 'ts_2']);
});

test('whatever came and went before, a source that has nothing gets a stream while one is free', () => {
  const step = fc.record({ source: fc.integer({ min: 0, max: 5 }), takes: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const shares = new SourceShares(16);
      const opener = openerOf('ts_1');
      const taken = new Map<number, Share[]>();
      for (const { source, takes } of steps) {
        const own = taken.get(source) ?? [];
        taken.set(source, own);
        if (!takes) own.pop()?.release();
        else {
          const share = shares.take(opener, String(source));
          if (share !== null) own.push(share);
        }
      }
      const inUse = [...taken.values()].flat().length;
      assert.ok(inUse <= 16);
      assert.equal(opener.outstanding, inUse);
      assert.equal(shares.take(opener, 'new') !== null, inUse < 16);
    }),
  );
});

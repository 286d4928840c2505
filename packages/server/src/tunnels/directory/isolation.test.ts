import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canRenew, Outage, Renewals } from './isolation.ts';

const at = (uptime: number, wall = uptime) => ({ uptime, wall });

test('a report has the age of the last renewal, and the time without a gap', () => {
  const renewals = new Renewals(20_000);
  assert.equal(renewals.report(at(0)), null);
  for (const sent of [1_000, 6_000, 11_000]) renewals.answered(at(sent));
  renewals.answered(at(6_000));
  assert.deepEqual(renewals.report(at(13_000)), { agoMs: 2_000, steadyMs: 12_000 });
  assert.deepEqual(renewals.report(at(13_000, 900_000)), { agoMs: 889_000, steadyMs: 12_000 }, 'it slept');
  assert.deepEqual(
    renewals.report(at(13_000, 0)),
    { agoMs: 2_000, steadyMs: -1_000 },
    'a clock was set back',
  );
  renewals.answered(at(31_000));
  assert.deepEqual(renewals.report(at(31_000)), { agoMs: 0, steadyMs: 0 }, 'it could not renew for a while');
  renewals.clear();
  assert.equal(renewals.report(at(31_000)), null);
});

test('another daemon can renew if it did so lately, and all the time', () => {
  assert.equal(canRenew({ agoMs: 19_999, steadyMs: 60_000 }, 60_000), true);
  assert.equal(canRenew({ agoMs: 20_000, steadyMs: 60_000 }, 60_000), false);
  assert.equal(canRenew({ agoMs: 0, steadyMs: 59_999 }, 60_000), false);
});

test('time without a renewal counts, and a pause of the process does not', () => {
  const outage = new Outage(1_000);
  const renewed = at(0);
  assert.equal(outage.look(renewed, at(500)), 500);
  assert.equal(outage.look(renewed, at(1_500)), 1_500);
  assert.equal(outage.look(renewed, at(120_000)), 3_500, 'a pause counts as two looks');
  assert.equal(outage.look(renewed, at(121_000)), 4_500);
  assert.equal(outage.look(at(120_900), at(122_000)), 1_100);
});

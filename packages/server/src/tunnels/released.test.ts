/** Small registers are empty after their entries have ended: a thousand additions and removals leave none. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BindTarget, Target } from '../core/names/bind-target.ts';
import { Grants } from './grants.ts';
import { Leases } from './leases.ts';
import { defaultLimits } from './limits.ts';
import { PendingNames } from './pending-names.ts';
import { SessionQuotas } from './session-quotas.ts';

const COUNT = 1000;
const indices = [...Array(COUNT).keys()];
const nameOf = (index: number) => `n${index}.example.com` as BindTarget;
const sharer = (index: number) => ({
  account: `ac_${index % 7}`,
  credential: `cr_${index % 13}`,
  session: `ts_${index}`,
  clientId: `ts_${index}`,
  isPooled: false,
  bindId: '',
  endpoint: null,
});

test('grants that were released leave no name', () => {
  const grants = new Grants();
  const made = indices.flatMap((index) => [
    grants.add(nameOf(index), sharer(index)),
    grants.add(nameOf(index), sharer(index + 1)),
  ]);
  assert.equal([...grants.names()].length, COUNT);
  for (const grant of made.slice(0, COUNT)) grants.release(grant);
  assert.equal([...grants.names()].length, COUNT / 2);
  for (const grant of made) grants.release(grant);
  assert.deepEqual([...grants.names()], []);
});

test('sessions that are over leave no count, and those that go on keep theirs', () => {
  const quotas = new SessionQuotas({ ...defaultLimits, sessionsPerCredential: 1 });
  const origin = (index: number) => ({
    ...{ id: `ts_${index}`, clientId: `ts_${index}` },
    account: 'ac_1',
    credential: `cr_${index}`,
    ip: `192.0.2.${index % 9}`,
  });
  for (const index of indices) quotas.add(origin(index));
  const another = { ...origin(5), clientId: '' };
  assert.throws(() => quotas.check(another), { code: 'sessionLimitCredential' });
  for (const index of indices.slice(1)) quotas.remove(origin(index));
  assert.equal(quotas.size, 3);
  quotas.check(another);
  quotas.remove(origin(0));
  assert.deepEqual([quotas.size, quotas.agents], [0, 0]);
});

test('names that were about to be reserved are forgotten, and who waited for them goes on', async () => {
  const pending = new PendingNames();
  const over = indices.map((index) => pending.add(nameOf(index), 'ac_1'));
  const waits = pending.before(nameOf(5), 'ac_2');
  assert.equal(pending.size, COUNT);
  for (const end of over) end();
  assert.equal(pending.size, 0);
  await waits;
  assert.equal(pending.before(nameOf(5), 'ac_2'), null);
});

test('names that are held no longer leave neither a lease nor a credential', () => {
  let time = 0;
  const leases = new Leases({ now: () => time, perCredential: 50 });
  const targetOf = (index: number) => ({ key: nameOf(index) }) as Target;
  for (const index of indices) leases.hold(targetOf(index), sharer(index), 100);
  assert.deepEqual([[...leases.names()].length, leases.credentials], [13 * 50, 13]);
  leases.releaseWhere(({ credential }) => credential === 'cr_3');
  assert.deepEqual([[...leases.names()].length, leases.credentials], [12 * 50, 12]);
  time = 100;
  leases.hold(targetOf(COUNT), sharer(COUNT), 100);
  assert.deepEqual([[...leases.names()].length, leases.credentials], [1, 1]);
  leases.release(nameOf(COUNT));
  assert.deepEqual([[...leases.names()].length, leases.credentials], [0, 0]);
});

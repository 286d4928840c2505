import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tcpPort } from '../core/names/bind-target.ts';
import type { HostPattern } from '../core/names/hostname.ts';
import { factsAt } from '../online/tunnels.fixture.ts';
import { ConflictError } from '../store/store.ts';
import type { Claimant } from './directory/decide.ts';
import { emptyRegistry, suspend } from './registry.fixture.ts';

const name = (text: string) => text as HostPattern;

function agentOf(account: string) {
  const session = `ts_${account}`;
  return { account, credential: `cr_${account}`, session, clientId: session, isPooled: false, bindId: '' };
}

function claimant(account: string): Claimant {
  return { ...agentOf(account), endpoint: null };
}

test('a name that another account is reserving is not given to a claim that does not wait', async () => {
  const { claims } = emptyRegistry();
  const over = suspend(claims, name('*.x.example'), 'A');
  assert.equal(claims.claimFree(name('a.x.example'), claimant('B')), null);
  const own = claims.claimFree(name('a.x.example'), claimant('A'));
  assert.ok(own !== null);
  claims.release(own);
  await over();
  assert.ok(claims.claimFree(name('a.x.example'), claimant('B')) !== null);
});

test('a name is occupied by tunnels, grants and holds of its wildcards, and of the names below it', async () => {
  for (const [has, wants] of [
    ['*.x.example', 'a.x.example'],
    ['a.x.example', '*.x.example'],
    ['a.x.example', 'a.x.example'],
  ] as const) {
    const { claims } = emptyRegistry();
    const occupied = (account: string) => claims.occupied(name(wants), account);
    const grant = await claims.claim(name(has), claimant('A'));
    assert.deepEqual([occupied('A'), occupied('B')], [null, 'online']);
    claims.release(grant);
    assert.equal(occupied('B'), null);
    claims.hold({ facts: factsAt(has, agentOf('A')), grant }, false);
    assert.deepEqual([occupied('A'), occupied('B')], [null, 'held']);
    claims.releaseLeases(() => true);
    assert.equal(occupied('B'), null);
  }
});

test('a write is refused by tunnels that are in its way, and by those of the own account where it says so', async () => {
  const { claims } = emptyRegistry();
  const slot = name('a.x.example');
  const grant = await claims.claim(slot, { ...agentOf('A'), endpoint: { slot } });
  const reserve = (account: string, wanted: string, includesOwn: boolean) =>
    claims.reserving([{ name: name(wanted), includesOwn }], account, async (exclusion) => exclusion);
  const refused = (error: Error) => {
    assert.ok(error instanceof ConflictError);
    assert.deepEqual(error.conflict, { reason: 'occupied', at: 0, how: 'online' });
    return true;
  };
  assert.equal(await reserve('A', slot, false), null);
  await assert.rejects(reserve('A', slot, true), refused);
  assert.equal(await reserve('A', '*.x.example', true), null, 'only exactly this name');
  for (const wanted of [slot, '*.x.example']) await assert.rejects(reserve('B', wanted, false), refused);
  claims.release(grant);
  assert.equal(await reserve('B', '*.x.example', true), null);
  assert.ok(claims.claimFree(slot, claimant('C')) !== null, 'no claim waits any more');
});

test('no claim of any account is granted while a write excludes its own account, too', async () => {
  const { claims } = emptyRegistry();
  await claims.reserving([{ name: tcpPort(20_001), includesOwn: true }], 'A', async () => {
    for (const account of ['A', 'B'])
      assert.equal(claims.claimFree(tcpPort(20_001), claimant(account)), null);
  });
  assert.ok(claims.claimFree(tcpPort(20_001), claimant('A')) !== null);
});

test('a port is occupied by the claim of another account, and no other port is', async () => {
  const { claims } = emptyRegistry();
  const grant = await claims.claim(tcpPort(20_001), claimant('A'));
  assert.equal(claims.occupied(tcpPort(20_001), 'B'), 'online');
  assert.equal(claims.occupied(tcpPort(20_002), 'B'), null);
  claims.release(grant);
  assert.equal(claims.occupied(tcpPort(20_001), 'B'), null);
});

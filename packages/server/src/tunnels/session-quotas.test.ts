/** Limits of agents and of their connections. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultLimits } from './limits.ts';
import { SessionQuotas } from './session-quotas.ts';

const limits = { ...defaultLimits, sessionsPerCredential: 2 };

function session(id: string, clientId: string, ip = '192.0.2.1') {
  return { id, account: 'ac_1', credential: 'cr_1', clientId, ip };
}

const refused = (quotas: SessionQuotas, clientId: string, code: string) =>
  assert.throws(() => quotas.check(session('', clientId)), { code });

test('connections of one agent count as one agent', () => {
  const quotas = new SessionQuotas(limits);
  for (const leg of [0, 1, 2, 3]) quotas.add(session(`ts_${leg}`, 'one'));
  quotas.check(session('', ''));
  quotas.add(session('ts_9', 'two'));
  refused(quotas, '', 'sessionLimitCredential');
  quotas.check(session('', 'one'));
});

test('an agent counts while it has a connection, whichever was its first', () => {
  const quotas = new SessionQuotas(limits);
  const [first, second] = [session('ts_0', 'one'), session('ts_1', 'one', '198.51.100.1')];
  quotas.add(session('ts_9', 'two'));
  for (const one of [first, second]) quotas.add(one);
  quotas.remove(first);
  refused(quotas, '', 'sessionLimitCredential');
  quotas.remove(first);
  refused(quotas, '', 'sessionLimitCredential');
  quotas.remove(second);
  quotas.check(session('', ''));
  quotas.remove(session('ts_9', 'two'));
  assert.deepEqual([quotas.size, quotas.agents], [0, 0]);
});

test('connections of known agents have a limit of their own', () => {
  const quotas = new SessionQuotas(limits);
  for (let leg = 0; leg < 8; leg++) quotas.add(session(`ts_${leg}`, 'one'));
  refused(quotas, 'one', 'sessionLimitConnections');
  quotas.remove(session('ts_3', 'one'));
  quotas.check(session('', 'one'));
});

test('an agent that has all further connections refuses no other agent its first one', () => {
  const quotas = new SessionQuotas(limits);
  for (let leg = 0; leg < 8; leg++) quotas.add(session(`ts_${leg}`, 'one'));
  quotas.check(session('', ''));
  quotas.add(session('ts_9', 'two'));
  refused(quotas, 'two', 'sessionLimitConnections');
  refused(quotas, '', 'sessionLimitCredential');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { EventTarget } from '../../documents/index.ts';
import { Problem } from '../../errors/problem.ts';
import { tryMonitoringKey } from './monitoring-key.ts';

const target: EventTarget = {
  type: 'monitoring',
  settings: { tags: '', service: '', site: 'eu1' },
  secret_sealed: '',
};
const settings = { account: 'ac_1', allowPrivate: [], monitoringIntake: null };

test('a key that the service rejects is refused', async () => {
  const asked: string[] = [];
  const rejects = tryMonitoringKey(target, 'key', settings, async ({ key, settings: { site } }) => {
    asked.push(key, site);
    return true;
  });
  await assert.rejects(
    rejects,
    (error) => error instanceof Problem && error.code === 'monitoringKeyRejected',
  );
  assert.deepEqual(asked, ['key', 'eu1']);
  await tryMonitoringKey(target, 'key', settings, async () => false);
});

test('no check is made of a key that stays, nor if the operator sends all events elsewhere', async () => {
  const ask = () => assert.fail();
  await tryMonitoringKey(target, undefined, settings, ask);
  await tryMonitoringKey(target, 'key', { ...settings, monitoringIntake: 'http://127.0.0.1:1' }, ask);
});

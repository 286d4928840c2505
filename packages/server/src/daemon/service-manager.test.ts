import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceManager } from './service-manager.ts';

const PID = 4711;

test('programs that the daemon starts do not get what lets one speak in its name', () => {
  const env = {
    ...{ NOTIFY_SOCKET: '/run/some', WATCHDOG_USEC: '1000', WATCHDOG_PID: '1', OTHER: 'kept' },
  };
  new ServiceManager(env, PID, { warn: assert.fail });
  assert.deepEqual(env, { OTHER: 'kept' });
});

test('a service manager that did not request notifications gets none', () => {
  const manager = new ServiceManager({}, PID, { warn: assert.fail });
  manager.ready('serves');
  manager.stopping();
});

/** Tests the end by a signal on each system. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { terminalSignals } from './signals.ts';

function endOf(platform: string) {
  const program = `import { endBySignal } from '${new URL('./signals.ts', import.meta.url).href}';
    setInterval(() => {}, 1000); endBySignal('SIGHUP', '${platform}');`;
  const { status, signal } = spawnSync(process.execPath, ['--input-type=module', '--eval', program]);
  return { status, signal };
}

test('a process ends by the signal, and on Windows with its exit code', () => {
  assert.deepEqual(endOf('darwin'), { status: null, signal: 'SIGHUP' });
  assert.deepEqual(endOf('win32'), { status: 129, signal: null });
});

test('Windows has Ctrl-Break in place of Ctrl-\\', () => {
  assert.deepEqual(terminalSignals('win32'), ['SIGBREAK', 'SIGHUP']);
  assert.deepEqual(terminalSignals('darwin'), ['SIGQUIT', 'SIGHUP']);
});

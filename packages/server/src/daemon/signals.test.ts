import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'node:test';
import { onSignals } from './signals.ts';

function setUp({ hasTerminal = false } = {}) {
  const signals = new EventEmitter();
  const seen: string[] = [];
  const logged: string[] = [];
  const clock = { ms: 0 };
  const stopped = Promise.withResolvers<void>();
  onSignals(signals, {
    stop: () => {
      seen.push('stop');
      return stopped.promise;
    },
    reload: () => seen.push('reload'),
    exit: (code) => seen.push(`exit ${code}`),
    hasTerminal,
    now: () => clock.ms,
    log: { info: (...said: unknown[]) => logged.push(String(said.at(-1))), error: () => {} },
  });
  const send = (signal: NodeJS.Signals) => signals.emit(signal, signal);
  return { send, seen, logged, clock, stopped };
}

test('a signal that comes twice within a second drains once; a later one ends it at once', async () => {
  const { send, seen, clock } = setUp();
  send('SIGINT');
  send('SIGINT');
  clock.ms = 1000;
  send('SIGTERM');
  assert.deepEqual(seen, ['stop']);
  clock.ms = 1001;
  send('SIGTERM');
  assert.deepEqual(seen, ['stop', 'exit 1']);
});

test('what has drained ends with 0, what could not with 1', async () => {
  const drained = setUp();
  drained.send('SIGTERM');
  drained.stopped.resolve();
  await drained.stopped.promise;
  assert.deepEqual(drained.seen, ['stop', 'exit 0']);
  assert.match(drained.logged.at(-1) ?? '', /^stopped: /);

  const failed = setUp();
  failed.send('SIGTERM');
  failed.stopped.reject(new Error('the disk is gone'));
  await failed.stopped.promise.catch(() => {});
  assert.deepEqual(failed.seen, ['stop', 'exit 1']);
  assert.doesNotMatch(failed.logged.at(-1) ?? '', /^stopped: /);
});

test('SIGHUP reads the configuration again, or drains where it means that the terminal was closed', () => {
  const service = setUp();
  service.send('SIGHUP');
  service.send('SIGHUP');
  assert.deepEqual(service.seen, ['reload', 'reload']);

  const inTerminal = setUp({ hasTerminal: true });
  inTerminal.send('SIGHUP');
  inTerminal.send('SIGHUP');
  assert.deepEqual(inTerminal.seen, ['stop']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Parts } from './parts.ts';

function recorder() {
  const log: string[] = [];
  const part = (name: string, fails?: 'start' | 'stop') => ({
    start: () => {
      if (fails === 'start') throw new Error(`start of ${name}`);
      log.push(`+${name}`);
      return name;
    },
    stop: async (made: string) => {
      await null;
      log.push(`-${made}`);
      if (fails === 'stop') throw new Error(`stop of ${name}`);
    },
  });
  return { log, part };
}

test('parts stop in the reverse order of their start, each once', async () => {
  const { log, part } = recorder();
  const parts = new Parts();
  for (const name of ['a', 'b', 'c']) assert.equal(await parts.start(part(name)), name);
  await parts.stop();
  await parts.stop();
  assert.deepEqual(log, ['+a', '+b', '+c', '-c', '-b', '-a']);
});

test('a part that cannot start is not stopped, and one that cannot stop ends no other', async () => {
  const { log, part } = recorder();
  const parts = new Parts();
  await parts.start(part('a'));
  await parts.start(part('b', 'stop'));
  await parts.start(part('c', 'stop'));
  await assert.rejects(parts.start(part('d', 'start')), /start of d/);
  await assert.rejects(parts.stop(), /stop of c/);
  assert.deepEqual(log, ['+a', '+b', '+c', '-c', '-b', '-a']);
});

/**
 * Tests that every wait ends, and that the waits after one in vain end soon. The deadlines are short here: the file
 * runs in a process of its own.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ConditionVariable, eventually, inTime, until } from './until.ts';

test('every change ends a wait, however it is reported', async () => {
  const changes = new ConditionVariable();
  let count = 0;
  const came = changes.until(() => count === 2);
  for (count = 1; count < 3; count++) changes.notify();
  await came;
  await until(() => count === 3);
  let attempts = 0;
  await eventually(() => assert.equal(++attempts, 3));
  assert.equal(await inTime(Promise.resolve('now'), () => 'the value'), 'now');
  await assert.rejects(
    changes.until(() => {
      throw new Error('broken');
    }),
    /broken/,
  );
});

test('a file whose tests all wait in vain ends soon, and each says what did not come', () => {
  const program = `
    import { ConditionVariable, eventually, inTime, until } from ${JSON.stringify(new URL('./until.ts', import.meta.url).href)};
    const never = new ConditionVariable();
    const waits = [
      () => until(() => false, 'one'),
      () => never.until(() => false, () => 'two'),
      () => inTime(new Promise(() => {}), () => 'three'),
      () => eventually(() => { throw new Error('four'); }),
    ];
    for (const wait of waits) await wait().catch(({ message }) => console.log(message));`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    env: { ...process.env, TEST_TIMEOUT_FACTOR: '0.01' },
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    encoding: 'utf8',
  });
  const later = ' (waited for a moment only, after an earlier wait in vain)';
  const expected = ['one', `two${later}`, `three${later}`].map((what) => `did not come in time: ${what}`);
  assert.deepEqual(stdout.trim().split('\n'), [...expected, 'four']);
});

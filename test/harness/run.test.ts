/** Tests that processes which tests leave behind are found and ended. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { Process } from './process.ts';
import { endProcesses, newRunMark, processesOf } from './run.ts';
import { eventually } from './until.ts';

const skip = existsSync('/proc/self/environ') ? false : 'processes are read from /proc';

test('what a process of a run has left behind is found until it ends, and no process of another run', {
  skip,
}, async () => {
  const [mark, other] = [newRunMark(), newRunMark()];
  const script = 'sleep 1000 > /dev/null 2>&1 & echo "left $!"';
  const shell = Process.program('sh', ['-c', script], { env: mark });
  const [, left] = await shell.line(/^left (\d+)$/);
  assert.equal((await shell.exited).code, 0);
  try {
    // The shell's child is the shell itself until it has become `sleep`.
    await eventually(() =>
      assert.deepEqual(processesOf(mark), [{ pid: Number(left), command: 'sleep 1000' }]),
    );
    assert.deepEqual(processesOf(other), []);
  } finally {
    endProcesses(processesOf(mark));
  }
  await eventually(() => assert.deepEqual(processesOf(mark), []));
});

test('a script that is a group of its own takes with it what it started', { skip }, async () => {
  const mark = newRunMark();
  const script = Process.program('sh', ['-c', 'sleep 1000 > /dev/null 2>&1 & echo started'], {
    env: mark,
    group: true,
  });
  await script.line(/^started$/);
  await script.stop();
  await eventually(() => assert.deepEqual(processesOf(mark), []));
});

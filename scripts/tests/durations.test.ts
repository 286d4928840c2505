import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { cpuSeconds } from './cpu.ts';
import { reportOf } from './durations.ts';

const skip = existsSync('/proc/self/stat') ? false : 'times are read from /proc';

test('what took most comes first, by CPU with all its processes, and by the wall', () => {
  const files = [
    { file: join(process.cwd(), 'a.test.ts'), own: 1, children: 0, wall: 9 },
    { file: join(process.cwd(), 'b.test.ts'), own: 0.5, children: 2, wall: 3 },
  ];
  const [, first, second, , third, fourth] = reportOf(files).split('\n');
  assert.equal(first, '   2.5 CPU (   2.0 in processes it started)    3.0 wall  b.test.ts');
  assert.match(second ?? '', /a\.test\.ts$/);
  assert.match(third ?? '', /a\.test\.ts$/);
  assert.match(fourth ?? '', /b\.test\.ts$/);
});

test('a child that has ended counts with what it started itself', { skip }, () => {
  const work = 'const end = process.cpuUsage().user + 300_000; while (process.cpuUsage().user < end);';
  const start = `require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(work)}])`;
  const before = cpuSeconds().children;
  spawnSync(process.execPath, ['-e', start]);
  assert.ok(cpuSeconds().children - before >= 0.29);
});

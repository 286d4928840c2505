import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allowedCores } from './cores.ts';

function cores(files: Readonly<Record<string, string>>): number {
  return allowedCores(8, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(`no ${path}`);
    return text;
  });
}

test('without control groups the affinity decides', () => {
  assert.equal(cores({}), 8);
  assert.equal(cores({ '/proc/self/cgroup': '0::/a\n', '/sys/fs/cgroup/a/cpu.max': 'max 100000\n' }), 8);
});

test('the tightest quota of the groups above the process decides, in whole cores', () => {
  const own = { '/proc/self/cgroup': '0::/a/b\n', '/sys/fs/cgroup/a/b/cpu.max': 'max 100000\n' };
  assert.equal(cores({ ...own, '/sys/fs/cgroup/a/cpu.max': '250000 100000\n' }), 2);
  assert.equal(cores({ ...own, '/sys/fs/cgroup/cpu.max': '50000 100000\n' }), 1);
});

test('the first version of control groups is read, too', () => {
  const files = {
    '/proc/self/cgroup': '5:memory:/x\n4:cpu,cpuacct:/a\n',
    '/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us': '300000\n',
    '/sys/fs/cgroup/cpu/a/cpu.cfs_period_us': '100000\n',
  };
  assert.equal(cores(files), 3);
  assert.equal(cores({ ...files, '/sys/fs/cgroup/cpu/a/cpu.cfs_quota_us': '-1\n' }), 8);
});

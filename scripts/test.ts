/**
 * All tests, or those whose path contains one of the arguments.
 */
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { timeoutMs } from '../test/harness/timeouts.ts';

const wanted = process.argv.slice(2);
const files = globSync([
  'packages/*/src/**/*.test.ts',
  'test/**/*.test.ts',
  'bench/src/**/*.test.ts',
  'scripts/**/*.test.ts',
])
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort();
if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(', ')}`);
  process.exit(2);
}
const { status } = spawnSync(
  process.execPath,
  ['--test', `--test-timeout=${timeoutMs(60_000)}`, '--test-concurrency=3', ...files],
  { stdio: 'inherit' },
);
process.exit(status ?? 1);

/**
 * All tests, or those whose path contains one of the arguments. Files named `*.slow.test.ts` run with `--slow`, where CI is set,
 * and when an argument names one of them to its end. Never that processes of a run outlive it unnoticed: they make it fail.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Postgres, postgresMissing } from '../test/harness/postgres.ts';
import { endProcesses, newRunMark, processesOf } from '../test/harness/run.ts';
import { timeoutMs } from '../test/harness/timeouts.ts';
import { eventually } from '../test/harness/until.ts';

const TEST_MS = 60_000;
const FOLDERS = ['packages/*/src', 'test', 'bench/src', 'scripts'];

const isSlowWanted = process.argv.includes('--slow') || process.env.CI === 'true';
const wanted = process.argv.slice(2).filter((argument) => argument !== '--slow');
const matching = globSync(FOLDERS.map((folder) => `${folder}/**/*.test.ts`))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  // What takes longest begins first.
  .sort((a, b) => Number(isSlow(b)) - Number(isSlow(a)) || a.localeCompare(b));
const files = matching.filter(
  (file) => isSlowWanted || !isSlow(file) || wanted.some((part) => file.endsWith(part)),
);
if (files.length < matching.length)
  console.log(`${matching.length - files.length} slow files are left out; --slow runs them, too`);
if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(', ')}`);
  process.exit(2);
}

const mark = newRunMark();
// Each file is a process, and most load the same sources: compiled once, they cost a fifth less.
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/underpass', import.meta.url));
Object.assign(process.env, mark, { NODE_COMPILE_CACHE });
const database = postgresMissing === false && files.some(usesPostgres) ? await Postgres.start() : null;
// Without the last flag, a file whose failed test left something open would never end.
const flags = [`--test-timeout=${timeoutMs(TEST_MS)}`, '--test-concurrency=3', '--test-force-exit'];
const runner = spawn(process.execPath, ['--test', ...flags, ...files], {
  stdio: 'inherit',
  env: { ...process.env, ...database?.environment },
});
const [status] = (await once(runner, 'close')) as [number | null];
await database?.stop();
// What has been told to end may need a moment.
await eventually(() => assert.equal(processesOf(mark).length, 0)).catch(() => {});
const left = processesOf(mark);
for (const { pid, command } of left) console.error(`left running by the tests: ${pid} ${command}`);
endProcesses(left);
process.exit(left.length > 0 ? 1 : (status ?? 1));

function isSlow(file: string): boolean {
  return file.endsWith('.slow.test.ts');
}

function usesPostgres(file: string): boolean {
  return /postgres|onBothStores/i.test(readFileSync(file, 'utf8'));
}

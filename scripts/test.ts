/**
 * Runs all tests, or those whose path contains one of the arguments. Files named `*.slow.test.ts` run with `--slow`,
 * if CI is set, or if an argument is the end of their path. `--durations` prints the time of each file. In CI a few
 * failed files run once more, alone.
 * Invariant: a process that outlives the run fails it.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { GIVEN_PORTS } from '../test/harness/free-ports.ts';
import { missingProgramLines } from '../test/harness/missing.ts';
import { Postgres, postgresMissing } from '../test/harness/postgres.ts';
import { commandsIn } from '../test/harness/repository-command.ts';
import { endProcesses, newRunMark, processesOf } from '../test/harness/run.ts';
import { timeoutMs } from '../test/harness/timeouts.ts';
import { eventually } from '../test/harness/until.ts';
import { bundleCommands } from './tests/commands.ts';
import { cpuSeconds } from './tests/cpu.ts';
import { Durations } from './tests/durations.ts';
import { FileReport, type FileResults } from './tests/file-results.ts';
import { Groups } from './tests/groups.ts';
import { testFilesBehind } from './tests/importers.ts';
import { passedBefore, writePassed } from './tests/passed-before.ts';

const TEST_MS = 60_000;
/** Failed files that CI runs once more. More of them have a cause that the change brought. */
const MOST_AGAIN = 5;
/** Parts of paths of the longest files, which begin first, so that none is alone at the end. */
const LONGEST = ['half-closed.slow', 'guides.slow', 'released.slow', 'release.slow'];
const FOLDERS = ['packages/*/src', 'test', 'bench/src', 'scripts'];

const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { slow: { type: 'boolean' }, durations: { type: 'boolean' } },
});
const isInCi = process.env.CI === 'true';
const isSlowWanted = options.slow === true || isInCi;
const matching = globSync(FOLDERS.map((folder) => `${folder}/**/*.test.ts`))
  .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
  .sort((a, b) => rankOf(a) - rankOf(b) || a.localeCompare(b));
const due = matching.filter(
  (file) => isSlowWanted || !isSlow(file) || wanted.some((part) => file.endsWith(part)),
);
if (due.length < matching.length)
  console.log(`${matching.length - due.length} slow files are left out; --slow runs them, too`);
const passed = passedBefore();
const files = due.filter((file) => !passed.has(file));
if (files.length < due.length)
  console.log(`${due.length - files.length} files are left out: a run before this one passed them whole`);
if (files.length === 0) {
  console.error(`no test file matches ${wanted.join(', ')}`);
  process.exit(2);
}

const mark = newRunMark();
// Many processes load the same sources: compiled once, they cost a fifth less.
const NODE_COMPILE_CACHE = fileURLToPath(new URL('../node_modules/.cache/underpass', import.meta.url));
// An empty configuration folder, so that no login of this machine's user is read.
const XDG_CONFIG_HOME = mkdtempSync(join(tmpdir(), 'underpass-config-'));
const givenPorts = mkdtempSync(join(tmpdir(), 'underpass-ports-'));
// An empty list of authorities. OpenSSL would read those of the machine at each start, which takes six times as long
// as a run of it.
const noAuthorities = { SSL_CERT_FILE: devNull, SSL_CERT_DIR: devNull };
Object.assign(process.env, mark, {
  ...{ NODE_COMPILE_CACHE, XDG_CONFIG_HOME, [GIVEN_PORTS]: givenPorts },
  ...noAuthorities,
});
const commands = files.some((file) => file.startsWith('test/')) ? await bundleCommands() : {};
const database = postgresMissing === false && files.some(usesPostgres) ? await Postgres.start() : null;
const durations = options.durations === true ? new Durations() : null;
const groups = new Groups(files);
const first = await run(groups.entries, isSlowWanted ? 5 : 4);
const status =
  first.status !== 0 && isInCi ? await runAgain(testFilesBehind(first.failed, files)) : first.status;
writePassed(files, testFilesBehind([...first.failed, ...first.skipped], files));
groups.remove();
for (const folder of [XDG_CONFIG_HOME, givenPorts]) rmSync(folder, { recursive: true, force: true });
await database?.stop();
// A process that was stopped may need a moment to end.
await eventually(() => assert.equal(processesOf(mark).length, 0)).catch(() => {});
const left = processesOf(mark);
for (const { pid, command } of left) console.error(`left running by the tests: ${pid} ${command}`);
endProcesses(left);
if (durations !== null) console.log(durations.report());
for (const line of missingProgramLines()) console.log(`tests are skipped: ${line}`);
console.log(`all processes together took ${cpuSeconds().children.toFixed(0)} s of CPU time`);
process.exit(left.length > 0 ? 1 : status);

interface Outcome extends FileResults {
  readonly status: number;
}

async function run(entries: readonly string[], concurrency: number): Promise<Outcome> {
  const report = new FileReport();
  // Without the second flag, a file whose failed test left something open would never end.
  const flags = [
    ...[`--test-timeout=${timeoutMs(TEST_MS)}`, '--test-force-exit', `--test-concurrency=${concurrency}`],
    ...['./tests/whole-report.ts', './tests/reused-keys.ts'].map(
      (file) => `--import=${import.meta.resolve(file)}`,
    ),
    ...[...(durations?.flags ?? []), ...report.flags],
  ];
  const env = {
    ...{ ...process.env, ...commandsIn(commands) },
    ...{ ...database?.environment, ...durations?.environment },
  };
  const runner = spawn(process.execPath, ['--test', ...flags, ...entries], { stdio: 'inherit', env });
  const [status] = (await once(runner, 'close')) as [number | null];
  return { status: status ?? 1, ...report.take() };
}

/**
 * Runs a few failed files once more, one at a time. A test that depends on the load of the machine must not hide the
 * other results. It is reported, and is a fault of the test or of what it tests.
 */
async function runAgain(failed: readonly string[]): Promise<number> {
  if (failed.length === 0 || failed.length > MOST_AGAIN) return 1;
  console.log(`\nfailed files that run once more, one at a time: ${failed.length}`);
  const { status } = await run(failed, 1);
  if (status !== 0) return status;
  for (const file of failed) console.log(`unsteady: ${file} failed, and passed alone. Mend it.`);
  return 0;
}

/** Returns the place in the order of files: the longest, the other slow ones, the rest. */
function rankOf(file: string): number {
  const at = LONGEST.findIndex((part) => file.includes(part));
  if (at !== -1) return at;
  return LONGEST.length + (isSlow(file) ? 0 : 1);
}

function isSlow(file: string): boolean {
  return file.endsWith('.slow.test.ts');
}

function usesPostgres(file: string): boolean {
  return /postgres|onBothStores/i.test(readFileSync(file, 'utf8'));
}

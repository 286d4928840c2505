/** Runs credentials that contend for names at three daemons with faults, for `--minutes N` (default 10). */
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error('--minutes must be a number above 0, for example --minutes 10');
  process.exit(2);
}
const { status } = spawnSync(
  process.execPath,
  ['scripts/test.ts', 'test/system/cluster-chaos.slow.test.ts'],
  { stdio: 'inherit', env: { ...process.env, CHAOS_SECONDS: String(Math.ceil(minutes * 60)) } },
);
process.exit(status ?? 1);

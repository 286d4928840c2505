/** Starts the images of the Dockerfile with their own commands. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { allowedCores } from '../../packages/server/src/system/cores.ts';
import { Postgres, postgresMissing } from '../harness/index.ts';
import { missing } from '../harness/missing.ts';

const script = join(import.meta.dirname, '../../scripts/check-image.ts');

/** Its steps are done in a root of their own. */
function mayMount(): boolean {
  return process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
}

test('images are built from a clean checkout, and run without a shell, without root and with all cores', {
  skip: missing('root, which may mount,', mayMount(), 'util-linux') || postgresMissing,
}, async (t) => {
  const postgres = await Postgres.shared();
  t.after(() => postgres.stop());
  const env = { ...process.env, IMAGE_DATABASE: await postgres.database() };
  const { stdout } = await promisify(execFile)(process.execPath, [script], { env });
  assert.match(stdout, /^the daemon is ready, and the health check agrees$/m);
  assert.match(stdout, /^the daemon has one worker$/m);
  assert.match(stdout, /^the daemon ends at SIGTERM$/m);
  const cores = allowedCores();
  assert.ok(
    stdout.includes(`with PostgreSQL the daemon has ${cores === 1 ? 'one worker' : `${cores} workers`}\n`),
  );
  assert.match(stdout, /^with PostgreSQL the daemon ends at SIGTERM$/m);
});

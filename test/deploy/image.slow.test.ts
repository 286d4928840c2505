/** Starts the images of the Dockerfile with their own commands. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { missing } from '../harness/missing.ts';

const script = join(import.meta.dirname, '../../scripts/check-image.ts');

/** Its steps are done in a root of their own. */
function mayMount(): boolean {
  return process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;
}

test('images are built from a clean checkout, and run without a shell and without root', {
  skip: missing('root, which may mount,', mayMount(), 'util-linux'),
}, async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [script]);
  assert.match(stdout, /^the daemon is ready, and the health check agrees$/m);
  assert.match(stdout, /^the daemon ends at SIGTERM$/m);
});

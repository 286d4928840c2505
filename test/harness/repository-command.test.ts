import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { pathToNode } from './process.ts';
import { commandsIn, startedFor } from './repository-command.ts';

const COMMANDS = ['packages/server/bin/underpassd.js', 'packages/agent/bin/underpass.js'];

for (const path of COMMANDS) {
  const file = fileURLToPath(import.meta.resolve(`../../${path}`));

  test(`${path}: what is started in its place says the same`, () => {
    for (const option of ['--help', '--version'])
      assert.equal(said(startedFor(file), option), said(file, option));
  });
}

test('a command is started by its own file unless the run of tests has another one', (t) => {
  const before = process.env;
  t.after(() => {
    process.env = before;
  });
  process.env = { ...before, ...commandsIn({ '/one': '/sooner' }) };
  assert.deepEqual(['/one', '/two'].map(startedFor), ['/sooner', '/two']);
});

function said(file: string, option: string): string {
  return execFileSync(file, [option], { encoding: 'utf8', env: { ...process.env, ...pathToNode } });
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { missingPrograms } from '../../../../test/harness/missing.ts';
import { InvalidInput } from '../address.ts';
import { UNIT, unitText } from './unit.ts';

const skip = missingPrograms('systemd-analyze');

test('systemd takes both units, whatever stands in a path', { skip }, (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-unit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, UNIT);
  const command = [process.execPath, '/of me/50%h/$HOME/"x"/it\\s.js', 'start', '--all'];
  for (const [uid, manager] of [
    [null, '--user'],
    [1000, '--system'],
  ] as const) {
    writeFileSync(path, unitText({ command, uid }));
    const env = { ...process.env, XDG_RUNTIME_DIR: folder };
    const said = execFileSync('systemd-analyze', [manager, 'verify', path], { env, stdio: 'pipe' });
    assert.equal(String(said), '');
  }
  // 0 would be all that can be shut.
  const args = ['security', '--offline=yes', '--threshold=25', path];
  execFileSync('systemd-analyze', args, { stdio: 'pipe' });
});

test('a path is one word of the command, and never a setting', () => {
  const command = ['/bin/node', '/of me/50%h/$HOME/"x"/it\\s.js'];
  assert.match(
    unitText({ command, uid: null }),
    /^ExecStart="\/bin\/node" "\/of me\/50%%h\/\$\$HOME\/\\"x\\"\/it\\\\s\.js"$/m,
  );
  assert.throws(() => unitText({ command: ['a\nUser=root'], uid: null }), InvalidInput);
});

test("the machine's unit runs as who has the file, a user's as that user", () => {
  assert.match(unitText({ command: [], uid: 7 }), /^User=7$/m);
  assert.doesNotMatch(unitText({ command: [], uid: null }), /User=|Protect/);
});

/** Tests the stream of a screen on each system. */
import assert from 'node:assert/strict';
import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { finished } from 'node:stream/promises';
import { test } from 'node:test';
import { terminalOutput } from './terminal-output.ts';

test('it is the descriptor, and on Windows the stream of Node', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'underpass-terminal-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'terminal');
  const terminal = Object.assign(new PassThrough(), { fd: openSync(path, 'w') });
  assert.equal(terminalOutput(terminal, 'win32'), terminal);
  const out = terminalOutput(terminal, 'darwin');
  out.end('frame');
  await finished(out);
  assert.equal(readFileSync(path, 'utf8'), 'frame');
  assert.equal(terminal.readableLength, 0);
});

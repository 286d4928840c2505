/** Tests the call of an editor on each system. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { editorCommand } from './editor.ts';

test('the path of the file is no part of the text that a shell reads', () => {
  const path = 'C:\\100% & co\\%TEMP%.yaml';
  const onWindows = editorCommand('"C:\\Program Files\\x.exe" --wait', path, 'win32');
  assert.deepEqual(onWindows.args, [
    ...['/d', '/s', '/c'],
    '""C:\\Program Files\\x.exe" --wait "%UNDERPASS_EDITED%""',
  ]);
  assert.deepEqual(onWindows.variables, { UNDERPASS_EDITED: path });
  assert.equal(onWindows.isVerbatim, true, 'Node would escape the quotes as cmd does not know them');
  const elsewhere = editorCommand('code --wait', '/a "b"/$x', 'darwin');
  assert.equal(elsewhere.program, '/bin/sh');
  assert.deepEqual(elsewhere.args, ['-c', 'code --wait "$1"', 'sh', '/a "b"/$x']);
});

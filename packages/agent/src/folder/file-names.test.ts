/** Tests names of files on each system. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isName } from './file-names.ts';

test('no name leads elsewhere', () => {
  for (const platform of ['linux', 'darwin', 'win32'] as const) {
    for (const name of ['', '.', '..', 'a/b', 'a\\b', 'a\0'])
      assert.equal(isName(name, platform), false, name);
    for (const name of ['a', '.a', 'a b.txt', 'console', 'com', 'nul1'])
      assert.equal(isName(name, platform), true, name);
  }
});

test('on Windows devices, streams and cut names are no names', () => {
  const names = [
    'NUL',
    'con',
    'COM1.txt',
    'lpt9',
    'Aux.',
    'a.txt::$DATA',
    'a:b',
    'C:',
    'secret.',
    'secret ',
    '*',
    'a?',
  ];
  for (const name of names) {
    assert.equal(isName(name, 'win32'), false, name);
    assert.equal(isName(name, 'linux'), true, name);
  }
});

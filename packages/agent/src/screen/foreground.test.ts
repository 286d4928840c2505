import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readForeground } from './foreground.ts';

test('a process is in the foreground when its group has the terminal, or it has none', () => {
  const stat = (group: number, foreground: number, name = 'node-MainThread') =>
    `4711 (${name}) S 17 ${group} 99 34818 ${foreground} 4194304 12006 0 0`;
  assert.equal(readForeground(stat(4711, 4711)), true);
  assert.equal(readForeground(stat(4711, 99)), false);
  assert.equal(readForeground(stat(4711, -1)), true);
  assert.equal(readForeground(stat(4711, 99, 'a) S 1 2 3 (b')), false);
  assert.equal(readForeground(''), true);
});

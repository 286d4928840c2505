import assert from 'node:assert/strict';
import { test } from 'node:test';
import { otherWriters } from './folder-access.ts';

test('each right by which another user may change the folder is named', () => {
  const user = 1000;
  const of = (mode: number, uid = user) => otherWriters({ mode: 0o040_000 | mode, uid }, user).join('; ');
  for (const mode of [0o700, 0o750, 0o755, 0o2770]) assert.equal(of(mode), '');
  assert.equal(of(0o700, 0), '', 'root may change everything anyway');
  assert.match(of(0o777), /^every user may write there \(mode 0777\)$/);
  assert.match(of(0o1777), /every user may write there \(mode 1777\)/);
  assert.match(of(0o770), /^its group may write there \(mode 0770\)$/);
  assert.match(of(0o777, 1001), /^it belongs to the user 1001, .* user 1000; every user/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Slot } from '../../core/names/bind-target.ts';
import { FormerTunnels } from './former.ts';
import type { DirectoryRow } from './row.ts';

const NAME = 'a.example';

function row(number: number, credential: string, more: Partial<DirectoryRow> = {}): DirectoryRow {
  const who = { account: 'ac_1', credential, session: `ts_${number}`, clientId: `ag_${number}` };
  const facts = { ...who, bindId: 'b1', isPooled: false, endpoint: { slot: NAME as Slot } };
  return { facts, number, incarnation: 1, isOver: false, holdMs: 0, entry: null, ...more };
}

test('a name whose tunnel is missing in another history stays with its credential until the moment', () => {
  const former = new FormerTunnels();
  former.keep([[NAME, [row(1, 'x')]]], () => true, 5_000);
  assert.equal(former.waitOf(NAME, row(2, 'y').facts, 1_000), 4_000);
  assert.equal(former.waitOf(NAME, row(2, 'x').facts, 1_000), null);
  assert.equal(former.waitOf('b.example', row(2, 'y').facts, 1_000), null);
  assert.equal(former.waitOf(NAME, row(2, 'y').facts, 5_000), null);
  assert.equal(former.waitOf(NAME, row(2, 'y').facts, 4_999), null, 'nothing is kept any more');
});

test('tunnels that are there, over or held keep nothing', () => {
  const former = new FormerTunnels();
  const rows = [row(1, 'x'), row(2, 'x', { isOver: true }), row(3, 'x', { heldUntil: 9_000 })];
  former.keep([[NAME, rows]], (number) => number !== 1, 5_000);
  assert.equal(former.waitOf(NAME, row(4, 'y').facts, 1_000), null);
});

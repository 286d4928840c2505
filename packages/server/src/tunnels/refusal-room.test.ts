import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RefusalRoom } from './refusal-room.ts';

function taken(room: RefusalRoom, account: string): number {
  let count = 0;
  while (room.take(account)) count += 1;
  return count;
}

test('an account leaves as much room for others as it has, and what is released is free again', () => {
  const room = new RefusalRoom(100);
  assert.equal(taken(room, 'ac_1'), 50);
  assert.equal(taken(room, 'ac_2'), 25);
  room.release('ac_1', 50);
  assert.equal(taken(room, 'ac_3'), 38);
  room.release('ac_2', 25);
  room.release('ac_3', 38);
  assert.equal(taken(room, 'ac_1'), 50);
});

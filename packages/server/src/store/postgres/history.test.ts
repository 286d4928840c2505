import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UnsuitableServerError } from './failure.ts';
import { History } from './history.ts';

const moment = { revision: 7, mark: 'a' };

test('an earlier timeline of the same cluster is refused, another one is moved to', () => {
  let moved = 0;
  const history = new History({ changed: () => {}, moved: () => (moved += 1) });
  const server = (system: string | null, timeline: number | null) => ({ system, timeline, isPooled: false });
  history.admit(server('1', 2));
  history.admit(server('1', 2));
  history.admit(server(null, null));
  assert.equal(moved, 0);
  assert.throws(() => history.admit(server('1', 1)), UnsuitableServerError);
  history.admit(server('1', 3));
  history.admit(server('9', 1));
  assert.equal(moved, 2);
});

test('all that find another history are reported once, and each counts', () => {
  const said: string[] = [];
  let now = 0;
  const history = new History({ changed: (message) => said.push(message), moved: () => {} }, () => now);
  history.learn(moment);
  history.differs(3);
  history.differs(3);
  assert.equal(history.count, 2);
  assert.equal(history.known, null);
  assert.equal(said.length, 1);
  assert.match(said[0] ?? '', /another history, at revision 3. This daemon knew revision 7/);
  now = 60_000;
  history.differs(4);
  assert.equal(said.length, 2);
});

/** Agents learn a changed number of daemons, so many of them at a time. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsefulConnections } from './useful-connections.ts';

function agent() {
  const received: number[] = [];
  return { received, notifyConnections: (count: number) => void received.push(count) };
}

test('an agent is notified of each change once, and of nothing after its end', () => {
  let count = 3;
  const connections = new UsefulConnections(() => count);
  const one = agent();
  assert.equal(connections.add(one), 3);
  connections.check();
  count = 2;
  connections.check();
  connections.check();
  count = 0;
  connections.check();
  connections.delete(one);
  count = 4;
  connections.check();
  assert.deepEqual([one.received, connections.size], [[2, 1], 0]);
});

test('one check notifies a bounded number of agents, and the next one the others', () => {
  let count = 1;
  const connections = new UsefulConnections(() => count);
  const agents = Array.from({ length: 600 }, agent);
  for (const one of agents) connections.add(one);
  count = 2;
  const notified = () => {
    connections.check();
    return agents.filter(({ received }) => received.length > 0).length;
  };
  assert.deepEqual([notified(), notified(), notified(), notified()], [250, 500, 600, 600]);
  assert.ok(agents.every(({ received }) => received.length === 1));
});

test('a daemon alone says one', () => {
  const connections = UsefulConnections.start(null, null);
  assert.equal(connections.now, 1);
  connections.stop();
});

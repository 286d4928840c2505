/** Tests of the state of the service as accounts see it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Readiness } from '../../health/readiness.ts';
import { nodeWarnings, type OtherNode, serviceState } from './service-state.ts';

const SECRET = 'postgres.internal:5432';

async function state(readiness: Readiness, others: readonly OtherNode[] = []) {
  return await serviceState({ version: '1.0', name: 'a', region: 'eu', readiness, others: () => others });
}

test('a daemon is ready, or has reasons without the messages for operators', async () => {
  const readiness = new Readiness();
  const ready = await state(readiness);
  assert.deepEqual(ready, {
    database: 'available',
    nodes: [{ name: 'a', region: 'eu', version: '1.0', state: 'ready', reasons: [] }],
  });
  assert.deepEqual(nodeWarnings(ready), []);
  readiness.registerForApi('store_away', () => `no answer from ${SECRET}`);
  readiness.register('follower_behind', () => `${SECRET} is late`);
  const behind = await state(readiness);
  assert.deepEqual([behind.database, behind.nodes[0]?.state], ['away', 'not_ready']);
  const [warning] = nodeWarnings(behind);
  assert.equal(warning?.msg, 'The daemon a is not ready (follower_behind).');
  assert.ok(!JSON.stringify([behind, warning]).includes(SECRET));
  readiness.register('draining', () => 'it stops');
  assert.equal((await state(readiness)).nodes[0]?.state, 'draining');
});

test('other daemons have their name, region and state, and no address', async () => {
  const facts = { name: 'b', region: 'us', version: '0.9', machine: 'm1', link: { address: SECRET } };
  const others = [
    { facts, isDraining: false, isUp: true },
    { facts: { name: 7 }, isDraining: true, isUp: true },
    { facts, isDraining: false, isUp: false },
  ];
  const { nodes } = await state(new Readiness(), others);
  assert.deepEqual(nodes.slice(1), [
    { name: 'b', region: 'us', version: '0.9', state: 'ready', reasons: [] },
    { name: '', region: '', version: '', state: 'draining', reasons: [] },
    { name: 'b', region: 'us', version: '0.9', state: 'unreachable', reasons: [] },
  ]);
});

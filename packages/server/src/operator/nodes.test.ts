import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ListedNode } from '../store/postgres/node-rows.ts';
import { nodesTable, shownNode } from './nodes.ts';

function node(incarnation: number, facts: object, other: Partial<ListedNode> = {}): ListedNode {
  const times = { round: 1, dead_for: null, age: 61_000, silent_for: 2_000 };
  return { incarnation, facts, draining: false, sessions: 0, tunnels: 0, ...times, ...other };
}

const facts = { name: 'one', machine: 'm1', region: 'eu', version: '1.2.3' };

test('a table has a line for each daemon, with its state and its address for other machines', () => {
  const link = { socket: '/tmp/x', address: '10.0.0.5:8444' };
  const nodes = [
    node(1, { ...facts, link }, { sessions: 2, tunnels: 3 }),
    node(2, { ...facts, name: 'two', link: { socket: null, address: null } }, { draining: true }),
    node(3, { ...facts, name: 'three' }, { draining: true, silent_for: 40_000 }),
    node(4, { ...facts, name: 'four' }, { draining: true, dead_for: 5_000, silent_for: 900_000 }),
    node(5, { ...facts, name: 'five', isolated: true }, { dead_for: 5_000 }),
    node(6, { ...facts, name: 'six', isolated: true }),
  ].map(shownNode);
  assert.deepEqual(nodesTable({ nodes }).split('\n'), [
    'NAME   STATE            MACHINE  REGION  VERSION  AGENTS  TUNNELS  STARTED   LINK',
    'one    ready            m1       eu      1.2.3    2       3        61 s ago  10.0.0.5:8444',
    'two    draining         m1       eu      1.2.3    0       0        61 s ago',
    'three  silent for 40 s  m1       eu      1.2.3    0       0        61 s ago',
    'four   dead             m1       eu      1.2.3    0       0        61 s ago',
    'five   isolated         m1       eu      1.2.3    0       0        61 s ago',
    'six    ready            m1       eu      1.2.3    0       0        61 s ago',
  ]);
  assert.deepEqual(
    nodes.map(({ state }) => state),
    ['ready', 'draining', 'silent', 'dead', 'isolated', 'ready'],
  );
  assert.match(nodesTable({ nodes: [] }), /^no daemon is in the list/);
});

test('a daemon of another version may have other facts', () => {
  for (const unknown of [{}, { name: 7, link: null, machine: {} }]) {
    const shown = shownNode(node(12, unknown));
    assert.deepEqual([shown.name, shown.machine, shown.link, shown.state], ['12', '', '', 'ready']);
  }
});

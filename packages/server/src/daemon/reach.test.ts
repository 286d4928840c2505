import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { StoredNode } from '../store/postgres/node-rows.ts';
import { livingBeside, requireCommonVersion, requireReach } from './reach.ts';

const LEASE_MS = 20_000;

const versions = { version: 3, oldest: 2 };
const own = (address: string | null) => ({ machine: 'here', link: { socket: '/own', address, versions } });
const other = (machine: string, address: string | null, socket: string | null = '/other') => ({
  ...{ incarnation: 2, name: 'second', machine, region: 'us' },
  link: { socket, address, versions: null },
});
const never = () => Promise.resolve(false);
const always = () => Promise.resolve(true);

test('two daemons on two machines need --link-listen each', async () => {
  const both =
    /another daemon, second, on the machine there .*this one has no --link-listen, and that one has none either; start each/;
  await assert.rejects(requireReach(own(null), [other('there', null)], never), both);
  const mine = /machine there .*this one has no --link-listen; give --link-listen HOST:PORT/;
  await assert.rejects(requireReach(own(null), [other('there', '10.0.0.5:1')], never), mine);
  const theirs = /machine there .*that one has no --link-listen; start each of them .* that one first/;
  await assert.rejects(requireReach(own('10.0.0.4:1'), [other('there', null)], never), theirs);
  await requireReach(own('10.0.0.4:1'), [other('there', '10.0.0.5:1')], never);
});

test('daemons on one machine need none, whatever its name, and one that has ended does not matter', async () => {
  await requireReach(own(null), [other('there', null)], always);
  await requireReach(own(null), [other('here', null)], never);
  await requireReach(own(null), [], never);
});

test('every other daemon is checked', async () => {
  const others = [other('here', null), other('there', '10.0.0.5:1'), other('third', null, null)];
  await assert.rejects(requireReach(own('10.0.0.4:1'), others, never), /machine third/);
});

test('a daemon of a version without links is refused beside one on another machine', async () => {
  const rows: readonly StoredNode[] = [
    {
      incarnation: 2,
      facts: { machine: 'there' },
      round: 1,
      draining: false,
      dead_for: null,
      age: 1,
      silent_for: 1,
    },
  ];
  const beside = livingBeside(1, rows, LEASE_MS);
  await assert.rejects(requireReach(own('10.0.0.4:1'), beside, always), /that one has no --link-listen/);
});

test('a daemon lives if it is not dead and has renewed in the time of a lease', () => {
  const row = { facts: {}, round: 1, draining: false, age: 1 };
  const nodes: readonly StoredNode[] = [
    { ...row, incarnation: 1, dead_for: null, silent_for: 1 },
    { ...row, incarnation: 2, dead_for: 5, silent_for: 1 },
    { ...row, incarnation: 3, dead_for: null, silent_for: LEASE_MS },
    { ...row, incarnation: 4, dead_for: null, silent_for: LEASE_MS - 1 },
  ];
  assert.deepEqual(
    livingBeside(1, nodes, LEASE_MS).map(({ incarnation }) => incarnation),
    [4],
  );
});

test('a daemon without a common version of links is refused, with both versions and the remedy', () => {
  const beside = (version: number, oldest: number) => {
    const node = other('here', null);
    return [{ ...node, link: { ...node.link, versions: { version, oldest } } }];
  };
  requireCommonVersion(own(null), [other('here', null)]);
  for (const [version, oldest] of [
    [2, 1],
    [3, 2],
    [4, 3],
  ] as const)
    requireCommonVersion(own(null), beside(version, oldest));
  assert.throws(
    () => requireCommonVersion(own(null), beside(1, 1)),
    /another daemon, second, .*it speaks version 1 of links, and this one versions 2 to 3: upgrade it .*or stop it/,
  );
  assert.throws(
    () => requireCommonVersion(own(null), beside(5, 4)),
    /it speaks versions 4 to 5 of links, and this one versions 2 to 3: upgrade this one/,
  );
});

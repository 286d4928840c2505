import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BindTarget, tcpPort } from '../core/names/bind-target.ts';
import { isFault, parseHostname } from '../core/names/hostname.ts';
import { portClaim } from '../documents/name-claims.ts';
import { documentsIn } from '../documents/store.ts';
import { MemoryStore } from '../store/memory.fixture.ts';
import { proxy } from '../store/proxy.fixture.ts';
import { refused } from './engine.fixture.ts';
import { drawAddress } from './tcp-addresses.ts';

function name() {
  const parsed = parseHostname('underpass.localhost');
  assert.ok(!isFault(parsed));
  return parsed;
}

/** A range with these taken ports, which counts its queries. */
function range(
  first: number,
  last: number,
  taken: ReadonlySet<number>,
  withTunnels: ReadonlySet<BindTarget> = new Set(),
) {
  const asked = { names: 0, snapshots: 0 };
  const memory = documentsIn(new MemoryStore());
  const row = { op: 'insert', account: 'ac_1', kind: 'reserved_addr', parent: null, links: [] } as const;
  const reserved = memory.write((newId) =>
    [...taken].map((port) => ({ ...row, id: newId('ra'), body: { port }, names: [portClaim(port)] })),
  );
  const store = proxy(memory, {
    findName(claim) {
      asked.names += 1;
      return memory.findName(claim);
    },
    snapshot(kinds) {
      asked.snapshots += 1;
      return memory.snapshot(kinds);
    },
  });
  const online = { occupied: (target: BindTarget) => (withTunnels.has(target) ? ('online' as const) : null) };
  const settings = { domain: name(), tcpPorts: { first, last } };
  return {
    asked,
    draw: async () => {
      await reserved;
      return (await drawAddress('us', { store, settings, online })).port;
    },
  };
}

test('while most ports are free one look-up or two find one', async () => {
  const { asked, draw } = range(1, 65_535, new Set());
  for (let count = 0; count < 100; count++) await draw();
  assert.deepEqual(asked, { names: 100, snapshots: 0 });
});

test('the last free port of a large range is found, and all of them are read once at most', async () => {
  const taken = new Set(Array.from({ length: 10_000 }, (_, at) => 20_000 + at));
  taken.delete(23_456);
  const { asked, draw } = range(20_000, 29_999, taken);
  assert.equal(await draw(), 23_456);
  assert.ok(asked.names <= 32 && asked.snapshots <= 1, JSON.stringify(asked));
});

test('a port that an agent has is not drawn', async () => {
  const { draw } = range(7, 9, new Set([7]), new Set([tcpPort(8)]));
  for (let count = 0; count < 20; count++) assert.equal(await draw(), 9);
});

test('a range without a free port is said to be full', async () => {
  const { draw } = range(7, 8, new Set([7, 8]));
  const problem = await refused(draw(), 'addressesExhausted');
  assert.match(problem.message, /from 7 to 8/);
});

test('each free port is as likely as any other, also when few are left', async () => {
  const taken = new Set(Array.from({ length: 1000 }, (_, at) => at + 1));
  for (const port of [1, 500, 1000]) taken.delete(port);
  const { draw } = range(1, 1000, taken);
  const seen = new Map<number, number>();
  for (let count = 0; count < 600; count++) {
    const port = await draw();
    seen.set(port, (seen.get(port) ?? 0) + 1);
  }
  assert.deepEqual([...seen.keys()].sort(), [1, 1000, 500]);
  // 200 are expected, with a deviation of 12: further off than 100 is as good as impossible.
  for (const [port, count] of seen) assert.ok(Math.abs(count - 200) < 100, `${port}: ${count}`);
});

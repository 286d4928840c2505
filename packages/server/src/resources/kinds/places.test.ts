/** Names and ports of resources, and the claims by which binds of agents find them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isTcpPort } from '../../core/names/bind-target.ts';
import { claimsAround, openToAgents } from '../../documents/name-claims.ts';
import { openInMemory } from '../../store/memory.fixture.ts';
import type { StoredKind } from '../definition.ts';
import { startPlatform } from '../engine.fixture.ts';
import { resourceKinds } from './index.ts';

const withPlaces = resourceKinds.filter(
  (kind): kind is StoredKind => kind.source === 'stored' && kind.places !== undefined,
);

test('each kind that has names of agents keeps them from agents', () => {
  const kinds = withPlaces.map(({ name }) => name).sort();
  assert.deepEqual(kinds, ['https_edge', 'reserved_addr', 'reserved_domain', 'tcp_edge', 'tls_edge']);
});

test('a bind finds the nearest resource that has its name or port', async (t) => {
  const platform = await startPlatform(openInMemory, { tcpPorts: { first: 20_000, last: 29_999 } });
  t.after(() => platform.close());
  const { store } = platform;
  const ids = new Map<string, string>();
  const create = async (kind: string, body: object) => {
    const made = await platform.create(kind, body);
    ids.set(made.id, kind);
    return made;
  };
  for (const name of ['*.below.example.com', 'a.below.example.com', 'tls.example.com', 'https.example.com'])
    await create('reserved_domain', { name });
  await create('tls_edge', { hostports: ['tls.example.com:443'] });
  await create('https_edge', { hostports: ['https.example.com:443', 'b.below.example.com:443'] });
  await create('reserved_addr', {});
  const { addr } = await create('reserved_addr', {});
  await create('tcp_edge', { hostports: [addr] });

  const nearest = async (target: Parameters<typeof claimsAround>[0], text: string) => {
    for (const claim of claimsAround(target, text)) {
      const holder = await store.findName(claim);
      if (holder !== null) return ids.get(holder.id);
    }
    return null;
  };
  const edges = new Set<unknown>();
  for (const kind of withPlaces.filter(({ name }) => !openToAgents.includes(name)))
    for (const { body } of (await store.snapshot([kind.name])).documents)
      for (const { name } of kind.places?.(body, {}) ?? []) {
        edges.add(name);
        assert.equal(await nearest(name, isTcpPort(name) ? String(addr) : name), kind.name);
      }
  assert.equal(edges.size, 4);
  for (const kind of withPlaces.filter(({ name }) => openToAgents.includes(name)))
    for (const { body } of (await store.snapshot([kind.name])).documents)
      for (const { name } of kind.places?.(body, {}) ?? [])
        if (!edges.has(name)) assert.equal(await nearest(name, 'other:1'), kind.name);
  const below = 'c.below.example.com' as Parameters<typeof claimsAround>[0];
  assert.equal(await nearest(below, 'c.below.example.com'), 'reserved_domain');
  const free = 'below.example.com' as Parameters<typeof claimsAround>[0];
  assert.equal(await nearest(free, 'below.example.com'), null);
});

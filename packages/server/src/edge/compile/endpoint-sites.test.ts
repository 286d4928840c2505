import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname } from '../../core/names/hostname.ts';
import type { TunnelHandle, TunnelPool } from '../../online/online.ts';
import { tunnelAt } from '../../online/tunnels.fixture.ts';
import { reservation } from '../documents.fixture.ts';
import { EndpointSites } from './endpoint-sites.ts';
import { Sources } from './sources.ts';

const a = 'a.example.com' as Hostname;
const b = 'b.example.com' as Hostname;

function setUp() {
  const sources = new Sources({ online: { matching: () => [] } }, () => {});
  return { sources, sites: new EndpointSites(sources) };
}

/** Two tunnels of one pool, and what closes each. */
function pooled() {
  const tunnels: TunnelHandle[] = [];
  const pool: TunnelPool = { id: 'ep_1', tunnels };
  const closing = [new AbortController(), new AbortController()] as const;
  const [first, second] = closing.map(({ signal }, at) =>
    tunnelAt(a, { id: `tn_${at}`, closed: signal, pool }),
  );
  assert.ok(first && second);
  tunnels.push(first, second);
  const close = (at: 0 | 1): void => {
    tunnels.shift();
    closing[at].abort();
  };
  return { first, second, close };
}

test('a tunnel has one site, until a reservation of it is removed', () => {
  const { sources, sites } = setUp();
  const tunnel = tunnelAt(a);
  sources.put(reservation('rd_1', a));
  const site = sites.at(tunnel, a);
  assert.equal(sites.at(tunnel, a), site);
  sites.forgetIn(new Set(['rd_2']));
  assert.equal(sites.at(tunnel, a), site, 'the removal of another one changes nothing');
  sources.remove('rd_1');
  sites.forgetIn(new Set(['rd_1']));
  assert.notEqual(sites.at(tunnel, a), site);
});

test('tunnels of a pool share their site, which stays with the last of them', () => {
  const { sources, sites } = setUp();
  const { first, second, close } = pooled();
  const site = sites.at(first, a);
  assert.equal(sites.at(second, a), site);
  close(0);
  assert.equal(sites.at(second, a), site);
  const values = sources.derived.size;
  close(1);
  assert.ok(sources.derived.size < values);
});

test('the site of a pool goes with its last tunnel, also if that one was never looked up', () => {
  const { sources, sites } = setUp();
  const { first, close } = pooled();
  const { size } = sources.derived;
  sites.at(first, a);
  close(0);
  assert.ok(sources.derived.size > size);
  close(1);
  assert.equal(sources.derived.size, size);
});

test('below a wildcard a name has a site for its own reservation and that of the wildcard', () => {
  const { sources, sites } = setUp();
  const tunnel = tunnelAt('*.example.com');
  sources.put(reservation('rd_a', a));
  const free = sites.at(tunnel, b);
  const own = sites.at(tunnel, a);
  assert.notEqual(own, free);

  sources.put(reservation('rd_w', '*.example.com'));
  const both = sites.at(tunnel, a);
  const ofWildcard = sites.at(tunnel, b);
  assert.equal(new Set([free, own, both, ofWildcard]).size, 4);
  assert.deepEqual([sites.at(tunnel, a), sites.at(tunnel, b)], [both, ofWildcard]);

  sources.remove('rd_w');
  sites.forgetIn(new Set(['rd_w']));
  assert.deepEqual([sites.at(tunnel, a), sites.at(tunnel, b)], [own, free], 'they were not in it');
  sources.put(reservation('rd_w', '*.example.com'));
  assert.notEqual(sites.at(tunnel, a), both);
  assert.notEqual(sites.at(tunnel, b), ofWildcard);
});

test('nothing is left of reservations that come and go below a wildcard', () => {
  const { sources, sites } = setUp();
  const tunnel = tunnelAt('*.example.com');
  sites.at(tunnel, a);
  const { size } = sources.derived;
  for (const id of ['rd_1', 'rd_2', 'rd_3']) {
    sources.put(reservation(id, a));
    sites.at(tunnel, a);
    sources.remove(id);
    sites.forgetIn(new Set([id]));
    assert.equal(sources.derived.size, size);
  }
});

test('nothing is left of reservations of the wildcard that come and go', () => {
  const { sources, sites } = setUp();
  const tunnel = tunnelAt('*.example.com');
  sources.put(reservation('rd_a', a));
  const own = sites.at(tunnel, a);
  const { size } = sources.derived;
  for (const id of ['rd_1', 'rd_2', 'rd_3']) {
    sources.put(reservation(id, '*.example.com'));
    assert.notEqual(sites.at(tunnel, a), own);
    sources.remove(id);
    sites.forgetIn(new Set([id]));
    assert.equal(sources.derived.size, size);
  }
  assert.equal(sites.at(tunnel, a), own);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname } from '../../core/names/hostname.ts';
import { tunnelAt } from '../../online/tunnels.fixture.ts';
import { reservation } from '../documents.fixture.ts';
import { EndpointSites } from './endpoint-sites.ts';
import { Sources } from './sources.ts';

const name = 'a.example.com' as Hostname;

function sites() {
  const sources = new Sources({ online: { matching: () => [] } }, () => {});
  return { sources, endpoints: new EndpointSites(sources) };
}

test('the sites of a tunnel in reservations go with either of them', () => {
  const { sources, endpoints } = sites();
  const tunnel = tunnelAt('*.example.com');
  for (const removed of ['rd_requested', 'rd_bound']) {
    sources.put(reservation('rd_requested', name));
    sources.put(reservation('rd_bound', '*.example.com'));
    endpoints.at(tunnel, name);
    assert.equal(endpoints.size, 1);
    endpoints.forgetIn(new Set(['rd_other']));
    assert.equal(endpoints.size, 1);
    sources.remove(removed);
    endpoints.forgetIn(new Set([removed]));
    assert.deepEqual([endpoints.size, sources.derived.size], [0, 0], removed);
  }
});

test('the site of a tunnel goes with it, and nothing that it read is kept', () => {
  const { sources, endpoints } = sites();
  const closing = new AbortController();
  sources.put(reservation('rd_1', name));
  endpoints.at(tunnelAt(name, { closed: closing.signal }), name);
  assert.equal(endpoints.size, 1);
  assert.notEqual(sources.derived.size, 0);
  closing.abort();
  assert.deepEqual([endpoints.size, sources.derived.size], [0, 0]);
});

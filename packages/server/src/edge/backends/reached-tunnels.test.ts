import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TunnelHandle } from '../../online/online.ts';
import { tunnelAt } from '../../online/tunnels.fixture.ts';
import { everyRouteOf } from '../sites/every-route.ts';
import type { ExplainedBackend, Route } from '../sites/site.ts';
import { failoverBackend } from './failover-backend.ts';
import { tunnelBackend } from './tunnel-backend.ts';
import { weightedBackend } from './weighted-backend.ts';

const one = tunnelAt('one.example.com');
const other = tunnelAt('other.example.com');
const children: Readonly<Record<string, readonly TunnelHandle[] | null>> = {
  ...{ one: [one], other: [other], empty: [], static: null },
};
const context = {
  child: (id: string): ExplainedBackend => ({
    ...{ id, pick: () => 'noBackendAvailable', leadsTo: () => false },
    tunnels: () => children[id] ?? null,
    preview: () => ({ id, instead: 'noBackendAvailable', why: '' }),
  }),
  random: () => 0,
  online: { matching: () => [] },
  dialler: { dial: () => null, refusalOf: () => null },
};
const document = { id: 'bkd_1', account: 'ac_1', parent: null, revision: 1 };

function failover(...backends: readonly string[]): readonly TunnelHandle[] | null {
  const body = { description: '', metadata: '', backends };
  return failoverBackend({ ...document, kind: 'failover_backend', body }, context).tunnels();
}

test('a failover leads to the tunnels of its first child that has any, and to none behind another place', () => {
  assert.deepEqual(failover('one', 'other'), [one]);
  assert.deepEqual(failover('empty', 'other'), [other]);
  assert.equal(failover('empty', 'static', 'one'), null);
  assert.deepEqual(failover('empty'), []);
});

test('weights lead to the tunnels of all children but those without a share', () => {
  const body = { description: '', metadata: '', backends: { one: 1, static: 5, other: 0 } };
  const weighted = weightedBackend({ ...document, kind: 'weighted_backend', body }, context);
  assert.deepEqual(weighted.tunnels(), [one]);
});

test('a tunnel that has gone offline is none any more', () => {
  const gone = new AbortController();
  const backend = tunnelBackend({ ...one, closed: gone.signal });
  assert.equal(backend.tunnels()?.length, 1);
  gone.abort();
  assert.deepEqual(backend.tunnels(), []);
});

test('before a route is known all routes of a site count', () => {
  const routeTo = (id: string): Route => ({
    ...{ id, refusal: null, guards: [], bodyGuards: [], isGuarded: false, readsRequest: false },
    ...{ requestEdits: [], responseEdits: [], bodyStages: [], watches: [], converter: null },
    backend: context.child(id),
  });
  const routes = new Map(['one', 'static', 'other'].map((id) => [id, routeTo(id)]));
  const route = () => routeTo('one');
  assert.deepEqual(everyRouteOf({ routes, route }).tunnels(), [one, other]);
  assert.deepEqual(everyRouteOf({ route }).tunnels(), [one]);
});

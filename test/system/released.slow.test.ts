/** The daemon has the same number of objects and connections before and after a thousand of each kind of ended object. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { HANDSHAKE } from '../../packages/server/src/edge/http/websocket-client.fixture.ts';
import { samples } from '../../packages/server/src/resources/samples/index.fixture.ts';
import type { JsonObject } from '../../packages/server/src/store/store.ts';
import { type HeapCounts, HeapWatch } from '../harness/heap-counts.ts';
import { closing, eventually, Platform } from '../harness/index.ts';
import { Account, documentOf } from './account.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

const COUNT = 1_000;
/** Each takes many requests. */
const COUNT_OF_EDGES = 250;
const COUNT_OF_KIND = 40;
/** Names of tunnels with visits. Their traffic stays in memory for an hour. */
const NAMES = 20;
const AT_ONCE = 8;
const GAUGES = ['agent_sessions', 'tunnels', 'front_door_connections', 'store_queue_length', 'tcp_listeners'];

const heap = new HeapWatch();
let platform: Platform;
let account: Account;
let agent: StockAgent;
before(async () => {
  platform = await Platform.start({ through: heap.through });
  account = new Account((await documentOf(platform)).operations, platform.bootstrap.api_key, platform);
  agent = await StockAgent.connect(platform, (_request, response) => response.end('ok'));
});
after(async () => {
  await agent?.stop();
  await platform.stop();
  heap.remove();
});

/** Does something many times, and as often once more: the second time must leave nothing that the first did not leave. */
function leavesNothing(
  what: string,
  count: number,
  act: (n: number) => Promise<void>,
  atOnce = AT_ONCE,
): void {
  test(what, async () => {
    await times(count, act, atOnce);
    const gauges = await gaugesAtRest();
    const counts = await heap.counts(platform.daemon);
    await times(count, act, atOnce);
    await eventually(async () => assert.deepEqual(await readGauges(), gauges));
    await eventually(async () => assert.deepEqual(await grown(counts, count), []));
  });
}

async function times(count: number, act: (n: number) => Promise<void>, atOnce: number): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await act(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  // Connections that wait for more requests are no part of it.
  await platform.client.endKept();
}

/** The types of which there are more: one for two of what ended. Fewer are those of caches, which have bounds. */
async function grown(before: HeapCounts, count: number): Promise<readonly string[]> {
  const now = await heap.counts(platform.daemon);
  return [...now].flatMap(([name, objects]) => {
    const more = objects - (before.get(name) ?? 0);
    return more > count / 2 ? [`${more} more of ${name}`] : [];
  });
}

async function readGauges(): Promise<readonly string[]> {
  const text = await (await fetch(`http://127.0.0.1:${platform.adminPort}/metrics`)).text();
  return text.split('\n').filter((line) => GAUGES.some((gauge) => line.startsWith(`underpass_${gauge} `)));
}

/** Kept connections of visitors end a moment after their client has ended them: only those of agents rest. */
async function gaugesAtRest(): Promise<readonly string[]> {
  return eventually(async () => {
    const gauges = await readGauges();
    const of = (name: string) => gauges.find((line) => line.startsWith(`underpass_${name} `))?.split(' ')[1];
    assert.equal(of('front_door_connections'), of('agent_sessions'));
    return gauges;
  });
}

async function remove(path: string): Promise<void> {
  const { status, text } = await account.call('DELETE', path);
  assert.equal(status, 204, text);
}

leavesNothing('agents that log in, bind a name and go', COUNT, async (n) => {
  const one = await StockAgent.connect(platform, (_request, response) => response.end());
  const bound = await one.bind({ Subdomain: `agent${n % AT_ONCE}` }, { PoolingEnabled: true });
  if (n % 2 === 0) await one.unbind(bound.id);
  await one.stop();
});

leavesNothing('binds of one agent, each with a visit', COUNT, async (n) => {
  const { id, url } = await agent.bind({ Subdomain: `bound${n % NAMES}` }, { PoolingEnabled: true });
  assert.equal((await platform.visit(url)).status, 200);
  await agent.unbind(id);
});

leavesNothing('visitors over connections of their own, who leave without a word', COUNT, async (n) => {
  const { id, url } = await agent.bind({ Subdomain: `visited${n % NAMES}` }, { PoolingEnabled: true });
  const { hostname, port } = new URL(url);
  const socket = await platform.client.tls(hostname);
  const closed = closing(socket);
  socket.resume();
  socket.write(HANDSHAKE.replace(/Host: .*/i, `Host: ${hostname}:${port}`));
  await once(socket, 'data').catch(() => {});
  socket.destroy();
  await closed;
  await agent.unbind(id);
});

leavesNothing('edges with their names, backends and routes, each visited', COUNT_OF_EDGES, async (n) => {
  const { create, removeAll } = recorded();
  const name = `edge${n}.underpass.localhost`;
  const backend = await create('http_response_backend', { body: 'fixed' });
  await create('reserved_domain', { name });
  const edge = await create('https_edge', { hostports: [`${name}:443`] });
  const route = { match_type: 'path_prefix', match: '/', backend: { backend_id: backend.id } };
  await create('https_edge_route', route, edge.id);
  assert.equal((await platform.visit(name)).status, 200);
  await removeAll();
});

leavesNothing(
  'resources of every kind',
  COUNT_OF_KIND,
  async () => {
    for (const { kind, parent, body } of samples) {
      const { create, removeAll } = recorded();
      const target = { create, list: account.list, remove: account.remove };
      await create(kind, await body(target), await parent?.(target));
      await removeAll();
    }
  },
  1,
);

/** Creates resources of the account, and removes them in the other order. */
function recorded() {
  const paths: string[] = [];
  const create = async (kind: string, fields: JsonObject, parent?: string) => {
    const resource = await account.create(kind, fields, parent);
    paths.unshift(`${account.path(kind, parent)}/${resource.id}`);
    return resource;
  };
  const removeAll = async () => {
    for (const path of paths) await remove(path);
  };
  return { create, removeAll };
}

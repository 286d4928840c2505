import assert from 'node:assert/strict';
import { once } from 'node:events';
import net from 'node:net';
import { type TestContext, test } from 'node:test';
import { type MuxStream, toDuplex } from '@underpass/wire';
import { freePorts } from '../../../../../test/harness/free-ports.ts';
import { until } from '../../../../../test/harness/until.ts';
import type { TunnelHandle } from '../../online/online.ts';
import { SourceShares } from '../backends/source-shares.ts';
import { Streams } from '../backends/streams.ts';
import { Pipes } from '../bytes/pipes.ts';
import { SiteTable } from '../compile/site-table.ts';
import {
  backedBy,
  gone,
  groupDocument,
  put,
  responseDocument,
  ruleDocument,
  tcpEdgeDocument,
} from '../documents.fixture.ts';
import { DEFAULT_LIMITS } from '../http/limits.ts';
import type { ExchangeRecord } from '../sites/exchange-record.ts';
import { AwaitedTunnels } from './awaited-tunnels.ts';
import { everything, firstLine, openAgent, rawClient, type TestDocument } from './front-door.fixture.ts';
import { noLoadBalancers } from './load-balancers.fixture.ts';
import { type ConnectionBounds, defaultBounds, OpenConnections } from './open-connections.ts';
import { TcpListeners } from './tcp-listeners.ts';

const group = groupDocument('bkdtg_1', { app: 'db' });
const backend = backedBy('bkdtg_1');

/** Sends first, and echoes. */
function greet(stream: MuxStream): void {
  const duplex = toDuplex(stream);
  duplex.on('error', () => {});
  duplex.write('welcome\n');
  duplex.pipe(duplex);
}

async function openPorts(
  t: TestContext,
  documents: readonly TestDocument[],
  bounds: Partial<ConnectionBounds> = {},
  isIsolated = () => false,
) {
  const { tunnel, headers } = await openAgent(t, greet);
  const tunnels: TunnelHandle[] = [tunnel];
  const matching = (): readonly TunnelHandle[] => tunnels;
  const sites = new SiteTable({
    online: { byName: () => undefined, onNamed: () => {}, heldFor: () => undefined, matching },
  });
  sites.reset([group, ...documents]);
  const observed: ExchangeRecord[] = [];
  const streams = new Streams(new SourceShares(), DEFAULT_LIMITS);
  streams.isIsolated = isIsolated;
  const pipes = new Pipes({
    streams,
    stallMs: 300_000,
    halfClosedMs: 30_000,
    observe: (record) => observed.push(record),
    now: () => 0,
  });
  sites.onChange(() => pipes.recheck(null));
  const failures: string[] = [];
  const said: string[] = [];
  const say = (_: unknown, text: string) => void said.push(text);
  const log = { info: say, warn: say, error: say } as never;
  const connections = new OpenConnections({ ...defaultBounds, ...bounds }, log, undefined);
  const awaited = new AwaitedTunnels(() => performance.now());
  const listeners = new TcpListeners({
    host: '127.0.0.1',
    sites,
    pipes,
    loadBalancers: noLoadBalancers,
    awaited,
    connections,
    log,
    observer: { handshakeFailed() {}, acceptFailed() {}, listenFailed: (code) => failures.push(code) },
  });
  await listeners.start();
  t.after(() => {
    connections.destroyAll();
    return listeners.stop();
  });
  return { listeners, sites, connections, observed, headers, failures, said, awaited, tunnels };
}

async function isRefused(port: number): Promise<boolean> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  const result = await Promise.race([
    once(socket, 'connect').then(() => false),
    once(socket, 'close').then(() => true),
  ]).catch(() => true);
  socket.destroy();
  return result;
}

test('a visitor of a port reaches the agent, which may speak first, and each side can end before the other', async (t) => {
  const [port, other] = (await freePorts(2)) as [number, number];
  const { headers, observed, connections } = await openPorts(t, [
    tcpEdgeDocument('edgtcp_1', [port, other], { backend }),
  ]);
  for (const at of [port, other]) {
    const socket = rawClient(t, at);
    assert.equal(await firstLine(socket), 'welcome');
    socket.end('and the rest');
    assert.equal((await everything(socket)).toString(), 'and the rest');
  }
  await until(() => connections.size === 0 && observed.length === 2);
  assert.match(headers[0]!.ClientAddr, /^127\.0\.0\.1:\d+$/);
  assert.deepEqual(
    headers.map(({ Proto, EdgeType, PassthroughTLS }) => [Proto, EdgeType, PassthroughTLS]),
    [
      ['tcp', '1', false],
      ['tcp', '1', false],
    ],
  );
  assert.deepEqual(
    observed.map(({ site, bytesIn, bytesOut, error }) => [site, bytesIn, bytesOut, error]),
    [
      ['edgtcp_1', 12, 20, null],
      ['edgtcp_1', 12, 20, null],
    ],
  );
});

test('while agents are expected back a visitor waits for the one that serves the port', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const documents = [tcpEdgeDocument('edgtcp_1', [port], { backend })];
  const { awaited, tunnels, connections } = await openPorts(t, documents);
  const tunnel = tunnels.pop()!;
  awaited.expect(600_000);
  const socket = rawClient(t, port);
  await until(() => connections.size === 1);
  tunnels.push(tunnel);
  assert.equal(await firstLine(socket), 'welcome');
});

test('a port opens and closes with the edges that have it, and ends what goes through it', async (t) => {
  const [port, other] = (await freePorts(2)) as [number, number];
  const { listeners, sites } = await openPorts(t, []);
  assert.ok(await isRefused(port));
  sites.apply([put(tcpEdgeDocument('edgtcp_1', [port], { backend }))]);
  const first = rawClient(t, port);
  assert.equal(await firstLine(first), 'welcome');
  sites.apply([put(tcpEdgeDocument('edgtcp_1', [port, other], { backend }))]);
  const second = rawClient(t, other);
  assert.equal(await firstLine(second), 'welcome');
  const ended = everything(second);
  sites.apply([put(tcpEdgeDocument('edgtcp_1', [port], { backend }))]);
  assert.equal((await ended).length, 0);
  assert.ok(await isRefused(other));
  first.write('still here\n');
  assert.equal(await firstLine(first), 'still here');
  const over = everything(first);
  const edge = tcpEdgeDocument('edgtcp_1', [port], { backend });
  // Another edge in its place, in one step: the port stays, what was the first one's ends.
  sites.apply([gone(edge), put(tcpEdgeDocument('edgtcp_2', [port], { backend }))]);
  assert.equal((await over).length, 0);
  const third = rawClient(t, port);
  assert.equal(await firstLine(third), 'welcome');
  assert.equal(listeners.open, 1);
  const last = everything(third);
  sites.reset([]);
  assert.equal((await last).length, 0);
  assert.ok(await isRefused(port));
  assert.deepEqual([listeners.open, listeners.missing], [0, 0]);
});

test('a backend that is replaced, turned off or cannot carry bytes ends what goes through, and takes nobody', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const response = responseDocument('bkdhr_1', 'hello');
  const { sites, observed } = await openPorts(t, [response]);
  for (const other of [backedBy('bkdhr_1'), { ...backend, enabled: false }, null]) {
    sites.apply([put(tcpEdgeDocument('edgtcp_1', [port], { backend }))]);
    const socket = rawClient(t, port);
    assert.equal(await firstLine(socket), 'welcome');
    const ended = everything(socket);
    sites.apply([put(tcpEdgeDocument('edgtcp_1', [port], { backend: other }))]);
    assert.equal((await ended).length, 0);
    assert.equal((await everything(rawClient(t, port))).length, 0);
  }
  const errors = observed.map(({ error }) => error);
  assert.ok(errors.includes('fixedResponseNotTerminated'), String(errors));
});

test('an IP restriction closes at accept, and ends those that a change no longer allows', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const ip_restriction = { enabled: true, ip_policy_ids: ['ipp_1'] };
  const { sites, headers } = await openPorts(t, [
    tcpEdgeDocument('edgtcp_1', [port], { backend, ip_restriction }),
    ruleDocument('ipr_1', 'ipp_1', 'allow', '127.0.0.0/8'),
    ruleDocument('ipr_2', 'ipp_1', 'deny', '127.0.0.2/32'),
  ]);
  const allowed = rawClient(t, port);
  assert.equal(await firstLine(allowed), 'welcome');
  assert.equal((await everything(rawClient(t, port, '127.0.0.2'))).length, 0);
  assert.equal(headers.length, 1);
  const third = rawClient(t, port, '127.0.0.3');
  assert.equal(await firstLine(third), 'welcome');
  const ended = everything(third);
  sites.apply([put(ruleDocument('ipr_3', 'ipp_1', 'deny', '127.0.0.3/32'))]);
  assert.equal((await ended).length, 0);
  allowed.write('still here\n');
  assert.equal(await firstLine(allowed), 'still here');
});

test('a port of another program is logged once, counted, and opened when it is free', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const squatter = net.createServer().listen(port, '127.0.0.1');
  await once(squatter, 'listening');
  const { listeners, failures, said } = await openPorts(t, [
    tcpEdgeDocument('edgtcp_1', [port], { backend }),
  ]);
  assert.deepEqual([listeners.open, listeners.missing], [0, 1]);
  await until(() => failures.length > 1);
  assert.deepEqual(new Set(failures), new Set(['EADDRINUSE']));
  assert.equal(said.length, 1);
  squatter.close();
  await until(() => listeners.open === 1);
  assert.equal(await firstLine(rawClient(t, port)), 'welcome');
  assert.equal(said.length, 2);
});

test('a port that is not free and no longer wanted is not opened later', async (t) => {
  const ports = await freePorts(2);
  const squatters = ports.map((port) => net.createServer().listen(port, '127.0.0.1'));
  await Promise.all(squatters.map((squatter) => once(squatter, 'listening')));
  t.after(() => void squatters[1]!.close());
  const { sites, failures } = await openPorts(t, [tcpEdgeDocument('edgtcp_1', ports)]);
  sites.apply([put(tcpEdgeDocument('edgtcp_1', ports.slice(1)))]);
  squatters[0]!.close();
  // By then the other one was tried again.
  await until(() => failures.length >= 4);
  assert.ok(await isRefused(ports[0]!));
});

test('ports take no more than a part of the descriptors, and count to the bound of connections', async (t) => {
  const ports = await freePorts(4);
  const { listeners, failures, connections } = await openPorts(
    t,
    [tcpEdgeDocument('edgtcp_1', ports, { backend })],
    { connections: 8 },
  );
  assert.deepEqual([listeners.open, listeners.missing], [2, 2]);
  assert.deepEqual(failures, ['EMFILE', 'EMFILE']);
  const six = Array.from({ length: 6 }, () => rawClient(t, ports[0]!));
  await Promise.all(six.map(firstLine));
  assert.equal((await everything(rawClient(t, ports[0]!))).length, 0);
  assert.equal(connections.size, 6);
});

test('what is closed in order takes nobody any more, and lets connections end by themselves', async (t) => {
  const [port] = (await freePorts(1)) as [number];
  const { listeners } = await openPorts(t, [tcpEdgeDocument('edgtcp_1', [port], { backend })]);
  const socket = rawClient(t, port);
  assert.equal(await firstLine(socket), 'welcome');
  const stopped = listeners.stop();
  assert.ok(await isRefused(port));
  socket.write('still here\n');
  assert.equal(await firstLine(socket), 'still here');
  socket.end();
  socket.resume();
  await stopped;
});

test('a visitor of a port is turned away while the daemon is isolated, and no agent hears of it', async (t) => {
  const [port = 0] = await freePorts(1);
  let isIsolated = true;
  const edge = tcpEdgeDocument('edgtcp_1', [port], { backend });
  const { headers, observed } = await openPorts(t, [edge], {}, () => isIsolated);
  assert.equal((await everything(rawClient(t, port))).length, 0);
  assert.deepEqual(
    observed.map(({ error }) => error),
    ['nodeIsolated'],
  );
  assert.equal(headers.length, 0);
  isIsolated = false;
  assert.equal(await firstLine(rawClient(t, port)), 'welcome');
});

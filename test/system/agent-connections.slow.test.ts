/** An agent of this project has a connection to each daemon, so that its visitors need no second daemon. */
import assert from 'node:assert/strict';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { type AgentOptions, connect } from '@underpass/agent';
import { field } from '@underpass/wire';
import {
  Cluster,
  eventually,
  postgresMissing,
  startUpstream,
  type Upstream,
  underpassd,
} from '../harness/index.ts';

/** A balancer that leads each connection to the next daemon that accepts it. */
class InTurns {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #next = 0;

  constructor(cluster: Cluster) {
    this.#server = createServer((client) => this.#lead(cluster, this.#keep(client), cluster.size));
  }

  async start(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #lead(cluster: Cluster, client: Socket, attempts: number): void {
    if (attempts === 0) return void client.destroy();
    const { platform } = cluster.node(this.#next++ % cluster.size);
    const service = this.#keep(dial(cluster.port, platform.address));
    let isUp = false;
    service.once('connect', () => {
      isUp = true;
      client.pipe(service).pipe(client);
    });
    client.once('close', () => service.destroy());
    service.once('close', () => {
      if (isUp) client.destroy();
      else this.#lead(cluster, client, attempts - 1);
    });
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

describe('the connections of an agent with several daemons', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let balancer: InTurns;
  let upstream: Upstream;
  let server: string;
  const daemons = [0, 1, 2];

  before(async () => {
    const names = (index: number) => ['--node-name', `daemon-${index}`, '--leave-seconds', '1'];
    cluster = await Cluster.start({ args: names });
    balancer = new InTurns(cluster);
    server = `connect.${cluster.bootstrap.domain}:${await balancer.start()}`;
    upstream = await startUpstream((_, response) => response.end('served'));
  });
  after(async () => {
    balancer?.stop();
    await cluster?.stop();
    await upstream?.stop();
  });

  async function connected(options: Partial<AgentOptions> = {}) {
    const { authtoken } = cluster.bootstrap;
    const events = { open: 1, wanted: 1, offline: 0 };
    const agent = await connect({
      ...{ server, authtoken, ca: cluster.at(0).ca, random: () => 0 },
      onConnections: ({ open, wanted }) => Object.assign(events, { open, wanted }),
      onState: ({ state }) => {
        if (state === 'offline') events.offline++;
      },
      ...options,
    });
    return { agent, events };
  }

  /** Sessions of agents, by the API of a daemon. */
  async function places(at = 0): Promise<readonly string[]> {
    const { json } = await cluster.api(at, 'GET', '/tunnel_sessions');
    return (field(json, 'tunnel_sessions') as { readonly id: string }[]).map(({ id }) => id);
  }

  async function hops(index: number): Promise<number> {
    const response = await fetch(`http://127.0.0.1:${cluster.node(index).platform.adminPort}/metrics`);
    return Number(/^underpass_hop_streams(?:\{[^}]*\})? (\d+)/m.exec(await response.text())?.[1]);
  }

  const visitAll = async (url: string, indices = daemons) => {
    for (const index of indices)
      assert.equal((await cluster.visit(index, new URL(url).hostname)).text, 'served');
  };
  const upstreamPort = () => upstream.port;

  test('with one connection, visitors of other daemons need a hop', async () => {
    const { agent } = await connected({ connections: 1 });
    const { url } = await agent.forward(upstreamPort());
    await eventually(() => visitAll(url!));
    assert.ok((await Promise.all(daemons.map(hops))).some((count) => count > 0));
    await agent.close();
    await eventually(async () => assert.deepEqual(await places(), []));
  });

  test('there is one at each daemon, and no visitor needs a hop', async () => {
    const { agent, events } = await connected();
    let bound = 0;
    const { url } = await agent.forward(upstreamPort(), { onBound: () => bound++ });
    await eventually(() => assert.deepEqual(events, { open: 3, wanted: 3, offline: 0 }));
    await eventually(async () => assert.equal((await places()).length, 3));
    await eventually(async () => {
      const { json } = await cluster.api(0, 'GET', '/tunnels');
      assert.equal((field(json, 'tunnels') as unknown[]).length, 3);
    });
    await visitAll(url!);
    assert.deepEqual(await Promise.all(daemons.map(hops)), [0, 0, 0]);
    assert.equal(bound, 1, 'the tunnel is reported once');
    await agent.close();
    await eventually(async () => assert.deepEqual(await places(), []));
    assert.equal((await cluster.visit(1, new URL(url!).hostname)).status, 404);
  });

  test('a tunnel that ends is gone at every daemon, and another one goes on', async () => {
    const { agent, events } = await connected();
    const [one, two] = [await agent.forward(upstreamPort()), await agent.forward(upstreamPort())];
    await eventually(() => assert.equal(events.open, 3));
    await visitAll(one.url!);
    await one.close();
    for (const index of daemons)
      await eventually(async () =>
        assert.equal((await cluster.visit(index, new URL(one.url!).hostname)).status, 404),
      );
    await visitAll(two.url!);
    await agent.close();
  });

  test('a restart by the API reaches all connections, once', async () => {
    const { agent, events } = await connected();
    const { url } = await agent.forward(upstreamPort());
    await eventually(() => assert.equal(events.open, 3));
    const before = await places();
    assert.equal((await cluster.api(0, 'POST', `/tunnel_sessions/${before[1]}/restart`)).status, 204);
    await eventually(async () => {
      const now = await places();
      assert.equal(now.length, 3);
      assert.ok(now.every((id) => !before.includes(id)));
    });
    assert.equal(events.offline, 1);
    await eventually(() => visitAll(url!));
    await agent.close();
  });

  test('a drained daemon loses its connection to another one, without a failed visit', async () => {
    const { agent, events } = await connected({ connections: 2 });
    const { url } = await agent.forward(upstreamPort());
    await eventually(() => assert.equal(events.open, 2));
    const drain = (...args: string[]) =>
      underpassd(['nodes', 'drain', 'daemon-0', ...args, '--database', cluster.database]);
    assert.equal((await drain()).code, 0);
    await eventually(async () => {
      const { json } = await cluster.api(1, 'GET', '/tunnel_sessions');
      const sessions = field(json, 'tunnel_sessions') as object[];
      assert.equal(sessions.length, 2);
      assert.equal(events.open, 2);
      await visitAll(url!);
      const counted = await Promise.all(
        daemons.map(async (index) => {
          const response = await fetch(`http://127.0.0.1:${cluster.node(index).platform.adminPort}/metrics`);
          return /^underpass_agent_sessions(?:\{[^}]*\})? (\d+)/m.exec(await response.text())?.[1];
        }),
      );
      assert.deepEqual(counted, ['0', '1', '1']);
    });
    assert.equal(events.offline, 0);
    assert.equal((await drain('--undo')).code, 0);
    await agent.close();
  });

  test('a killed daemon costs no visit at others, and a daemon that is added gets a connection', async () => {
    const { agent, events } = await connected();
    const { url } = await agent.forward(upstreamPort());
    await eventually(() => assert.equal(events.open, 3));
    await cluster.kill(2);
    await eventually(async () => {
      await visitAll(url!, [0, 1]);
      assert.deepEqual(events, { open: 2, wanted: 2, offline: 0 });
    });
    await cluster.restart(2);
    await cluster.add();
    await eventually(() => assert.deepEqual(events, { open: 4, wanted: 4, offline: 0 }));
    await visitAll(url!, [0, 1, 2, 3]);
    assert.deepEqual(await Promise.all([0, 1, 2, 3].map(hops)), [0, 0, 0, 0]);
    await agent.close();
    await eventually(async () => assert.deepEqual(await places(), []));
  });
});

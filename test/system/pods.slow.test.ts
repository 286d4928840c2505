/**
 * Three daemons that end like pods of the Helm chart. Each goes on for the seconds of `preStop`, then gets SIGTERM. The
 * balancer has no checks, and leads connections to the pod for a part of these seconds.
 * Invariant: no request fails, and every agent is back.
 */
import assert from 'node:assert/strict';
import { connect, createServer, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import {
  Cluster,
  eventually,
  freePorts,
  postgresMissing,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { readiness } from './ready-daemon.fixture.ts';
import { TwoMakers } from './two-makers.fixture.ts';

/** Milliseconds of `preStop`, and those after which the balancer leads nothing to the pod any more. */
const PRE_STOP_MS = 2_000;
const NOTICED_MS = 1_500;
const LEAVE_S = 2;
const VISITORS = 5;
const VISITS = 60;
const OWN = 4;
const STOCK = 2;

/** Leads each connection to the next endpoint, like a service of Kubernetes. */
class Endpoints {
  readonly #cluster: Cluster;
  readonly #listed = new Set<number>();
  readonly #sockets = new Set<Socket>();
  readonly #server = createServer((client) => this.#lead(client));
  #next = 0;
  port = 0;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    for (let index = 0; index < cluster.size; index += 1) this.#listed.add(index);
  }

  async start(): Promise<void> {
    [this.port = 0] = await freePorts(1);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.listen(this.port, '127.0.0.1', resolve);
    await promise;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Deletes a pod and waits for its successor: `preStop`, SIGTERM, a new process, readiness. */
  async replace(index: number): Promise<void> {
    const noticed = pause(NOTICED_MS).then(() => this.#listed.delete(index));
    await pause(PRE_STOP_MS);
    await noticed;
    await this.#cluster.restart(index);
    await eventually(async () =>
      assert.equal((await readiness(this.#cluster.node(index).platform)).status, 200),
    );
    this.#listed.add(index);
  }

  #lead(client: Socket): void {
    const listed = [...this.#listed];
    this.#next += 1;
    const { address, port } = this.#cluster.at(listed[this.#next % listed.length]!);
    const service = this.#keep(connect(port, address));
    this.#keep(client).pipe(service).pipe(client);
    client.once('close', () => service.destroy());
    service.once('close', () => client.destroy());
  }

  #keep(socket: Socket): Socket {
    this.#sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => this.#sockets.delete(socket));
    return socket;
  }
}

describe('a rolling restart of pods', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let upstream: Upstream;
  let endpoints: Endpoints;
  let agents: TwoMakers;

  before(async () => {
    cluster = await Cluster.start({
      workers: 1,
      direct: true,
      args: () => ['--leave-seconds', String(LEAVE_S)],
    });
    upstream = await startUpstream(({ headers }, answer) => answer.end(`hello from ${headers.host}`));
    endpoints = new Endpoints(cluster);
    await endpoints.start();
    const [{ ca }, { authtoken }] = [cluster.at(0), cluster.bootstrap];
    agents = new TwoMakers({ port: endpoints.port, ca, authtoken, upstream: upstream.port });
    await agents.start(OWN, STOCK, (index) => (index % 2 === 0 ? 1 : 4));
  });
  after(async () => {
    await agents?.stop();
    endpoints?.stop();
    await upstream?.stop();
    await cluster?.stop();
  });

  test('loses no request', async (context) => {
    const visits = agents.visit(VISITORS);
    for (let index = 0; index < cluster.size; index += 1) {
      await visits.more(VISITS);
      await endpoints.replace(index);
    }
    await visits.more(VISITS);
    await visits.loseNone(context);
    visits.reachAll(VISITS);
  });
});

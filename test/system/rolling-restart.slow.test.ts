/**
 * Three daemons of two workers each behind HAProxy, with agents of two makers, and with visitors all the time. First
 * the workers of each daemon are restarted, then each daemon.
 * Invariant: no request fails, and every agent is back.
 */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { connect as connectAgent } from '@underpass/agent';
import { FamilyAgent, families, localPort } from '../agents/index.ts';
import {
  Cluster,
  ClusterBalancer,
  eventually,
  postgresMissing,
  SteadyVisitors,
  startUpstream,
  type Upstream,
  until,
} from '../harness/index.ts';
import { reverseProxyMissing } from '../harness/reverse-proxies.ts';

const OWN = 14;
const STOCK = 6;
const VISITORS = 5;
/** Visits before, between and after the restarts. */
const VISITS = 100;
const DOMAIN = 'underpass.localhost';

describe('a rolling restart', { skip: postgresMissing || reverseProxyMissing('haproxy') }, () => {
  let cluster: Cluster;
  let upstream: Upstream;
  let balancer: ClusterBalancer;
  const hosts: string[] = [];
  const stops: (() => Promise<unknown>)[] = [];

  before(async () => {
    cluster = await Cluster.start({
      workers: 2,
      direct: true,
      args: () => ['--leave-seconds', '2', '--proxy-protocol-from', '127.0.0.1/32'],
    });
    upstream = await startUpstream(({ headers }, answer) => answer.end(`hello from ${headers.host}`));
    balancer = await ClusterBalancer.start(cluster);
    await eventually(async () => assert.equal(await balancer.ready(), cluster.size));
    const { port } = balancer;
    const { ca } = cluster.at(0);
    const { authtoken } = cluster.bootstrap;
    for (let n = 0; n < OWN; n += 1) {
      const host = `own-${n}.${DOMAIN}`;
      const agent = await connectAgent({ server: `connect.${DOMAIN}:${port}`, authtoken, ca });
      stops.push(() => agent.close());
      await agent.forward(upstream.port, { domain: host });
      hosts.push(host);
    }
    for (let n = 0; n < STOCK; n += 1) {
      const host = `stock-${n}.${DOMAIN}`;
      const service = { port, ca, host: `connect.${DOMAIN}` };
      const agent = await FamilyAgent.start(n % 2 === 0 ? families[0] : families[1], service, authtoken);
      stops.push(() => agent.stop());
      await agent.bind('https', localPort(upstream.port), { name: host });
      hosts.push(host);
    }
  });
  after(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await balancer?.stop();
    await upstream?.stop();
    await cluster?.stop();
  });

  /** Restarts something of each daemon in turn, while visitors come. */
  async function losesNothing(context: TestContext, restart: (index: number) => Promise<void>) {
    const visitors = new SteadyVisitors({ port: balancer.port, ca: cluster.at(0).ca });
    visitors.start(VISITORS, hosts);
    const more = async (): Promise<void> => {
      const before = visitors.served;
      await until(() => visitors.served >= before + VISITS, 'more visits');
    };
    for (let index = 0; index < cluster.size; index += 1) {
      await more();
      await restart(index);
      await eventually(async () => assert.equal(await balancer.ready(), cluster.size));
    }
    await more();
    await visitors.stop();
    const { served, retried, longestMs, lost } = visitors;
    context.diagnostic(`${served} served, ${retried} retried, the longest took ${Math.round(longestMs)} ms`);
    assert.deepEqual(lost, []);
    assert.deepEqual([...visitors.lastServed(VISITS)].sort(), [...hosts].sort(), 'every agent is back');
  }

  test('of the workers loses no request, and no connect is refused', async (context) => {
    const before = await balancer.connects();
    await losesNothing(context, (index) => cluster.restartWorkers(index));
    assert.deepEqual(await balancer.connects(), before);
  });

  test('of the daemons loses no request, and every agent is back', async (context) => {
    await losesNothing(context, (index) => cluster.restart(index));
  });
});

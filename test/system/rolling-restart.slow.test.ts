/**
 * Restarts three daemons behind HAProxy one after the other, while agents of two makers are connected and visitors come.
 * Invariant: no request fails, and every agent is back.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect as connectAgent } from '@underpass/agent';
import { FamilyAgent, families, localPort } from '../agents/index.ts';
import {
  Cluster,
  eventually,
  postgresMissing,
  startUpstream,
  type Upstream,
  until,
} from '../harness/index.ts';
import { reverseProxyMissing } from '../harness/reverse-proxies.ts';
import { type Balancer, behindBalancer, startBalancer } from './balancer.fixture.ts';
import { SteadyVisitors } from './rolling-restart.fixture.ts';

const OWN = 20;
const STOCK = 5;
const VISITORS = 5;
/** Visits before, between and after the restarts. */
const VISITS = 150;
const DOMAIN = 'underpass.localhost';

describe('a rolling restart', { skip: postgresMissing || reverseProxyMissing('haproxy') }, () => {
  let cluster: Cluster;
  let upstream: Upstream;
  let balancer: Balancer;
  let port: number;
  const stops: (() => Promise<unknown>)[] = [];

  before(async () => {
    cluster = await Cluster.start({
      args: () => ['--leave-seconds', '3', ...behindBalancer],
    });
    upstream = await startUpstream(({ headers }, answer) => answer.end(`hello from ${headers.host}`));
    balancer = await startBalancer(cluster, { sendsAddress: true });
    ({ port } = balancer);
  });
  after(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await balancer?.stop();
    await upstream?.stop();
    await cluster?.stop();
  });

  test('loses no request, and every agent is back', async (context) => {
    const { ca } = cluster.at(0);
    const { authtoken } = cluster.bootstrap;
    const hosts: string[] = [];
    for (let n = 0; n < OWN; n += 1) {
      const host = `own-${n}.${DOMAIN}`;
      const agent = await eventually(() =>
        connectAgent({ server: `connect.${DOMAIN}:${port}`, authtoken, ca }),
      );
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
    const visitors = new SteadyVisitors({ port, ca });
    visitors.start(VISITORS, hosts);
    const more = async (): Promise<void> => {
      const before = visitors.served;
      await until(() => visitors.served >= before + VISITS, 'more visits');
    };
    for (let index = 0; index < cluster.size; index += 1) {
      await more();
      await cluster.restart(index);
    }
    await more();
    await visitors.stop();
    const { served, retried, longestMs, lost } = visitors;
    context.diagnostic(`${served} served, ${retried} retried, the longest took ${Math.round(longestMs)} ms`);
    assert.deepEqual(lost, []);
    assert.deepEqual([...visitors.lastServed(VISITS)].sort(), hosts.sort(), 'every agent is back');
  });
});

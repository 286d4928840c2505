/**
 * Three daemons of two workers each behind HAProxy, with agents of two makers, and with visitors all the time. First
 * the workers of each daemon are restarted, then each daemon.
 * Invariant: no request fails, and every agent is back.
 */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import {
  Cluster,
  ClusterBalancer,
  eventually,
  postgresMissing,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { reverseProxyMissing } from '../harness/reverse-proxies.ts';
import { TwoMakers } from './two-makers.fixture.ts';

const OWN = 14;
const STOCK = 6;
const VISITORS = 5;
/** Visits before, between and after the restarts. */
const VISITS = 100;

describe('a rolling restart', { skip: postgresMissing || reverseProxyMissing('haproxy') }, () => {
  let cluster: Cluster;
  let upstream: Upstream;
  let balancer: ClusterBalancer;
  let agents: TwoMakers;

  before(async () => {
    cluster = await Cluster.start({
      workers: 2,
      direct: true,
      args: () => ['--leave-seconds', '2', '--proxy-protocol-from', '127.0.0.1/32'],
    });
    upstream = await startUpstream(({ headers }, answer) => answer.end(`hello from ${headers.host}`));
    balancer = await ClusterBalancer.start(cluster);
    await eventually(async () => assert.equal(await balancer.ready(), cluster.size));
    const [{ ca }, { authtoken }] = [cluster.at(0), cluster.bootstrap];
    agents = new TwoMakers({ port: balancer.port, ca, authtoken, upstream: upstream.port });
    await agents.start(OWN, STOCK);
  });
  after(async () => {
    await agents?.stop();
    await balancer?.stop();
    await upstream?.stop();
    await cluster?.stop();
  });

  /** Restarts something of each daemon in turn, while visitors come. */
  async function losesNothing(context: TestContext, restart: (index: number) => Promise<void>) {
    const visits = agents.visit(VISITORS);
    for (let index = 0; index < cluster.size; index += 1) {
      await visits.more(VISITS);
      await restart(index);
      await eventually(async () => assert.equal(await balancer.ready(), cluster.size));
    }
    await visits.more(VISITS);
    await visits.loseNone(context);
    visits.reachAll(VISITS);
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

/**
 * Replaces three daemons by a later build one after the other, while agents of two makers are connected and visitors
 * come. The later build speaks another version of links and has a newer schema.
 * Invariant: no request fails, and each daemon lists the same.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { connect as connectAgent } from '@underpass/agent';
import { type AgentTunnel, FamilyAgent, families, localPort } from '../agents/index.ts';
import {
  Cluster,
  ClusterBalancer,
  eventually,
  Platform,
  postgresMissing,
  SteadyVisitors,
  startUpstream,
  type Upstream,
  until,
} from '../harness/index.ts';
import { reverseProxyMissing } from '../harness/reverse-proxies.ts';
import {
  Builds,
  changesOfLinks,
  changesOfSchema,
  changesOfVersion,
  unknownThings,
} from './other-build.fixture.ts';

const OWN = 6;
const STOCK = 2;
const VISITORS = 4;
/** Visits between two steps. */
const VISITS = 40;
const DOMAIN = 'underpass.localhost';

describe('two builds side by side', { skip: postgresMissing || reverseProxyMissing('haproxy') }, () => {
  const builds = new Builds();
  let cluster: Cluster;
  let upstream: Upstream;
  let balancer: ClusterBalancer;
  let next: string;
  let visitors: SteadyVisitors;
  /** The URL of an agent that can be restarted. Visitors do not come there. */
  let restarted: string;
  const hosts: string[] = [];
  const stock: { readonly agent: FamilyAgent; readonly tunnel: AgentTunnel }[] = [];
  const stops: (() => Promise<unknown>)[] = [];

  before(async () => {
    next = builds.make([
      ...changesOfVersion('9.9.9'),
      ...changesOfLinks(2, 1),
      ...changesOfSchema,
      ...unknownThings,
    ]);
    cluster = await Cluster.start({
      args: () => ['--leave-seconds', '2'],
      through: (index) => [builds.launcher(index)],
    });
    upstream = await startUpstream(({ headers }, answer) => answer.end(`hello from ${headers.host}`));
    balancer = await ClusterBalancer.start(cluster, { sendsAddress: false });
  });
  after(async () => {
    await Promise.all(stops.map((stop) => stop()));
    await balancer?.stop();
    await upstream?.stop();
    await cluster?.stop();
    builds.remove();
  });

  async function startAgents(): Promise<void> {
    const { ca } = cluster.at(0);
    const { authtoken } = cluster.bootstrap;
    const { port } = balancer;
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
      const agent = await FamilyAgent.start(families[n % 2]!, service, authtoken);
      stops.push(() => agent.stop());
      stock.push({ agent, tunnel: await agent.bind('https', localPort(upstream.port), { name: host }) });
      hosts.push(host);
    }
    const args = ['http', String(upstream.port), '--domain', `restarted.${DOMAIN}`];
    restarted = (await cluster.node(0).platform.agent(args, { port })).url;
  }

  async function moreVisits(): Promise<void> {
    const before = visitors.served;
    await until(() => visitors.served >= before + VISITS, 'more visits');
    assert.deepEqual(visitors.lost, []);
  }

  /** Restarts a daemon with another build, or this one (null). */
  async function replace(index: number, build: string | null): Promise<void> {
    builds.use(index, build);
    await cluster.restart(index);
    await moreVisits();
    await sameLists();
  }

  async function sameLists(): Promise<void> {
    for (const path of ['/tunnel_sessions', '/tunnels', '/endpoints'])
      await eventually(async () => {
        const [first, ...others] = await Promise.all(
          cluster.nodes.map((_, index) => cluster.api(index, 'GET', path)),
        );
        assert.match(first!.text, /"id"/);
        for (const { text } of others) assert.equal(text, first!.text);
      });
  }

  const versions = async () =>
    (
      await cluster.postgres.query(
        cluster.database,
        "SELECT facts->>'version' AS version FROM underpass.nodes WHERE dead IS NULL ORDER BY incarnation",
      )
    ).map(({ version }) => version);

  async function sessionAt(index: number, url: string): Promise<string> {
    const { tunnels } = (await cluster.api(index, 'GET', '/tunnels')).json;
    return tunnels.find((one: { public_url: string }) => one.public_url === url)?.tunnel_session.id;
  }

  /** Restarts an agent through each daemon, and has stock agents change their tunnels. */
  async function throughHops(label: string): Promise<void> {
    for (const index of cluster.nodes.keys()) {
      const before = await sessionAt(index, restarted);
      const { status, text } = await cluster.api(index, 'POST', `/tunnel_sessions/${before}/restart`, {});
      assert.equal(status, 204, text);
      await eventually(async () => {
        const now = await sessionAt(index, restarted);
        assert.ok(now !== undefined && now !== before);
      });
      for (const one of cluster.nodes.keys())
        await eventually(async () =>
          assert.equal((await cluster.visit(one, new URL(restarted).hostname)).status, 200),
        );
    }
    for (const { agent, tunnel } of stock) {
      await eventually(() => agent.patch(tunnel, { Description: label }));
      for (const index of cluster.nodes.keys())
        await eventually(async () => {
          const { endpoints } = (await cluster.api(index, 'GET', '/endpoints')).json;
          const one = endpoints.find((found: { public_url: string }) => found.public_url === tunnel.url);
          assert.equal(one?.description, label);
        });
    }
  }

  test('a rolling upgrade loses no request, and can stop, restart and go back in the middle', async (context) => {
    await startAgents();
    visitors = new SteadyVisitors({ port: balancer.port, ca: cluster.at(0).ca });
    visitors.start(VISITORS, hosts);
    stops.push(() => visitors.stop());
    await moreVisits();
    await replace(0, next);
    await throughHops('one of three');
    // A daemon of the former build starts on the newer schema.
    await replace(1, null);
    assert.deepEqual((await versions()).filter((one) => one === '9.9.9').length, 1);
    await replace(1, next);
    await replace(2, next);
    assert.deepEqual(await versions(), ['9.9.9', '9.9.9', '9.9.9']);
    await replace(1, null);
    await throughHops('back');
    await visitors.stop();
    const { served, retried, longestMs, lost } = visitors;
    context.diagnostic(`${served} served, ${retried} retried, the longest took ${Math.round(longestMs)} ms`);
    assert.deepEqual(lost, []);
    for (const { agent } of stock) assert.deepEqual(agent.faults, []);
  });

  test('what the former build does not know is refused, and the newer one knows before', async () => {
    const lines = cluster.node(0).platform.daemon.lines;
    await eventually(() => {
      for (const line of [
        /^greeting of \d+: hello$/,
        /^greeting of \d+: the other daemon is of an older version/,
        /^shout of \d+: hello$/,
        /^shout of \d+: .*streamRefused/,
      ])
        assert.ok(
          lines.some((one) => line.test(one)),
          `${line}`,
        );
    });
  });

  test('an agent stops through a daemon of the other build', async () => {
    const { agent } = stock[0]!;
    for (const [index, { tunnel }] of stock.entries()) {
      const id = await sessionAt(index, tunnel.url);
      const { status, text } = await cluster.api(index, 'POST', `/tunnel_sessions/${id}/stop`, {});
      assert.equal(status, 204, text);
    }
    await eventually(() => assert.equal(agent.isOnline, false));
  });

  test('a build without a common version of links does not start, and names both versions', async () => {
    const later = builds.make([...changesOfLinks(4, 3), ...changesOfSchema]);
    const launcher = builds.launcher(cluster.size);
    builds.use(cluster.size, later);
    const through = ['env', `UNDERPASS_MASTER_KEY=${cluster.masterKey}`, launcher];
    await assert.rejects(
      Platform.start({ args: ['--database', cluster.database], through }),
      /speaks versions? 1( to 2)? of links, and this one versions 3 to 4: upgrade it .*or stop it/,
    );
  });
});

/**
 * Replaces three daemons by a later build one after the other, while agents of two makers are connected and visitors
 * come. The later build speaks another version of links and has a newer schema.
 * Invariant: no request fails, and each daemon lists the same.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  Cluster,
  ClusterBalancer,
  eventually,
  Platform,
  postgresMissing,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';
import { reverseProxyMissing } from '../harness/reverse-proxies.ts';
import {
  Builds,
  changesOfLinks,
  changesOfSchema,
  changesOfVersion,
  unknownThings,
} from './other-build.fixture.ts';
import { TwoMakers, type VisitsOfAll } from './two-makers.fixture.ts';

const OWN = 6;
const STOCK = 2;
const VISITORS = 4;
/** Visits between two steps. */
const VISITS = 40;

describe('two builds side by side', { skip: postgresMissing || reverseProxyMissing('haproxy') }, () => {
  const builds = new Builds();
  let cluster: Cluster;
  let upstream: Upstream;
  let balancer: ClusterBalancer;
  let next: string;
  let agents: TwoMakers;
  let visits: VisitsOfAll;
  /** The URL of an agent that can be restarted. Visitors do not come there. */
  let restarted: string;

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
    await agents?.stop();
    await balancer?.stop();
    await upstream?.stop();
    await cluster?.stop();
    builds.remove();
  });

  async function startAgents(): Promise<void> {
    const [{ ca }, { authtoken }] = [cluster.at(0), cluster.bootstrap];
    const { port } = balancer;
    agents = new TwoMakers({ port, ca, authtoken, upstream: upstream.port });
    await agents.start(OWN, STOCK);
    const args = ['http', String(upstream.port), '--domain', 'restarted.underpass.localhost'];
    restarted = (await cluster.node(0).platform.agent(args, { port })).url;
  }

  /** Restarts a daemon with another build, or this one (null). */
  async function replace(index: number, build: string | null): Promise<void> {
    builds.use(index, build);
    await cluster.restart(index);
    await visits.more(VISITS);
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
    for (const { agent, tunnel } of agents.stock) {
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
    visits = agents.visit(VISITORS);
    await visits.more(VISITS);
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
    await visits.loseNone(context);
    for (const { agent } of agents.stock) assert.deepEqual(agent.faults, []);
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
    const { agent } = agents.stock[0]!;
    for (const [index, { tunnel }] of agents.stock.entries()) {
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

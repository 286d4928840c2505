/** Daemons that lose the database: one of three, which is isolated, and all of them, which go on. */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { createSecureContext } from 'node:tls';
import {
  Cluster,
  eventually,
  postgresMissing,
  startUpstream,
  type Upstream,
  underpassd,
  until,
} from '../harness/index.ts';
import { KeptVisitor } from './kept-visitor.fixture.ts';
import { Balancer, readiness } from './ready-daemon.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

/** Seconds after which a daemon is isolated, and milliseconds in which it certainly is. */
const ISOLATE_S = 20;
const ISOLATED_MS = 50_000;
/** Milliseconds between two rounds of visits. */
const ROUND_MS = 300;
/** The path of a response that does not end. */
const OPEN = '/open';
const HELD = 'ERR_SERVICE_60303';
const ISOLATED_FOR_VISITORS = 'ERR_SERVICE_60852';

const nameOf = (label: string): string => `${label}.underpass.localhost`;
const daemonArgs = (index: number): readonly string[] => [
  ...['--node-name', `node-${index}`, '--isolate-seconds', String(ISOLATE_S)],
];

async function isolatedIn(cluster: Cluster, index: number): Promise<number> {
  const { adminPort } = cluster.node(index).platform;
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  return Number(/^underpass_isolated (\d)$/m.exec(metrics)?.[1]);
}

async function isServed(cluster: Cluster, index: number, label: string): Promise<void> {
  const { status, text } = await cluster.visit(index, nameOf(label));
  assert.deepEqual([status, text], [200, 'served'], `${label} at ${index}`);
}

async function statesOf(cluster: Cluster): Promise<readonly string[]> {
  const { json } = await underpassd(['nodes', '--json', '--database', cluster.database]);
  const nodes = json.nodes as { name: string; state: string }[];
  return nodes.map(({ name, state }) => `${name} ${state}`).sort();
}

/** The reason why a daemon does not take an agent; '' if it does. */
async function refusalAt(cluster: Cluster, index: number): Promise<string> {
  try {
    const agent = await StockAgent.connect(cluster.at(index), (_, response) => response.end());
    await agent.stop();
    return '';
  } catch (error) {
    return String(error);
  }
}

/** Resolves when the next visits are due. */
async function nextRound(): Promise<void> {
  const due = performance.now() + ROUND_MS;
  await until(() => performance.now() >= due);
}

/** A kept connection to the first daemon. */
async function visitorOf(context: TestContext, cluster: Cluster, label: string): Promise<KeptVisitor> {
  const { address, ca } = cluster.node(0).platform;
  const visitor = await KeptVisitor.connect({
    ...{ port: cluster.port, host: nameOf(label), address },
    secureContext: createSecureContext({ ca }),
  });
  context.after(() => visitor.close());
  return visitor;
}

describe('a cluster that loses the database', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let balancer: Balancer;
  let upstream: Upstream;

  before(async () => {
    cluster = await Cluster.start({ args: daemonArgs });
    balancer = await Balancer.start(cluster);
    upstream = await startUpstream((_, answer) => answer.end('served'));
  });
  after(async () => {
    await cluster?.stop();
    balancer?.stop();
    await upstream?.stop();
  });

  test('one that alone is cut off serves nothing, its agents serve through others, and it returns', async (context) => {
    const { platform } = cluster.node(0);
    const agentOf = (label: string, port?: number) =>
      platform.agent(['http', String(upstream.port), '--domain', nameOf(label)], port ? { port } : {});
    await agentOf('moves', balancer.port);
    // This agent knows no other address than that of the daemon.
    await agentOf('waits');
    const elsewhere = await StockAgent.connect(cluster.at(1), ({ url }, response) => {
      if (url === OPEN) response.writeHead(200, { 'content-length': 1_000 }).write('an open stream');
      else response.end('served');
    });
    context.after(() => elsewhere.stop());
    await elsewhere.bind({}, { Name: nameOf('stays') });
    for (const label of ['moves', 'waits', 'stays'])
      for (const index of [0, 1, 2]) await eventually(() => isServed(cluster, index, label));
    const [kept, open] = [
      await visitorOf(context, cluster, 'stays'),
      await visitorOf(context, cluster, 'stays'),
    ];
    assert.equal((await kept.get('/'))?.status, 200);
    const streamed = open.get(OPEN);

    context.after(() => cluster.reconnect(0));
    cluster.disconnect(0);
    await eventually(async () => assert.equal(await isolatedIn(cluster, 0), 1), ISOLATED_MS);
    assert.equal(await streamed, null, 'an open stream ends');
    assert.equal((await kept.get('/'))?.code, ISOLATED_FOR_VISITORS);
    for (const label of ['moves', 'waits', 'stays', 'unknown']) {
      const { status, text } = await cluster.visit(0, nameOf(label));
      assert.equal(status, 503);
      assert.match(text, new RegExp(ISOLATED_FOR_VISITORS));
    }
    const { status, text } = await readiness(platform);
    assert.equal(status, 503);
    assert.match(text, /"reason":"isolated","message":"this daemon does not reach the database, and another/);
    assert.match(platform.daemon.output, /isolated: this daemon alone does not reach the database/);
    for (const index of [1, 2]) await eventually(() => isServed(cluster, index, 'moves'));
    assert.match(await refusalAt(cluster, 0), /ERR_SERVICE_60851/);
    // The name of an agent that waits for the daemon stays with its credential.
    const { json: other } = await cluster.api(1, 'POST', '/credentials', {});
    const rival = await StockAgent.connect(cluster.at(1), () => {}, { token: other.token as string });
    context.after(() => rival.stop());
    assert.match(await rival.refusal({}, { Name: nameOf('waits') }), new RegExp(HELD));
    await eventually(async () =>
      assert.deepEqual(await statesOf(cluster), ['node-0 isolated', 'node-1 ready', 'node-2 ready']),
    );
    assert.deepEqual([await isolatedIn(cluster, 1), await isolatedIn(cluster, 2)], [0, 0]);

    cluster.reconnect(0);
    await eventually(async () => assert.equal((await readiness(platform)).status, 200));
    assert.equal(await isolatedIn(cluster, 0), 0);
    assert.equal(await refusalAt(cluster, 0), '');
    for (const label of ['moves', 'stays', 'waits'])
      for (const index of [0, 1, 2]) await eventually(() => isServed(cluster, index, label));
    await eventually(async () => {
      const states = await statesOf(cluster);
      assert.deepEqual(states, ['node-0 dead', 'node-0 ready', 'node-1 ready', 'node-2 ready']);
    });
    assert.equal((await kept.get('/'))?.status, 200);
  });

  test('one that stands still for longer is not isolated when it goes on', async () => {
    cluster.freeze(2);
    const end = performance.now() + (ISOLATE_S + 5) * 1_000;
    while (performance.now() < end) {
      await isServed(cluster, 1, 'moves');
      await nextRound();
    }
    cluster.thaw(2);
    const { platform } = cluster.node(2);
    await eventually(async () => assert.equal((await readiness(platform)).status, 200));
    await eventually(() => isServed(cluster, 2, 'moves'));
    assert.doesNotMatch(platform.daemon.output, /isolated/);
  });

  test('none is isolated while the database is away for all, and all tunnels are served', async () => {
    const indexes = [0, 1, 2];
    for (const index of indexes) cluster.disconnect(index);
    const end = performance.now() + 1.4 * ISOLATE_S * 1_000;
    while (performance.now() < end) {
      for (const index of indexes) {
        for (const label of ['moves', 'waits']) await isServed(cluster, index, label);
        assert.equal(await isolatedIn(cluster, index), 0);
      }
      await nextRound();
    }
    for (const index of indexes) cluster.reconnect(index);
    for (const index of indexes)
      await eventually(async () => assert.equal((await readiness(cluster.node(index).platform)).status, 200));
    const living = ['node-0 ready', 'node-1 ready', 'node-2 ready'];
    await eventually(async () =>
      assert.deepEqual(
        (await statesOf(cluster)).filter((state) => !state.endsWith(' dead')),
        living,
      ),
    );
    for (const index of [1, 2])
      assert.doesNotMatch(
        cluster.node(index).platform.daemon.output,
        /isolated/,
        'none was isolated at any time',
      );
  });
});

describe('a daemon whose links are cut together with its database', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  before(async () => {
    cluster = await Cluster.start({ daemons: 2, apart: true, args: daemonArgs });
  });
  after(() => cluster?.stop());

  test('is not isolated, and serves its own tunnels', async (context) => {
    const agent = await StockAgent.connect(cluster.at(0), (_, response) => response.end('served'));
    context.after(() => agent.stop());
    await agent.bind({}, { Name: nameOf('alone') });
    for (const index of [0, 1]) await eventually(() => isServed(cluster, index, 'alone'));
    for (const { links } of cluster.nodes) {
      links?.lead(null);
      links?.cut();
    }
    cluster.disconnect(0);
    const end = performance.now() + 1.4 * ISOLATE_S * 1_000;
    while (performance.now() < end) {
      await isServed(cluster, 0, 'alone');
      assert.equal(await isolatedIn(cluster, 0), 0);
      await nextRound();
    }
    cluster.reconnect(0);
    await isServed(cluster, 0, 'alone');
  });
});

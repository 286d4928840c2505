/** A daemon of several leaves after SIGTERM: its agents go to another one while it serves visitors. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import {
  Cluster,
  eventually,
  Platform,
  postgresMissing,
  startUpstream,
  type Upstream,
  underpassd,
  until,
} from '../harness/index.ts';
import { Balancer } from './ready-daemon.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

const NAMES = ['one', 'two', 'three'].map((label) => `${label}.underpass.localhost`);

describe('a daemon of several that stops', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let balancer: Balancer;
  let upstream: Upstream;

  before(async () => {
    const named = (index: number) => ['--node-name', index === 0 ? 'first' : 'second'];
    cluster = await Cluster.start({
      daemons: 2,
      // Without the test's signals, it would not end in time.
      args: (index) => [...named(index), '--leave-seconds', index === 0 ? '2' : '600'],
    });
    balancer = await Balancer.start(cluster);
    upstream = await startUpstream((_, answer) => answer.end('served'));
  });
  after(async () => {
    for (const { platform } of cluster?.nodes ?? []) platform.daemon.signal('SIGKILL');
    await cluster?.stop();
    balancer?.stop();
    await upstream?.stop();
  });

  /** State and tunnels of a daemon that may live, as another process sees it. */
  async function listed(name: string): Promise<readonly [state: string, tunnels: number] | null> {
    const { json } = await underpassd(['nodes', '--json', '--database', cluster.database]);
    const nodes = json.nodes as { name: string; state: string; tunnels: number }[];
    const node = nodes.find((one) => one.name === name && one.state !== 'dead');
    return node === undefined ? null : [node.state, node.tunnels];
  }

  test('is marked, not ready, and serves visitors until its agents have gone', async () => {
    const { platform: first } = cluster.node(0);
    for (const name of NAMES)
      await first.agent(['http', String(upstream.port), '--domain', name], { port: balancer.port });
    assert.deepEqual(await listed('first'), ['ready', 3]);

    first.daemon.signal('SIGTERM');
    await eventually(async () => {
      const response = await fetch(`http://127.0.0.1:${first.adminPort}/readyz`);
      assert.equal(response.status, 503);
      assert.match(await response.text(), /"reason":"draining"/);
    });
    await eventually(async () => assert.equal((await listed('first'))?.[0], 'draining'));
    // It accepts connections.
    assert.equal((await cluster.visit(0, NAMES[2]!)).text, 'served');

    const { code } = await first.daemon.exited;
    assert.equal(code, 0, first.daemon.output);
    assert.match(first.daemon.output, /this daemon stops: its agents go to other ones/);
    await eventually(async () => assert.deepEqual(await listed('second'), ['ready', 3]));
    assert.equal(await listed('first'), null);
    for (const name of NAMES)
      await eventually(async () => assert.equal((await cluster.visit(1, name)).text, 'served'));
  });

  test('waits for nothing if no other daemon is left', async () => {
    const { platform: second } = cluster.node(1);
    second.daemon.signal('SIGTERM');
    assert.equal((await second.daemon.exited).code, 0);
    assert.doesNotMatch(second.daemon.output, /its agents go to other ones/);
    assert.equal(await listed('second'), null);
  });

  test('waits no longer once the others leave, too', async () => {
    await Promise.all([cluster.restart(0), cluster.restart(1)]);
    const [first, second] = cluster.nodes.map(({ platform }) => platform);
    // Each knows the other, and has a link.
    for (const { adminPort } of [first!, second!])
      await eventually(async () => {
        const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
        assert.match(metrics, /^underpass_links\S* 1$/m);
      });
    second!.daemon.signal('SIGTERM');
    await second!.daemon.line(/its agents go to other ones/);
    first!.daemon.signal('SIGTERM');
    assert.equal((await second!.daemon.exited).code, 0);
    assert.equal((await first!.daemon.exited).code, 0);
  });
});

describe('a daemon that sends its agents away while requests are under way', {
  skip: postgresMissing,
}, () => {
  test('lets them finish, at its own visitors and at those of another daemon', async () => {
    const cluster = await Cluster.start({ daemons: 2 });
    const answers: ServerResponse[] = [];
    const upstream = await startUpstream(({ method }, answer) => {
      if (method === 'POST') answers.push(answer);
      else answer.end();
    });
    try {
      const [name] = NAMES;
      const { platform: first } = cluster.node(0);
      await first.agent(['http', String(upstream.port), '--domain', name!]);
      await eventually(async () => {
        const { status } = await cluster.visit(1, name!, { method: 'HEAD' });
        assert.equal(status, 200);
      });
      // No request is sent again, so what is cut is lost.
      const visits = [0, 1].map((index) => cluster.visit(index, name!, { method: 'POST' }));
      await until(() => answers.length === 2);
      first.daemon.signal('SIGTERM');
      await first.daemon.line(/this daemon stops: its agents go to other ones/);
      for (const answer of answers) answer.end('served');
      for (const visit of visits) assert.equal((await visit).text, 'served');
      assert.equal((await first.daemon.exited).code, 0);
    } finally {
      await cluster.stop();
      await upstream.stop();
    }
  });
});

test('a daemon that starts has visitors wait for agents that are on their way', {
  skip: postgresMissing,
}, async () => {
  const cluster = await Cluster.start({ daemons: 1 });
  try {
    const connect = () => StockAgent.connect(cluster.at(0), (_, response) => response.end('served'));
    const name = { Name: NAMES[0]! };
    const agent = await connect();
    await agent.bind({}, name);
    await agent.stop();
    await cluster.add();
    const visit = cluster.visit(1, NAMES[0]!);
    // Names that are not held get their response at once.
    for (const name of ['no.underpass.localhost', 'none.underpass.localhost'])
      assert.equal((await cluster.visit(1, name)).status, 404);
    const next = await connect();
    await next.bind({}, name);
    const { status, text } = await visit;
    assert.deepEqual([status, text], [200, 'served']);
    await next.stop();
  } finally {
    await cluster.stop();
  }
});

test('visitors of a daemon that stops are not cut while their agent is on its way', {
  skip: postgresMissing,
}, async () => {
  const cluster = await Cluster.start({ daemons: 2, args: () => ['--drain-seconds', '30'] });
  try {
    const connect = (index: number) =>
      StockAgent.connect(cluster.at(index), (_, response) => response.end('served'));
    const name = { Name: NAMES[0]! };
    const agent = await connect(0);
    await agent.bind({}, name);
    await agent.stop();
    const visit = cluster.visit(0, NAMES[0]!);
    assert.equal((await cluster.visit(0, 'no.underpass.localhost')).status, 404);
    cluster.node(0).platform.daemon.signal('SIGTERM');
    // Longer than accepted connections have for their handshakes.
    const stopped = performance.now();
    await until(() => performance.now() > stopped + 3_000);
    const next = await connect(1);
    await next.bind({}, name);
    const { status, text } = await visit;
    assert.deepEqual([status, text], [200, 'served']);
    assert.equal((await cluster.node(0).platform.daemon.exited).code, 0);
    await next.stop();
  } finally {
    await cluster.stop();
  }
});

test('a daemon that is alone stops at once', async () => {
  const platform = await Platform.start({ args: ['--leave-seconds', '600'] });
  platform.daemon.signal('SIGTERM');
  assert.equal((await platform.daemon.exited).code, 0);
  await platform.stop();
});

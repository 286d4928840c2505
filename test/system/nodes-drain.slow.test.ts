/** An operator drains a daemon: its agents go to another one with their names, and visitors are served. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import {
  Cluster,
  eventually,
  freePorts,
  postgresMissing,
  startUpstream,
  type Upstream,
  underpassd,
} from '../harness/index.ts';
import { Balancer, readiness } from './ready-daemon.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

interface Listed {
  readonly name: string;
  readonly state: string;
  readonly agents: number;
  readonly tunnels: number;
}

/** All that an SSH client gets that sends nothing but its version. */
async function greetingAt(port: number): Promise<string> {
  const socket = connect(port, '127.0.0.1', () => socket.write('SSH-2.0-test\r\n'));
  let received = '';
  socket.on('data', (bytes) => {
    received += bytes.toString('latin1');
  });
  await once(socket, 'close');
  return received;
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

describe('underpassd nodes drain', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let balancer: Balancer;
  let port: number;
  /** SSH port of the second daemon. */
  let sshPort: number;
  let upstream: Upstream;

  before(async () => {
    const ports = await freePorts(2);
    const ssh = (index: number) => ['--ssh-listen', `127.0.0.1:${ports[index]}`];
    sshPort = ports[1] ?? 0;
    const named = (index: number) => ['--node-name', index === 0 ? 'first' : 'second'];
    cluster = await Cluster.start({
      daemons: 2,
      args: (index) => [...named(index), ...ssh(index), '--leave-seconds', '1'],
    });
    balancer = await Balancer.start(cluster);
    port = balancer.port;
    upstream = await startUpstream((_, answer) => answer.end('served'));
  });
  after(async () => {
    await cluster?.stop();
    balancer?.stop();
    await upstream?.stop();
  });

  const nodes = (...args: string[]) => underpassd(['nodes', ...args, '--database', cluster.database]);

  /** The daemons that may live, by their names. */
  async function listed(): Promise<Readonly<Record<string, Listed>>> {
    const { json, stderr } = await nodes('--json');
    assert.equal(stderr, '');
    const living = (json.nodes as Listed[]).filter(({ state }) => state !== 'dead');
    return Object.fromEntries(living.map((node) => [node.name, node]));
  }

  /** Tunnels of agents that are connected to a daemon. */
  async function tunnelsAt(index: number): Promise<number> {
    const { adminPort } = cluster.node(index).platform;
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    return Number(/^underpass_tunnels (\d+)$/m.exec(metrics)?.[1]);
  }

  const drained = async (name: string) => {
    const { code, stderr, stdout } = await nodes('drain', name);
    assert.deepEqual([code, stderr], [0, '']);
    assert.match(stdout, new RegExp(`^${name} drains`));
  };

  test('agents go to the other daemon with their names, and come again after --undo', async () => {
    const names = ['one', 'two', 'three'].map((label) => `${label}.underpass.localhost`);
    const { platform: first } = cluster.node(0);
    for (const name of names) await first.agent(['http', String(upstream.port), '--domain', name], { port });
    assert.deepEqual([await tunnelsAt(0), await tunnelsAt(1)], [3, 0]);

    await drained('first');
    await eventually(async () => {
      const { status, text } = await readiness(first);
      assert.equal(status, 503);
      assert.match(text, /"reason":"draining","message":"an operator drains this daemon/);
    });
    await eventually(async () => assert.equal(await tunnelsAt(1), 3));
    await eventually(async () => assert.equal(await tunnelsAt(0), 0));
    await eventually(async () => {
      const nodes = await listed();
      assert.deepEqual([nodes.first?.state, nodes.first?.agents, nodes.first?.tunnels], ['draining', 0, 0]);
      assert.deepEqual([nodes.second?.state, nodes.second?.agents, nodes.second?.tunnels], ['ready', 3, 3]);
    });
    for (const index of [0, 1])
      for (const name of names)
        await eventually(async () => assert.equal((await cluster.visit(index, name)).text, 'served'));
    const { stdout } = await nodes();
    assert.match(stdout, /^first +draining /m);
    assert.match(stdout, /^second +ready /m);

    const undone = await nodes('drain', 'first', '--undo');
    assert.deepEqual([undone.code, undone.stdout], [0, 'first no longer drains: agents may come to it.\n']);
    await eventually(async () => assert.equal((await readiness(first)).status, 200));
    await drained('second');
    await eventually(async () => assert.equal(await tunnelsAt(0), 3));
    await nodes('drain', 'second', '--undo');
  });

  test('an agent that comes to a drained daemon in the end is sent away, and taken after --undo', async () => {
    await drained('second');
    await eventually(async () => assert.match(await refusalAt(cluster, 1), /ERR_SERVICE_60319/));
    assert.match(await greetingAt(sshPort), /sends its agents to another daemon\. .*ERR_SERVICE_60319/);
    await nodes('drain', 'second', '--undo');
    await eventually(async () => assert.equal(await refusalAt(cluster, 1), ''));
  });

  test('the last daemon is drained with --force only, and a restart ends it', async () => {
    await drained('first');
    const refused = await nodes('drain', 'second');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^underpassd: no other daemon takes the agents of second: .*--force/);
    assert.equal((await listed()).second?.state, 'ready');
    assert.equal((await nodes('drain', 'second', '--force')).code, 0);
    await cluster.restart(0);
    await cluster.restart(1);
    for (const index of [0, 1]) {
      const { platform } = cluster.node(index);
      await eventually(async () => assert.equal((await readiness(platform)).status, 200));
    }
    const { first, second } = await listed();
    assert.deepEqual([first?.state, second?.state], ['ready', 'ready']);
  });

  test('names that are not there are refused with those that are', async () => {
    const { code, stderr } = await nodes('drain', 'third');
    assert.equal(code, 1);
    assert.match(
      stderr,
      /no daemon of this database is called third: give one of (first, second|second, first)/,
    );
    const missing = await nodes('drain');
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /the argument <node> is missing/);
  });
});

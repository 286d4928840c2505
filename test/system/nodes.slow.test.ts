/** Daemons of one database have names, which logs, metrics and the API show. */
import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { Cluster, eventually, type Platform, postgresMissing, underpassd } from '../harness/index.ts';
import { StockAgent } from './stock-agent.fixture.ts';

describe('the names of daemons', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let first: Platform;
  let second: Platform;

  before(async () => {
    const named = ['--node-name', 'second'];
    cluster = await Cluster.start({ daemons: 2, args: (index) => (index === 0 ? [] : named) });
    [first, second] = [cluster.node(0).platform, cluster.node(1).platform];
  });
  after(() => cluster?.stop());

  /** The name of a daemon without `--node-name`. */
  const usual = () => `${hostname()}:${cluster.port}`;

  /** The daemons in a list that a daemon returns. */
  async function nodesOf(index: number, kind: string): Promise<readonly string[]> {
    const { json } = await cluster.api(index, 'GET', `/${kind}`);
    return (json[kind] as { node: string }[]).map(({ node }) => node);
  }

  async function metrics({ adminPort }: Platform): Promise<string> {
    return await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
  }

  test('sessions, tunnels and endpoints are shown with the daemon that their agent is connected to', async (context) => {
    for (const [index, name] of [usual(), 'second'].entries()) {
      const agent = await StockAgent.connect(cluster.at(index), (_, response) => response.end());
      context.after(() => agent.stop());
      await agent.bind({}, { Name: `read${index}.underpass.localhost` });
      for (const kind of ['tunnel_sessions', 'tunnels', 'endpoints'])
        assert.ok((await nodesOf(index, kind)).includes(name), kind);
    }
    for (const index of [0, 1])
      for (const kind of ['tunnel_sessions', 'tunnels', 'endpoints'])
        await eventually(async () =>
          assert.deepEqual([...(await nodesOf(index, kind))].sort(), [usual(), 'second'].sort()),
        );
  });

  test('metrics have the name and the incarnation, and the number of daemons that live', async () => {
    const { json } = await underpassd(['nodes', '--json', '--database', cluster.database]);
    const incarnations = (json.nodes as { incarnation: number }[]).map(({ incarnation }) => incarnation);
    const seen: string[] = [];
    for (const [daemon, name] of [
      [first, usual()],
      [second, 'second'],
    ] as const) {
      await eventually(async () => assert.match(await metrics(daemon), /^underpass_nodes 2$/m));
      const info = /^underpass_node_info\{node="([^"]*)",incarnation="(\d+)"\} 1$/m;
      const [, shown, incarnation = ''] = info.exec(await metrics(daemon)) ?? [];
      assert.equal(shown, name);
      seen.push(incarnation);
    }
    assert.deepEqual(seen.sort(), incarnations.map(String).sort());
  });

  test('each line of the log has the name, also after a restart', async () => {
    for (const index of [0, 1]) await cluster.restart(index);
    for (const [daemon, name] of [
      [first, usual()],
      [second, 'second'],
    ] as const) {
      const lines = daemon.daemon.lines.filter((line) => line.startsWith('{'));
      assert.ok(lines.length > 0);
      for (const line of lines) assert.equal(JSON.parse(line).node, name, line);
    }
  });
});

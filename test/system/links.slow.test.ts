import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { Cluster, type ClusterOptions, eventually, freePorts, postgresMissing } from '../harness/index.ts';
import { StockAgent } from './stock-agent.fixture.ts';

interface Link {
  readonly socket: string | null;
  readonly address: string | null;
}

async function linksOf(cluster: Cluster): Promise<readonly Link[]> {
  const sql = `SELECT facts->'link' AS link FROM underpass.nodes WHERE dead IS NULL ORDER BY started`;
  return (await cluster.postgres.query(cluster.database, sql)).map(({ link }) => link as Link);
}

/** A folder whose sockets have paths that are too long. */
const LONG = `TMPDIR=/tmp/${'./'.repeat(60)}`;

const kinds: readonly (readonly [string, () => Promise<ClusterOptions>])[] = [
  ['on one machine', async () => ({ daemons: 2 })],
  [
    'without a common machine',
    async () => {
      const ports = await freePorts(2);
      const args = (index: number) => ['--link-listen', `127.0.0.${index + 1}:${ports[index]}`];
      return { daemons: 2, args, env: () => [LONG] };
    },
  ],
];

for (const [name, options] of kinds)
  describe(`links of daemons ${name}`, { skip: postgresMissing }, () => {
    let cluster: Cluster;
    before(async () => {
      cluster = await Cluster.start(await options());
    });
    after(() => cluster?.stop());

    test('bring visitors of each daemon to the tunnels of the other one', async (context) => {
      for (const [here, there] of [
        [0, 1],
        [1, 0],
      ] as const) {
        const host = `linked-${here}.underpass.localhost`;
        const agent = await StockAgent.connect(cluster.at(here), (_, response) => response.end(host));
        context.after(() => agent.stop());
        await agent.bind({}, { Name: host });
        await eventually(async () => assert.equal((await cluster.visit(there, host)).text, host));
      }
    });

    test('are counted', async () => {
      for (const index of [0, 1]) {
        const url = `http://127.0.0.1:${cluster.node(index).platform.adminPort}/metrics`;
        await eventually(async () => assert.match(await (await fetch(url)).text(), /^underpass_links 1$/m));
      }
    });

    test('come back after a restart, and leave no socket', async (context) => {
      const host = 'back.underpass.localhost';
      const agent = await StockAgent.connect(cluster.at(0), (_, response) => response.end(host));
      context.after(() => agent.stop());
      await agent.bind({}, { Name: host });
      const [, before] = await linksOf(cluster);
      await cluster.restart(1);
      await eventually(async () => assert.equal((await cluster.visit(1, host)).text, host));
      const [, now] = await linksOf(cluster);
      assert.notDeepEqual(before?.socket ?? 'none', now?.socket);
      if (before?.socket != null) assert.equal(existsSync(dirname(before.socket)), false);
    });
  });

/** Series of two daemons on one database: they add up, and those of a daemon that has stopped stay. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Cluster, eventually, postgresMissing } from '../harness/index.ts';
import { fixedEdge } from './attacks.fixture.ts';

const HOST = 'counted.underpass.localhost';
/** A span up to the running step. */
const NOW = 'until=2100-01-01T00:00:00Z';

describe('series of two daemons', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let edge: string;

  before(async () => {
    cluster = await Cluster.start({ daemons: 2 });
    ({ edgeId: edge } = await fixedEdge(cluster.node(0).platform, 'counted', 'here'));
    for (const [index, visits] of [3, 4].entries())
      for (let times = 0; times < visits; times += 1)
        await eventually(async () => assert.equal((await cluster.visit(index, HOST)).text, 'here'));
  });
  after(() => cluster?.stop());

  async function sumAt(index: number, resolution: string): Promise<number> {
    const path = `/traffic/series?by=edge&id=${edge}&resolution=${resolution}&${NOW}`;
    const { status, json } = await cluster.api(index, 'GET', path);
    assert.equal(status, 200, JSON.stringify(json));
    return json.requests_2xx.reduce((sum: number, one: number) => sum + one, 0);
  }

  test('each daemon has the sum of both, in each resolution', async () => {
    for (const index of [0, 1])
      for (const resolution of ['1s', '1m', '1h'])
        await eventually(async () => assert.equal(await sumAt(index, resolution), 7));
  });

  test('a daemon that has stopped leaves its minutes and hours, and a restarted one has all', async () => {
    await cluster.node(1).platform.daemon.stop();
    for (const resolution of ['1m', '1h']) assert.equal(await sumAt(0, resolution), 7);
    await cluster.restart(1);
    for (const resolution of ['1m', '1h'])
      await eventually(async () => assert.equal(await sumAt(1, resolution), 7));
  });

  test('a daemon without a link is reported, and what it has written counts', async () => {
    await cluster.kill(1);
    const path = `/traffic/series?${NOW}`;
    await eventually(async () => {
      const { status, headers } = await cluster.api(0, 'GET', path);
      assert.deepEqual([status, headers['unreachable-nodes']], [200, '1']);
    });
    for (const resolution of ['1m', '1h']) assert.equal(await sumAt(0, resolution), 7);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { StockAgent } from '../system/stock-agent.fixture.ts';
import { Cluster } from './cluster.ts';
import { postgresMissing } from './postgres.ts';
import { eventually } from './until.ts';

describe('a cluster of the harness', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  before(async () => {
    cluster = await Cluster.start({ daemons: 2 });
  });
  after(() => cluster?.stop());

  const visited = async (index: number, name: string): Promise<string> =>
    (await cluster.visit(index, name)).text;

  test('has agents and visitors at each daemon, and one API', async (context) => {
    for (const index of [0, 1]) {
      const name = `at-${index}.underpass.localhost`;
      const agent = await StockAgent.connect(cluster.at(index), (_, response) => response.end(name));
      context.after(() => agent.stop());
      const { url } = await agent.bind({}, { Name: name });
      assert.equal(url, `https://${name}:${cluster.port}`);
      assert.equal(await visited(index, name), name);
      assert.equal((await cluster.api(index, 'GET', '/reserved_domains')).status, 200);
    }
  });

  test('has a network to the database that can be held in one direction', async (context) => {
    const { relay } = cluster.node(1);
    context.after(() => cluster.reconnect(1));
    for (const way of ['there', 'back'] as const) {
      relay.hold(way);
      let isDone = false;
      const made = cluster.api(1, 'POST', '/reserved_domains', { name: `held-${way}` }).then((answer) => {
        isDone = true;
        return answer;
      });
      assert.equal((await cluster.api(0, 'POST', '/reserved_domains', { name: `free-${way}` })).status, 201);
      assert.equal(isDone, false);
      relay.release();
      assert.equal((await made).status, 201);
    }
  });

  test('has daemons that are frozen, killed and restarted, and database connections that are cut', async (context) => {
    cluster.freeze(1);
    context.after(() => cluster.thaw(1));
    let isDone = false;
    const late = cluster.visit(1, 'nothing.underpass.localhost').then(({ status }) => {
      isDone = true;
      return status;
    });
    assert.equal((await cluster.visit(0, 'nothing.underpass.localhost')).status, 404);
    assert.equal(isDone, false);
    cluster.thaw(1);
    assert.equal(await late, 404);
    await cluster.kill(1);
    await assert.rejects(cluster.visit(1, 'nothing.underpass.localhost'));
    await cluster.restart(1);
    assert.equal((await cluster.visit(1, 'nothing.underpass.localhost')).status, 404);
    cluster.disconnect(1);
    await eventually(async () => {
      assert.equal((await cluster.api(1, 'POST', '/reserved_domains', { name: 'away' })).status, 503);
    });
    cluster.reconnect(1);
    await eventually(async () => {
      assert.equal((await cluster.api(1, 'POST', '/reserved_domains', { name: 'back' })).status, 201);
    });
  });
});

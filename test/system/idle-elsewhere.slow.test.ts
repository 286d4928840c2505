/** Idle streams that another daemon keeps to an agent, and visitors of the agent's own daemon. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { after, before, describe, test } from 'node:test';
import {
  eventually,
  Platform,
  Postgres,
  postgresMissing,
  shareMasterKey,
  Visitor,
} from '../harness/index.ts';
import { StockAgent } from './stock-agent.fixture.ts';

shareMasterKey();

/** Half of the streams of a known agent: the most that one address gets. */
const SHARE = 240;

describe('idle streams of another daemon', { skip: postgresMissing }, () => {
  let server: Postgres;
  let near: Platform;
  let far: Platform;

  before(async () => {
    server = await Postgres.shared();
    const args = ['--database', await server.database()];
    near = await Platform.start({ args });
    far = await Platform.start({ args });
  });
  after(async () => {
    await Promise.all([near?.stop(), far?.stop()]);
    await server?.stop();
  });

  test('an address that has used its share at one daemon is served at the other one afterwards', async () => {
    const name = 'idle.underpass.localhost';
    const held: ServerResponse[] = [];
    let holds = false;
    const agent = await StockAgent.connect(near, (_, response) => {
      if (holds) held.push(response);
      else response.end('served');
    });
    await agent.bind({}, { Name: name });
    await eventually(async () => assert.equal((await far.visit(name)).status, 200));
    const visitor = ({ port }: Platform) => Visitor.connect({ port, servername: name, ca: near.ca });
    const visitors: Visitor[] = [];
    for (let count = 0; count < SHARE; count += 1) visitors.push(await visitor(far));
    holds = true;
    const answers = Promise.all(visitors.map((one) => one.get()));
    await eventually(() => assert.equal(held.length, SHARE));
    holds = false;
    for (const response of held) response.end('served');
    for (const { status } of await answers) assert.equal(status, 200);
    for (const one of visitors) one.close();
    const here = await visitor(near);
    assert.deepEqual(await here.get(), { status: 200, code: '' });
    here.close();
    await agent.stop();
  });
});

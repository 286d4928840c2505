/**
 * A daemon that gets no CPU time for 15 seconds: longer than links take to notice, and shorter than its lease.
 * Invariant: visitors of other daemons wait for its tunnels, and all are served.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, Cluster, eventually, postgresMissing, timeoutMs } from '../harness/index.ts';
import { StockAgent } from './stock-agent.fixture.ts';

const STOPPED_MS = 15_000;
/** Milliseconds between two rounds of visits. */
const REST_MS = 500;
const NAME = 'stopped.underpass.localhost';

describe('a daemon without CPU time', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let agent: StockAgent;

  before(async () => {
    cluster = await Cluster.start({ args: () => ['--log-level', 'warn'] });
    agent = await StockAgent.connect(cluster.at(0), (_, response) => response.end('hello'));
  });
  after(async () => {
    await agent?.stop();
    await cluster?.stop();
  });

  const outcomeOf = ({ status, text, headers }: Answer): string =>
    status === 200 ? text : `${status} ${headers['underpass-error-code']}`;

  /** Visits both other daemons again and again, and then lets the first one go on. Resolves with the outcomes. */
  async function visitWhileStopped(): Promise<readonly string[]> {
    const began = performance.now();
    const visits: Promise<string>[] = [];
    while (performance.now() - began < STOPPED_MS) {
      for (const index of [1, 2])
        visits.push(cluster.visit(index, NAME).then(outcomeOf, ({ message }: Error) => message));
      await pause(REST_MS);
    }
    cluster.thaw(0);
    return await Promise.all(visits);
  }

  const living = async () =>
    await cluster.postgres.query(
      cluster.database,
      'SELECT incarnation FROM underpass.nodes WHERE dead IS NULL ORDER BY incarnation',
    );

  test('has its visitors wait, and goes on', { timeout: timeoutMs(90_000) }, async (context) => {
    await agent.bind({}, { Name: NAME });
    for (const index of [1, 2])
      await eventually(async () => assert.equal(outcomeOf(await cluster.visit(index, NAME)), 'hello'));
    const before = await living();
    cluster.freeze(0);
    const outcomes = await visitWhileStopped();
    context.diagnostic(`${outcomes.length} visits`);
    assert.deepEqual([...new Set(outcomes)], ['hello']);
    for (const index of [0, 1, 2])
      await eventually(async () => assert.equal(outcomeOf(await cluster.visit(index, NAME)), 'hello'));
    assert.deepEqual(await living(), before, 'no daemon was declared dead');
  });
});

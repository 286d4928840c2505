/**
 * The promotion of a synchronous standby, with agents online and names that go from one credential to another.
 * Invariant: a name is never given to two credentials, and no tunnel notices the promotion.
 */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { FamilyAgent, families, localPort } from '../agents/index.ts';
import {
  Cluster,
  eventually,
  type Postgres,
  postgresMissing,
  startUpstream,
  timeoutMs,
  type Upstream,
  until,
} from '../harness/index.ts';
import { contendDuring, type Run, report } from './cluster-chaos.fixture.ts';
import { handovers } from './cluster-log.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

const DOMAIN = 'underpass.localhost';
/** Changes of credential before the promotion, and grants after it. */
const CHANGES = 5;
const GRANTS = 5;
/** Milliseconds between two rounds of visits. */
const REST_MS = 50;

describe('a synchronous standby that is promoted', { skip: postgresMissing }, () => {
  let cluster: Cluster;
  let standby: Postgres;
  let upstream: Upstream;
  const agents: FamilyAgent[] = [];
  const hosts: string[] = [];

  before(async () => {
    cluster = await Cluster.start({ durable: true, args: () => ['--log-level', 'warn'] });
    upstream = await startUpstream(({ headers }, answer) => answer.end(`hello from ${headers.host}`));
    const { postgres, database } = cluster;
    standby = await postgres.standby();
    // After the copy: once it is the primary, it waits for no standby.
    await postgres.query(database, "ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)'");
    await postgres.query(database, 'SELECT pg_reload_conf()');
    await eventually(async () => {
      const [one] = await postgres.query(database, 'SELECT sync_state FROM pg_stat_replication');
      assert.equal(one?.sync_state, 'quorum');
    });
  });
  after(async () => {
    await Promise.all(agents.map((agent) => agent.stop()));
    await upstream?.stop();
    await cluster?.stop();
    await standby?.stop();
  });

  /** One agent at each daemon. */
  async function startAgents(): Promise<void> {
    for (const index of cluster.nodes.keys()) {
      const { address, port, ca, bootstrap } = cluster.at(index);
      const service = { address, port, ca, host: `connect.${DOMAIN}` };
      const agent = await FamilyAgent.start(families[index % 2]!, service, bootstrap.authtoken);
      agents.push(agent);
      const host = `steady-${index}.${DOMAIN}`;
      await agent.bind('https', localPort(upstream.port), { name: host });
      hosts.push(host);
    }
  }

  /** Visits each steady agent at each daemon, until the signal. Resolves with all responses but the right ones. */
  async function visitSteadily(over: AbortSignal, counted: () => void): Promise<readonly string[]> {
    const wrong: string[] = [];
    while (!over.aborted) {
      for (const host of hosts)
        for (const index of cluster.nodes.keys()) {
          const outcome = await cluster.visit(index, host).then(
            ({ status, text }) => `${status} ${text}`,
            ({ message }: Error) => message,
          );
          if (outcome === `200 hello from ${host}:${cluster.port}` || outcome === `200 hello from ${host}`)
            counted();
          else wrong.push(`${host} at ${index}: ${outcome}`);
        }
      await pause(REST_MS);
    }
    return wrong;
  }

  /** Waits until some daemons have granted names. A name may stay with its credential for long after a failover. */
  async function grantsAt({ binds }: Run, daemons: readonly number[], label: string): Promise<void> {
    const from = performance.now();
    const since = () =>
      binds.filter(({ daemon, grantedAt }) => daemons.includes(daemon) && (grantedAt ?? 0) > from);
    await until(() => since().length >= GRANTS, `grants ${label}`);
  }

  /** Binds a name. Returns a function that has it go to another credential. */
  async function bindMoving({ accounts }: Run, context: TestContext): Promise<() => Promise<void>> {
    const Name = `moves.${DOMAIN}`;
    const [token = '', other = ''] = accounts[0]!.tokens;
    const first = await StockAgent.connect(cluster.at(0), (_, answer) => answer.end('first'), { token });
    const options = { token: other };
    const second = await StockAgent.connect(cluster.at(1), (_, answer) => answer.end('second'), options);
    context.after(() => Promise.all([first.stop(), second.stop()]));
    await first.bind({}, { Name, Id: 'moves' });
    return async () => {
      assert.match(await second.refusal({}, { Name }), /ERR_SERVICE_/);
      await first.unbind('moves');
      await eventually(() => second.bind({}, { Name, Id: 'moves' }));
      for (const index of cluster.nodes.keys())
        await eventually(async () => assert.equal((await cluster.visit(index, Name)).text, 'second'));
      await second.unbind('moves');
    };
  }

  function lead(index: number, server: Postgres): void {
    const { relay } = cluster.node(index);
    relay.lead(server.port);
    relay.cut();
  }

  async function promote(run: Run, context: TestContext): Promise<void> {
    await until(() => handovers([...run.binds]) >= CHANGES, 'names change their credential');
    const move = await bindMoving(run, context);
    // The former primary lives, and one daemon stays with it. Nothing that it would grant is answered.
    await standby.promote();
    lead(0, standby);
    lead(1, standby);
    await grantsAt(run, [0, 1], 'at the new primary');
    await cluster.postgres.halt('SIGKILL');
    lead(2, standby);
    await grantsAt(run, [2], 'at the last daemon');
    await move();
  }

  test('gives no name to two credentials, and agents and visitors notice nothing', {
    timeout: timeoutMs(180_000),
  }, async (context) => {
    await startAgents();
    const over = new AbortController();
    let served = 0;
    const visits = visitSteadily(over.signal, () => (served += 1));
    const run = await contendDuring(context, cluster, (one) => promote(one, context)).finally(() =>
      over.abort(),
    );
    assert.deepEqual(await visits, []);
    context.diagnostic(`${served} visits of agents that stay`);
    assert.deepEqual(
      agents.map(({ times, faults }) => ({ times, faults })),
      agents.map(() => ({ times: 1, faults: [] })),
    );
    report(context, run, new Map([['promotion', 1]]));
  });
});

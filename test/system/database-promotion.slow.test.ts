/**
 * The promotion of a synchronous standby, with agents online and names that go from one credential to another.
 * Invariant: a name is never given to two credentials, and no tunnel notices the promotion.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
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

const DOMAIN = 'underpass.localhost';
/** Changes of credential before the promotion, and after it. */
const CHANGES = 5;
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

  async function changesOfCredential({ binds }: Run, label: string): Promise<void> {
    const from = performance.now();
    const since = () => handovers(binds.filter(({ grantedAt }) => grantedAt !== null && grantedAt > from));
    await until(() => since() >= CHANGES, `names change their credential ${label}`);
  }

  function lead(index: number, server: Postgres): void {
    const { relay } = cluster.node(index);
    relay.lead(server.port);
    relay.cut();
  }

  async function promote(run: Run): Promise<void> {
    await changesOfCredential(run, 'before');
    // The former primary lives, and one daemon stays with it. Nothing that it would grant is answered.
    await standby.promote();
    lead(0, standby);
    lead(1, standby);
    await changesOfCredential(run, 'at the new primary');
    await cluster.postgres.halt('SIGKILL');
    lead(2, standby);
    const from = performance.now();
    await changesOfCredential(run, 'at all daemons');
    const isGranted = () =>
      run.binds.some(({ daemon, grantedAt }) => daemon === 2 && (grantedAt ?? 0) > from);
    await until(isGranted, 'the last daemon grants names again');
  }

  test('gives no name to two credentials, and agents and visitors notice nothing', {
    timeout: timeoutMs(180_000),
  }, async (context) => {
    await startAgents();
    const over = new AbortController();
    let served = 0;
    const visits = visitSteadily(over.signal, () => (served += 1));
    const run = await contendDuring(context, cluster, promote).finally(() => over.abort());
    assert.deepEqual(await visits, []);
    context.diagnostic(`${served} visits of agents that stay`);
    assert.deepEqual(
      agents.map(({ times, faults }) => ({ times, faults })),
      agents.map(() => ({ times: 1, faults: [] })),
    );
    report(context, run, new Map([['promotion', 1]]));
  });
});

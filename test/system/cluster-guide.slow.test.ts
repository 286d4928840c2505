/**
 * Runs the guide of the cluster: three daemons behind HAProxy. While visitors come, the guide kills a daemon.
 * Invariant: only visits that were under way on it are lost.
 */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { after, before, describe, test } from 'node:test';
import { freePorts, Postgres, type Process, postgresMissing, until } from '../harness/index.ts';
import { reverseProxyMissing } from '../harness/reverse-proxies.ts';
import { blocksOf, Checkout, commandsMissing, withPorts } from './documented-commands.fixture.ts';
import { type FreshVisit, FreshVisitors } from './fresh-visits.fixture.ts';

const GUIDE = 'docs/run/cluster.md';
const NAMES = ['red', 'green', 'blue'];
const VISITORS = 6;
const hosts = NAMES.map((name) => `${name}.cluster.localhost`);
/** Visits before and after the kill, so that it meets open ones. */
const VISITS = 300;
/** Milliseconds until each agent, by chance, has reached each daemon. */
const READY_MS = 90_000;
/** Milliseconds until a daemon has no agents, has stopped and is ready again. */
const RESTART_MS = 60_000;
/** Codes of the edge for a name whose agent is away, or was lost during the request. */
const AWAY = ['3200', '6515'];

/** The moment of the kill, and what it affects. */
interface Kill {
  readonly from: number;
  readonly to: number;
  /** Names of agents that were sent away before, and of those on the daemon that is killed. */
  readonly drained: readonly string[];
  readonly moved: readonly string[];
  /** The log of the balancer. */
  readonly log: string;
}

/** Returns true if a visit may be lost: it was under way on the daemon, or its agent was away. */
function isExplained({ host, localPort, startedAt, endedAt, code }: FreshVisit, kill: Kill): boolean {
  if (endedAt < kill.from) return kill.drained.includes(host) && AWAY.includes(code);
  if (kill.moved.includes(host) && AWAY.includes(code)) return true;
  const isAtKilled = new RegExp(`:${localPort} \\[.* underpass/two `).test(kill.log);
  return startedAt <= kill.to && (isAtKilled || kill.moved.includes(host));
}

const textOf = (language: string): string =>
  blocksOf(GUIDE)
    .filter((block) => block.language === language)
    .map(({ text }) => text)
    .join('');

describe('the guide of the cluster', {
  skip: postgresMissing || commandsMissing || reverseProxyMissing('haproxy'),
}, () => {
  let postgres: Postgres;
  let checkout: Checkout;
  let shell: Process;
  let ports: Readonly<Record<string, number>>;
  let visitors: FreshVisitors;

  before(async () => {
    postgres = await Postgres.shared();
    const { username, password, pathname, port } = new URL(await postgres.database());
    const free = await freePorts(3);
    ports = { 4041: free[0]!, 4042: free[1]!, 4043: free[2]!, 5432: Number(port) };
    checkout = new Checkout(null);
    const env = { PGUSER: username, PGPASSWORD: password, PGDATABASE: pathname.slice(1) };
    shell = checkout.start(withPorts(withPauses(textOf('sh')), ports), env);
  });
  after(async () => {
    await visitors?.stop();
    await shell?.stop();
    checkout?.remove();
    await postgres?.stop();
  });

  /** The commands, with waits for this test. */
  function withPauses(commands: string): string {
    const pause = (name: string) => `echo at ${name}; until [ -e ${name} ]; do sleep 0.05; done; rm ${name}`;
    return commands
      .replace(/^underpassd nodes drain /m, `${pause('drain')}\n$&`)
      .replace(/^kill -9 .*$/m, `${pause('kill')}\n$&\nwait "$TWO" || true\necho was killed`)
      .replace(/^for process in /m, `${pause('end')}\n$&`);
  }

  /** Numbers of times that each agent was offline. */
  function offlineTimes(): readonly number[] {
    return NAMES.map((name) => checkout.read(`cluster/${name}.log`).split('Offline').length - 1);
  }

  async function goOn(name: string): Promise<void> {
    await shell.line(new RegExp(`^at ${name}$`));
    writeFileSync(checkout.path(name), '');
  }

  test('prints what it documents, and a daemon that is killed loses only what is under way on it', async () => {
    await shell.line(/^at drain$/, READY_MS);
    visitors = new FreshVisitors({ port: ports[4041]!, ca: checkout.read('cluster/11/ca.pem') });
    visitors.start(VISITORS, hosts);
    const { visits } = visitors;
    await until(() => visits.length >= VISITS);
    await goOn('drain');
    await shell.line(/^at kill$/, RESTART_MS);
    const from = performance.now();
    await goOn('kill');
    await shell.line(/^was killed$/);
    const to = performance.now();
    await shell.line(/^at end$/);
    const served = visits.length;
    await until(() => visits.length >= served + VISITS);
    await visitors.stop();
    assert.deepEqual(offlineTimes(), [0, 0, 0], 'agents have connections to the other daemons');
    const log = checkout.read('cluster/haproxy.log');
    await goOn('end');
    assert.equal((await shell.exited).code, 0, shell.lines.slice(-30).join('\n'));
    judge(visits, { from, to, drained: hosts, moved: hosts, log });
    assertPrinted(shell.lines);
    assert.deepEqual(checkout.left(), []);
  });

  function judge(visits: readonly FreshVisit[], kill: Kill): void {
    const isRight = ({ status, text, host }: FreshVisit) =>
      status === 200 && text === `hello from ${host}:${ports[4041]}\n`;
    const lost = visits.filter((visit) => !isRight(visit));
    assert.deepEqual(
      lost.filter((visit) => !isExplained(visit, kill)),
      [],
    );
    const atDrain = lost.filter(({ endedAt }) => endedAt < kill.from);
    assert.ok(atDrain.length <= 2, `${atDrain.length} were lost while agents were sent away`);
    const last = visits.filter(({ host }) => kill.moved.includes(host)).slice(-10);
    assert.ok(last.every(isRight), 'the name of the killed daemon is served again');
  }

  /** Verifies that the documented lines were printed in their order. */
  function assertPrinted(printed: readonly string[]): void {
    const expected = withPorts(textOf('text'), ports).trimEnd().split('\n');
    let next = 0;
    for (const line of printed) if (line === expected[next]) next += 1;
    assert.equal(expected[next], undefined, printed.join('\n'));
    const rows = printed.filter((line) => /^node-1[123] +ready +\S+ +us +\S+ +3 +3 +\d+ s ago$/.test(line));
    assert.equal(rows.length, 3, 'each daemon has a connection of each agent');
  }
});

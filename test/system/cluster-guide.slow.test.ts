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
/** Visits before and after the kill, so that it meets open ones. */
const VISITS = 300;
/** Codes of the edge for a name whose agent is away, or was lost during the request. */
const AWAY = ['3200', '6515'];

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

  /** The commands, with a wait for this test before the kill and before the end. */
  function withPauses(commands: string): string {
    const pause = (name: string) => `echo at ${name}; until [ -e ${name} ]; do sleep 0.05; done; rm ${name}`;
    const [first, rest] = commands.split(/^(?=kill -9 )/m);
    const [second, last] = rest!.split(/^(?=for process in )/m);
    const killed = second!.replace('\n', '\necho was killed\n');
    return `${first}\n${pause('kill')}\n${killed}\n${pause('end')}\n${last}`;
  }

  async function goOn(name: string): Promise<void> {
    await shell.line(new RegExp(`^at ${name}$`));
    writeFileSync(checkout.path(name), '');
  }

  test('prints what it documents, and a daemon that is killed loses only what is under way on it', async () => {
    await shell.line(/^at kill$/);
    visitors = new FreshVisitors({ port: ports[4041]!, ca: checkout.read('cluster/11/ca.pem') });
    visitors.start(
      VISITORS,
      NAMES.map((name) => `${name}.cluster.localhost`),
    );
    const { visits } = visitors;
    await until(() => visits.length >= VISITS);
    const from = performance.now();
    await goOn('kill');
    await shell.line(/^was killed$/);
    const to = performance.now();
    await shell.line(/^at end$/);
    const served = visits.length;
    await until(() => visits.length >= served + VISITS);
    await visitors.stop();
    const moved = NAMES.filter((name) => checkout.read(`cluster/${name}.log`).includes('Offline'));
    assert.equal(moved.length, 1, 'the balancer has given each daemon one agent');
    const log = checkout.read('cluster/haproxy.log');
    await goOn('end');
    assert.equal((await shell.exited).code, 0, shell.lines.slice(-30).join('\n'));
    judge(visits, { from, to, moved: `${moved[0]}.cluster.localhost`, log });
    assertPrinted(shell.lines);
    assert.deepEqual(checkout.left(), []);
  });

  function judge(
    visits: readonly FreshVisit[],
    kill: { readonly from: number; readonly to: number; readonly moved: string; readonly log: string },
  ): void {
    const isRight = ({ status, text, host }: FreshVisit) =>
      status === 200 && text === `hello from ${host}:${ports[4041]}\n`;
    const isUnderWay = ({ startedAt, endedAt }: FreshVisit) => startedAt <= kill.to && endedAt >= kill.from;
    const isAtKilled = ({ localPort }: FreshVisit) =>
      new RegExp(`:${localPort} \\[.* underpass/two `).test(kill.log);
    const lost = visits.filter((visit) => !isRight(visit));
    const unexplained = lost.filter(
      (visit) =>
        !(isUnderWay(visit) && isAtKilled(visit)) &&
        !(visit.host === kill.moved && (isUnderWay(visit) || AWAY.includes(visit.code))),
    );
    assert.deepEqual(unexplained, []);
    const last = visits.filter(({ host }) => host === kill.moved).slice(-10);
    assert.ok(last.every(isRight), 'the name of the killed daemon is served again');
  }

  /** Verifies that the documented lines were printed in their order. */
  function assertPrinted(printed: readonly string[]): void {
    const expected = withPorts(textOf('text'), ports).trimEnd().split('\n');
    let next = 0;
    for (const line of printed) if (line === expected[next]) next += 1;
    assert.equal(expected[next], undefined, printed.join('\n'));
    const rows = printed.filter((line) => /^node-1[123] +ready +\S+ +us +\S+ +1 +1 +\d+ s ago$/.test(line));
    assert.equal(rows.length, 3, 'each daemon has one of the tunnels');
  }
});

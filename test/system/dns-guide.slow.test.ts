/**
 * Agents and visitors whose names have the addresses of three daemons, as in the guide, without a balancer.
 * Invariant: a client goes to another daemon if one refuses.
 */
import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, before, describe, type TestContext, test } from 'node:test';
import { HostsFile, hostsFileMissing } from '../harness/hosts-file.ts';
import {
  browserMissing,
  curlMissing,
  eventually,
  inTime,
  makeSshKey,
  Process,
  postgresMissing,
  sshMissing,
  startBrowser,
  startUpstream,
  type Upstream,
  until,
} from '../harness/index.ts';
import {
  BalancedDaemons,
  HOSTS,
  leadingTo,
  NUMBERS,
  type Number3,
  timesOffline,
} from './balanced-daemons.fixture.ts';
import { areOfOneMoment, type FreshVisit, FreshVisitors } from './fresh-visits.fixture.ts';

/** The source of connections between loopback addresses. */
const VISITOR = '127.0.0.1';
const VISITORS = 3;
/** Visits before and after each change, so that it meets open ones. */
const VISITS = 100;
const STOP_MS = 60_000;
/** Milliseconds until an agent notices that its daemon hangs, and is at another one. */
const HANG_MS = 60_000;
/** Codes of the edge for a name whose agent is away, or was lost during the request. */
const AWAY = ['3200', '6515'];

const skip = postgresMissing || hostsFileMissing || sshMissing || curlMissing || browserMissing;
describe('the guide of DNS', { skip }, () => {
  let daemons: BalancedDaemons;
  let hosts: HostsFile;
  let upstream: Upstream;
  const agents: Process[] = [];

  before(async () => {
    daemons = await BalancedDaemons.start();
    const records = daemons.block('dns').matchAll(/^(\S+)\. +60 +A +(\S+)$/gm);
    const all = Array.from(records, ([, name = '', address = '']) => ({ name, address }));
    const addresses = all.flatMap(({ name, address }) => (name === '*.example.com' ? [address] : []));
    assert.deepEqual(
      addresses,
      NUMBERS.map((one) => `127.0.0.${one}`),
    );
    assert.equal(all.length, 2 * addresses.length);
    const names = ['connect.example.com', ...HOSTS];
    hosts = new HostsFile(new Map(names.map((name) => [name, addresses])));
    upstream = await startUpstream(({ headers }, response) =>
      response.end(`${headers.host} ${headers['x-forwarded-for']}`),
    );
    for (const host of HOSTS)
      agents.push(await daemons.agent(['http', String(upstream.port), '--domain', host], hosts.through));
  });
  after(async () => {
    await Promise.all(agents.map((one) => one.stop()));
    await daemons?.stop();
    await upstream?.stop();
    if (hosts !== undefined) rmSync(hosts.folder, { recursive: true });
  });

  /** The daemon that has the tunnel of a name. */
  async function daemonOf(host: string, at: Number3 = 11): Promise<Number3> {
    const { json } = await daemons.api('GET', '/tunnels', undefined, at);
    const tunnel = json.tunnels.find((one: { public_url: string }) => one.public_url.includes(host));
    const number = NUMBERS.find((one) => tunnel?.node === `node-${one}`);
    assert.ok(number !== undefined, `${host} has no daemon`);
    return number;
  }

  /** Visitors whose first address is that of a daemon. */
  function visitors(first: Number3): FreshVisitors {
    const order = [first, ...NUMBERS.filter((one) => one !== first)].map((one) => `127.0.0.${one}`);
    return new FreshVisitors({
      ...{ port: daemons.ports[443]!, ca: daemons.ca },
      lookup: leadingTo(...order),
    });
  }

  /** Visits all names while something happens to a daemon, and for some visits after it. */
  async function visitedDuring(first: Number3, change: () => Promise<void>): Promise<readonly FreshVisit[]> {
    const running = visitors(first);
    running.start(VISITORS, HOSTS);
    try {
      await until(() => running.visits.length >= VISITS);
      await change();
      const served = running.visits.length;
      await until(() => running.visits.length >= served + VISITS);
    } finally {
      await running.stop();
    }
    return running.visits;
  }

  const isRight = ({ status, text, host }: FreshVisit): boolean =>
    status === 200 && text === `${host}:${daemons.ports[443]} ${VISITOR}`;

  function report(t: TestContext, visits: readonly FreshVisit[], from: number): void {
    const lost = visits.filter((one) => !isRight(one));
    const last = Math.max(from, ...lost.map(({ endedAt }) => endedAt));
    const longest = Math.max(...visits.map(({ startedAt, endedAt }) => endedAt - startedAt));
    t.diagnostic(
      `${lost.length} of ${visits.length} lost within ${Math.round(last - from)} ms; longest visit ${Math.round(longest)} ms`,
    );
  }

  test('a daemon that stops loses visits of one moment at most, and its agent goes to another one', async (t) => {
    const number = await daemonOf(HOSTS[0]!);
    const other = NUMBERS.find((one) => one !== number)!;
    const from = performance.now();
    const visits = await visitedDuring(number, async () => {
      const { code } = await inTime(daemons.daemon(number).stop(), () => 'the stop', STOP_MS);
      assert.equal(code, 0);
    });
    report(t, visits, from);
    const lost = visits.filter((one) => !isRight(one));
    assert.ok(areOfOneMoment(lost), JSON.stringify(lost));
    await eventually(async () => assert.notEqual(await daemonOf(HOSTS[0]!, other), number));
    // The notice sent it away once: it did not come back to the same daemon.
    assert.equal(timesOffline(agents[0]!), 1);
    await daemons.run(number);
  });

  test('a daemon that is killed loses what was under way on it, and nothing else', async (t) => {
    const number = await daemonOf(HOSTS[1]!);
    const before = agents.map(timesOffline);
    let from = 0;
    let to = 0;
    const visits = await visitedDuring(number, async () => {
      from = performance.now();
      await daemons.daemon(number).stop('SIGKILL');
      to = performance.now();
    });
    report(t, visits, from);
    const moved = HOSTS.filter((_, at) => timesOffline(agents[at]!) > before[at]!);
    assert.ok(moved.includes(HOSTS[1]!));
    const unexplained = visits.filter(
      (one) => !isRight(one) && one.startedAt > to && !(moved.includes(one.host) && AWAY.includes(one.code)),
    );
    assert.deepEqual(unexplained, []);
    assert.ok(visits.slice(-10).every(isRight));
    await daemons.run(number);
  });

  describe('while the first daemon is away', () => {
    before(async () => void (await daemons.daemon(11).stop()));
    after(() => daemons.run(11));

    test('curl, ssh -R and new agents reach another one', async () => {
      const url = `https://${HOSTS[0]}:${daemons.ports[443]}/`;
      const curl = await run('curl', ['--silent', '--show-error', '--fail', '--cacert', daemons.caFile, url]);
      assert.match(curl, new RegExp(`^${HOSTS[0]}`));

      const key = makeSshKey(daemons.folder, 'key', ['-t', 'ed25519']);
      const credential = { public_key: key.line };
      assert.equal((await daemons.api('POST', '/ssh_credentials', credential, 12)).status, 201);
      const trusting = ['StrictHostKeyChecking=no', 'UserKnownHostsFile=/dev/null', 'BatchMode=yes'];
      const options = ['-p', String(daemons.ports[2222]), '-i', key.path, '-F', 'none'];
      const [program = '', ...through] = hosts.through;
      const forwards = ['-R', `443:localhost:${upstream.port}`, 'connect.example.com', 'http'];
      const words = ['ssh', ...options, ...trusting.flatMap((one) => ['-o', one]), ...forwards];
      const ssh = Process.program(program, [...through, ...words]);
      agents.push(ssh);
      await ssh.line(/Forwarding {2}https:/);

      for (let count = 0; count < 3; count += 1) {
        const agent = await daemons.agent(['http', String(upstream.port)], hosts.through);
        assert.equal(timesOffline(agent), 0);
        await agent.stop();
      }
    });

    test('a browser shows the page of another one', async (t) => {
      // Its own resolver reads one address of a hosts file; that of the system reads all, as of DNS.
      const args = ['--disable-features=AsyncDns'];
      const browser = await startBrowser({ wrap: (path) => hosts.wrapped(path), args });
      try {
        const page = await browser.newPage({ ignoreHTTPSErrors: true });
        const from = performance.now();
        await page.goto(`https://${HOSTS[0]}:${daemons.ports[443]}/`);
        t.diagnostic(`shown after ${Math.round(performance.now() - from)} ms`);
        assert.match((await page.textContent('body')) ?? '', new RegExp(`^${HOSTS[0]}`));
      } finally {
        await browser.close();
      }
    });

    /** Returns the output of a program that resolves names with the records of the guide. */
    async function run(command: string, args: readonly string[]): Promise<string> {
      const [program = '', ...through] = hosts.through;
      const started = Process.program(program, [...through, command, ...args]);
      const { code } = await started.exited;
      assert.equal(code, 0, started.output);
      return started.output;
    }
  });

  test('an agent whose daemon hangs goes to another one', async (t) => {
    const host = HOSTS[2]!;
    const number = await daemonOf(host);
    const other = NUMBERS.find((one) => one !== number)!;
    const times = timesOffline(agents[2]!);
    const from = performance.now();
    daemons.daemon(number).signal('SIGSTOP');
    try {
      await eventually(() => assert.ok(timesOffline(agents[2]!) > times), HANG_MS);
      const noticed = performance.now();
      await eventually(async () => assert.ok(isRight(await visitors(other).visit(host))), HANG_MS);
      t.diagnostic(
        `noticed after ${Math.round(noticed - from)} ms, served again after ${Math.round(performance.now() - from)} ms`,
      );
      assert.equal(timesOffline(agents[2]!), times + 1);
    } finally {
      daemons.daemon(number).signal('SIGCONT');
    }
  });
});

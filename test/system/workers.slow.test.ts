/**
 * Several workers of one daemon, which a supervisor starts and watches.
 * Invariant: an end of one worker refuses no connection, and no process outlives the supervisor.
 */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { fingerprintOf } from '../../packages/client/src/fingerprint.ts';
import { readShownChain } from '../../packages/client/src/shown-chain.ts';
import {
  eventually,
  freePortRange,
  Platform,
  Postgres,
  postgresMissing,
  timeoutMs,
  underpassd,
} from '../harness/index.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { fixedEdge } from './attacks.fixture.ts';
import { FreshVisitors } from './fresh-visits.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';
import { listenersAt, lives, logLines, metricsOf, pidOf, pidsOf, readyz } from './workers.fixture.ts';

const SESSIONS = 'underpass_agent_sessions';
const REQUESTS = 'underpass_edge_requests_total{class="2xx"}';

describe('two workers on PostgreSQL', { skip: postgresMissing }, () => {
  let server: Postgres;
  let platform: Platform;
  let folder: string;
  /** The port of plain HTTP; those of SSH, DNS and links follow. */
  let first: number;
  let visitors: FreshVisitors;

  before(async () => {
    server = await Postgres.shared();
    folder = temporaryFolder('underpass-workers-');
    const database = await server.database();
    const workers = ['--workers', '2', '--worker-timeout', '2', '--node-name', 'one'];
    const listeners = ['http', 'ssh', 'dns', 'link'];
    first = await freePortRange(listeners.length + 1);
    const addresses = listeners.flatMap((name, at) => [`--${name}-listen`, `127.0.0.1:${first + at}`]);
    platform = await Platform.start({
      args: [...workers, ...addresses, '--database', database, '--access-log', 'all', '--drain-seconds', '1'],
      through: ['/usr/bin/env', `TMPDIR=${folder}`],
    });
    visitors = new FreshVisitors(platform);
  });
  after(async () => {
    await platform?.stop();
    await server?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test('the start prints one line when both are ready, and writes one set of files', async () => {
    assert.equal(platform.daemon.lines.filter((line) => line.startsWith('ready ')).length, 1);
    assert.deepEqual(await readyz(platform), { status: 200, ready: true, reasons: [], warnings: [] });
    for (const file of [
      'bootstrap.json',
      'ca.pem',
      'join.json',
      'worker-1/incarnation',
      'worker-2/incarnation',
    ])
      assert.ok(existsSync(join(platform.dataDir, file)), file);
    assert.ok(!existsSync(join(platform.dataDir, 'bootstrap.json.draft')));
  });

  test('each listener is open at both workers, and links have a port for each', () => {
    const [http, ssh, dns, links] = [0, 1, 2, 3].map((at) => first + at) as [number, number, number, number];
    assert.deepEqual([platform.port, http, ssh, dns].map(listenersAt), [2, 2, 2, 2]);
    assert.deepEqual([links, links + 1].map(listenersAt), [1, 1]);
    assert.equal(listenersAt(platform.adminPort), 1);
  });

  test('each worker sends the authority to agents and to clients of the API, and the daemon names it', async () => {
    const pin = fingerprintOf(new X509Certificate(platform.ca));
    const { json } = await underpassd(['ca', 'fingerprint', '--json', '--data-dir', platform.dataDir]);
    assert.deepEqual([json.server, json.ca_fingerprint], [platform.bootstrap.connect_addr, pin]);
    // The system decides the worker of each connection.
    const hosts = Array.from(
      { length: 16 },
      (_, at) => `${at % 2 === 0 ? 'connect' : 'api'}.underpass.localhost`,
    );
    const chains = hosts.map((host) =>
      readShownChain({ host, port: platform.port }, { timeoutMs: timeoutMs(5_000) }),
    );
    for (const { certificates } of await Promise.all(chains))
      assert.equal(certificates.map(fingerprintOf).at(-1), pin);
  });

  test('agents and visitors come to both, and each visitor reaches each agent', async (t) => {
    const nodes = new Set<string | undefined>();
    const names: string[] = [];
    // The system decides the worker of each connection.
    await eventually(async () => {
      const name = `agent-${names.length}.underpass.localhost`;
      const agent = await StockAgent.connect(platform, (_, response) => response.end(name));
      t.after(() => agent.stop());
      await agent.bind({}, { Name: name });
      names.push(name);
      assert.equal((await visitors.visit(name)).text, name);
      for (const { msg, node } of logLines(platform)) if (msg === 'session online') nodes.add(node);
      assert.deepEqual([...nodes].sort(), ['one/1', 'one/2']);
    });
    assert.equal((await metricsOf(platform)).get(SESSIONS), names.length);
    const seen = new Set<string | undefined>();
    await eventually(async () => {
      for (const name of names) assert.equal((await visitors.visit(name)).text, name);
      for (const { msg, node } of logLines(platform)) if (msg === 'visit') seen.add(node);
      assert.deepEqual([...seen].sort(), ['one/1', 'one/2']);
    });
  });

  test('a TCP port is open at both workers', async (t) => {
    const upstream = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1');
    t.after(() => upstream.close());
    await once(upstream, 'listening');
    const { port: target } = upstream.address() as AddressInfo;
    const { process: agent, url } = await platform.agent(['tcp', String(target)]);
    t.after(() => agent.stop());
    const port = Number(new URL(url).port);
    await eventually(() => assert.equal(listenersAt(port), 2));
    for (let count = 0; count < 8; count += 1) assert.equal(await text(connect(port, '127.0.0.1')), 'hello');
    await agent.stop();
    await eventually(() => assert.equal(listenersAt(port), 0));
  });

  test('a worker that is killed is started again, and the sums of its counters stay', async () => {
    await fixedEdge(platform, 'killed', 'served');
    const name = 'killed.underpass.localhost';
    await eventually(async () => assert.equal((await visitors.visit(name)).text, 'served'));
    const before = (await metricsOf(platform)).get(REQUESTS) ?? 0;
    assert.ok(before > 0);
    const pid = await pidOf(platform, 2);
    process.kill(pid, 'SIGKILL');
    // Some come to the socket of the worker that is away.
    const visits = await Promise.all(Array.from({ length: 8 }, () => visitors.visit(name)));
    assert.deepEqual(
      visits.map(({ text }) => text),
      visits.map(() => 'served'),
    );
    await eventually(() => assert.equal(pidsOf(platform, 2).length, 2));
    assert.ok(((await metricsOf(platform)).get(REQUESTS) ?? 0) >= before + visits.length);
    assert.deepEqual(await readyz(platform), { status: 200, ready: true, reasons: [], warnings: [] });
    const workers = [...(await metricsOf(platform)).keys()].filter((name) =>
      name.startsWith('underpass_nodes'),
    );
    assert.deepEqual(workers, ['underpass_nodes{worker="1"}', 'underpass_nodes{worker="2"}']);
  });

  test('a worker in a crash loop pauses, and meanwhile the other one has all visitors', async () => {
    process.kill(await pidOf(platform, 2), 'SIGKILL');
    await eventually(() => assert.equal(listenersAt(platform.port), 1));
    const { warnings } = await readyz(platform);
    assert.deepEqual(warnings, [
      { warning: 'worker_not_ready', message: 'worker 2 is not ready: it is starting' },
    ]);
    const visits = await Promise.all(
      Array.from({ length: 8 }, () => visitors.visit('killed.underpass.localhost')),
    );
    assert.ok(visits.every(({ text }) => text === 'served'));
    await eventually(() => assert.equal(listenersAt(platform.port), 2));
    await eventually(() => assert.equal(pidsOf(platform, 2).length, 3));
  });

  test('a worker that hangs is reported, killed and started again', async () => {
    const pid = await pidOf(platform, 1);
    process.kill(pid, 'SIGSTOP');
    await eventually(async () => {
      const { status, warnings } = await readyz(platform);
      assert.equal(status, 200);
      assert.match(warnings[0]?.message ?? '', /^worker 1 is not ready/);
    });
    await eventually(() => assert.equal(pidsOf(platform, 1).length, 2));
    assert.ok(!lives(pid));
    assert.ok(logLines(platform).some(({ msg = '' }) => /killed.*no sign of life/.test(msg)));
  });

  test('SIGHUP of the supervisor reaches all workers, and ends none', async () => {
    const running = await Promise.all([1, 2].map((worker) => pidOf(platform, worker)));
    platform.daemon.signal('SIGHUP');
    await eventually(() => {
      const lines = logLines(platform).filter(({ msg }) => msg === 'read the configuration again');
      assert.deepEqual(lines.map(({ node }) => node).sort(), ['one', 'one/1', 'one/2']);
    });
    assert.deepEqual(running.map(lives), [true, true]);
  });

  test('the end of the supervisor leaves no process and no socket', async () => {
    const pids = await Promise.all([1, 2].map((worker) => pidOf(platform, worker)));
    assert.deepEqual(pids.map(lives), [true, true]);
    // Sockets of the killed processes, which a later start removes, and of those that live.
    const before = readdirSync(folder).length;
    assert.equal((await platform.daemon.stop()).code, 0);
    assert.deepEqual(pids.map(lives), [false, false]);
    assert.equal(readdirSync(folder).length, before - 2);
  });
});

/**
 * `underpassd workers restart`, while visitors come on new connections.
 * Invariant: no connection is refused or reset, and no request fails.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FamilyAgent, families, localPort } from '../agents/index.ts';
import {
  eventually,
  Platform,
  Postgres,
  postgresMissing,
  startUpstream,
  underpassd,
} from '../harness/index.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { fixedEdge } from './attacks.fixture.ts';
import { FreshVisitors } from './fresh-visits.fixture.ts';
import { listenersAt, lives, logLines, pidOf, pidsOf, readyz } from './workers.fixture.ts';

const VISITS = 30;

interface Restarting {
  readonly platform: Platform;
  readonly visitors: FreshVisitors;
  /** Writes the file with options. */
  readonly write: (text: string) => void;
  readonly restart: (...args: readonly string[]) => ReturnType<typeof underpassd>;
}

/** Starts a daemon with workers whose options are in a file, and visitors of an edge and of an agent. */
async function started(t: TestContext, options: string, { inherited = false } = {}): Promise<Restarting> {
  const folder = temporaryFolder('underpass-workers-restart-');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'options.yaml');
  const write = (text: string): void => writeFileSync(file, `${options}\n${text}\n`);
  write('');
  const platform = await Platform.start({
    args: ['--config', file, '--drain-seconds', '3', '--leave-seconds', '1'],
    ...(inherited ? { inherited } : { through: ['/usr/bin/env', `TMPDIR=${folder}`] }),
  });
  t.after(() => platform.stop());
  await fixedEdge(platform, 'edge', 'served');
  const visitors = new FreshVisitors(platform);
  await eventually(async () => assert.equal((await visitors.visit(EDGE)).text, 'served'));
  visitors.visits.length = 0;
  const restart = (...more: readonly string[]) =>
    underpassd(['workers', 'restart', '--data-dir', platform.dataDir, ...more]);
  return { platform, visitors, write, restart };
}

const EDGE = 'edge.underpass.localhost';

/** Starts agents of two makers. Resolves with their names. */
async function startAgents(t: TestContext, platform: Platform): Promise<readonly string[]> {
  const { port, ca, bootstrap } = platform;
  const upstream = await startUpstream((_, response) => response.end('agent'));
  t.after(() => upstream.stop());
  const own = [1, 2].map((n) => `own-${n}.underpass.localhost`);
  for (const name of own)
    await platform.agent(['http', String(upstream.port), '--domain', name], { quiet: true });
  const stock = [1, 2].map((n) => `stock-${n}.underpass.localhost`);
  for (const name of stock) {
    const service = { port, ca, host: 'connect.underpass.localhost' };
    const agent = await FamilyAgent.start(families[0], service, bootstrap.authtoken);
    t.after(() => agent.stop());
    await agent.bind('https', localPort(upstream.port), { name });
  }
  return [...own, ...stock];
}

/** Resolves when so many more visits have ended. */
async function more({ visits }: FreshVisitors): Promise<void> {
  const before = visits.length;
  await eventually(() => assert.ok(visits.length >= before + VISITS));
}

/** Returns a port where another process listens. */
async function usedPort(t: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

function failed({ visits }: FreshVisitors) {
  return visits.filter(({ status }) => status !== 200);
}

test('workers on PostgreSQL are replaced while they serve', { skip: postgresMissing }, async (t) => {
  const server = await Postgres.shared();
  t.after(() => server.stop());
  const database = await server.database();
  const { platform, visitors, write, restart } = await started(
    t,
    `workers: 2\nnode-name: one\ndatabase: ${database}`,
  );
  const agents = await startAgents(t, platform);
  const first = await Promise.all([pidOf(platform, 1), pidOf(platform, 2)]);

  visitors.start(3, [EDGE, ...agents]);
  t.after(() => visitors.stop());
  await more(visitors);
  write('log-level: debug\nlisten: "127.0.0.1:1"');
  const { code, stdout, stderr } = await restart();
  assert.deepEqual([code, stderr], [0, '']);
  // The option of the command line wins over the file, so `listen` has not changed.
  assert.equal(stdout, '2 workers were restarted: now 3, 1\n');
  await more(visitors);
  await visitors.stop();
  assert.deepEqual(failed(visitors), []);
  assert.deepEqual(first.map(lives), [false, false]);
  assert.ok(lives(await pidOf(platform, 3)));
  assert.equal(pidsOf(platform, 1).length, 2);
  assert.equal(listenersAt(platform.port), 2);
  assert.deepEqual(await readyz(platform), { status: 200, ready: true, reasons: [], warnings: [] });
  const { stdout: nodes } = await underpassd(['nodes', '--json', '--database', database]);
  const names = (JSON.parse(nodes) as { nodes: { name: string; state: string }[] }).nodes
    .filter(({ state }) => state !== 'dead')
    .map(({ name }) => name);
  assert.deepEqual(names.sort(), ['one/1', 'one/3']);

  await t.test('one worker alone', async () => {
    assert.equal((await restart('--worker', '3')).stdout, '1 worker was restarted: now 2\n');
    const { code, stderr } = await restart('--worker', '3');
    assert.equal(code, 1);
    assert.match(stderr, /no worker has the number 3: give one of 2, 1/);
  });

  await t.test('a new worker that cannot start stops the restart, and the others go on', async () => {
    write(`dns-listen: "127.0.0.1:${await usedPort(t)}"`);
    const before = await Promise.all([pidOf(platform, 2), pidOf(platform, 1)]);
    const { code, stderr } = await restart();
    assert.equal(code, 1);
    assert.match(
      stderr,
      /worker 3 ended before it was ready \(exit code 1\).*Worker 2 goes on\. 0 of 2 workers/,
    );
    assert.ok(logLines(platform).some(({ msg = '' }) => /cannot listen on/.test(msg)));
    assert.deepEqual(before.map(lives), [true, true]);
    assert.equal(listenersAt(platform.port), 2);
    write('no-option: 1');
    const unread = await restart();
    assert.equal(unread.code, 1);
    assert.match(unread.stderr, /the configuration cannot be read, and no worker was restarted: .*no-option/);
    write('worker-timeout: 5');
    assert.match(
      (await restart()).stdout,
      /^--worker-timeout: changed, but not for workers\. Restart the daemon/m,
    );
  });

  await t.test('a stop during a restart ends all workers', async () => {
    const replaced = (): number =>
      logLines(platform).filter(({ msg = '' }) => /successor is ready/.test(msg)).length;
    const before = replaced();
    const restarting = restart();
    await eventually(() => assert.ok(replaced() > before));
    assert.equal((await platform.daemon.stop()).code, 0);
    assert.equal((await restarting).code, 1);
    const pids = [1, 2, 3].flatMap((number) => pidsOf(platform, number));
    assert.ok(pids.every((pid) => !lives(pid)));
  });
});

test('the worker on SQLite ends first, and its visitors wait', async (t) => {
  const { platform, visitors, write, restart } = await started(t, 'workers: 1');
  visitors.start(3, [EDGE]);
  t.after(() => visitors.stop());
  const before = await pidOf(platform, 1);
  const { code, stdout } = await restart();
  assert.deepEqual([code, stdout], [0, '1 worker was restarted: now 1\n']);
  await more(visitors);
  assert.ok(!lives(before));
  write(`dns-listen: "127.0.0.1:${await usedPort(t)}"`);
  const failing = await restart();
  assert.equal(failing.code, 1);
  assert.match(
    failing.stderr,
    /worker 1 ended before it was ready.*It is started again with its former options/,
  );
  await more(visitors);
  await visitors.stop();
  assert.deepEqual(failed(visitors), []);
});

test('without workers the command names what to do', async (t) => {
  const dataDir = temporaryFolder('underpass-workers-restart-');
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { code, stderr } = await underpassd(['workers', 'restart', '--data-dir', dataDir]);
  assert.equal(code, 1);
  assert.match(stderr, /no daemon with workers runs in .*: name its data dir with --data-dir/);
});

test('a restart with the sockets of a service manager loses no connection', {
  skip: postgresMissing,
}, async (t) => {
  const server = await Postgres.shared();
  t.after(() => server.stop());
  const database = await server.database();
  const { platform, visitors, restart } = await started(t, `workers: 2\ndatabase: ${database}`, {
    inherited: true,
  });
  const agents = await startAgents(t, platform);
  visitors.start(3, [EDGE, ...agents]);
  t.after(() => visitors.stop());
  await more(visitors);
  assert.equal((await restart()).code, 0);
  await more(visitors);
  // As "systemctl restart": SIGTERM to the supervisor, and a new one with the same sockets.
  await platform.restart();
  await more(visitors);
  await visitors.stop();
  assert.deepEqual(failed(visitors), []);
});

/**
 * One worker of a daemon on SQLite, which a supervisor keeps the sockets for.
 * Invariant: an end of the worker refuses no connection, and it never outlives the supervisor.
 */
import assert from 'node:assert/strict';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, freePorts, Platform, Process, underpassd } from '../harness/index.ts';
import { temporaryFolder } from '../harness/temporary-folder.ts';
import { fixedEdge } from './attacks.fixture.ts';
import { FreshVisitors } from './fresh-visits.fixture.ts';
import { childOf, lives, pidOf, pidsOf, readyz } from './workers.fixture.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));

test('one worker on SQLite: a kill refuses no connection', async (t) => {
  const folder = temporaryFolder('underpass-workers-');
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'options.yaml');
  writeFileSync(file, 'workers: 1\n');
  const platform = await Platform.start({ args: ['--config', file] });
  t.after(() => platform.stop());
  // The next process of the worker has the options of the start.
  writeFileSync(file, 'no-option: 1\n');
  await fixedEdge(platform, 'kept', 'kept');
  const name = 'kept.underpass.localhost';
  await eventually(async () => assert.equal((await platform.visit(name)).text, 'kept'));
  const faults: unknown[] = [];
  let connected = 0;
  let isOver = false;
  const loop = (async () => {
    while (!isOver) {
      const error = await new Promise((resolve) => {
        const socket = connect(platform.port, '127.0.0.1', () => {
          resolve(null);
          socket.destroy();
        });
        socket.on('error', resolve);
      });
      if (error === null) connected += 1;
      else faults.push(error);
    }
  })();
  const pid = await pidOf(platform, 1);
  process.kill(pid, 'SIGKILL');
  const visit = await new FreshVisitors(platform).visit(name);
  await eventually(() => assert.equal(pidsOf(platform, 1).length, 2));
  isOver = true;
  await loop;
  assert.equal(visit.text, 'kept');
  assert.deepEqual(faults, []);
  assert.ok(connected > 0);
});

test('a worker uses the sockets of a service manager, which outlive it and its supervisor', async (t) => {
  const platform = await Platform.start({ inherited: true, args: ['--workers', '1'] });
  t.after(() => platform.stop());
  await fixedEdge(platform, 'inherited', 'here');
  const name = 'inherited.underpass.localhost';
  const visitors = new FreshVisitors(platform);
  process.kill(await pidOf(platform, 1), 'SIGKILL');
  assert.equal((await visitors.visit(name)).text, 'here');
  // The worker serves a moment before it reports that it is ready.
  await eventually(async () => assert.equal((await readyz(platform)).ready, true));
  let visit: ReturnType<FreshVisitors['visit']> | undefined;
  await platform.restart(async () => {
    visit = visitors.visit(name);
  });
  assert.equal((await visit)?.text, 'here');
});

test('workers end when their supervisor is killed', async (t) => {
  const platform = await Platform.start({ args: ['--workers', '1', '--drain-seconds', '0'] });
  t.after(() => platform.stop());
  const pid = await pidOf(platform, 1);
  process.kill(platform.daemon.pid, 'SIGKILL');
  await eventually(() => assert.ok(!lives(pid)));
});

test('a worker that hangs while the supervisor stops is killed, too', async (t) => {
  const platform = await Platform.start({ args: ['--workers', '1', '--worker-timeout', '1'] });
  t.after(() => platform.stop());
  const pid = await pidOf(platform, 1);
  process.kill(pid, 'SIGSTOP');
  assert.equal((await platform.daemon.stop()).code, 0);
  assert.ok(!lives(pid));
});

test('several workers on SQLite are refused, with the way to PostgreSQL', async (t) => {
  const dataDir = temporaryFolder('underpass-workers-');
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const { code, stderr } = await underpassd(['serve', '--workers', '2', '--data-dir', dataDir]);
  assert.equal(code, 2);
  assert.match(stderr, /--workers 2: .*underpassd copy/);
  assert.deepEqual(readdirSync(dataDir), []);
});

test('a worker that is killed before it is ready ends the supervisor, which logs it', async (t) => {
  const dataDir = temporaryFolder('underpass-workers-');
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const [port] = await freePorts(1);
  const args = ['serve', '--workers', '1', '--data-dir', dataDir, '--listen', `127.0.0.1:${port}`];
  const supervisor = Process.node(DAEMON, args);
  t.after(() => supervisor.stop('SIGKILL'));
  process.kill(await eventually(() => childOf(supervisor.pid)), 'SIGKILL');
  assert.equal((await supervisor.exited).code, 1);
  assert.match(supervisor.output, /"signal":"SIGKILL","msg":"a worker was killed before it was ready"/);
});

test('a worker that cannot start ends the supervisor with its exit code', async (t) => {
  const platform = await Platform.start();
  t.after(() => platform.stop());
  const [port] = await freePorts(1);
  // The other daemon has the database.
  const args = ['serve', '--workers', '1', '--data-dir', platform.dataDir, '--listen', `127.0.0.1:${port}`];
  const { code, stderr } = await underpassd(args);
  assert.equal(code, 1);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
});

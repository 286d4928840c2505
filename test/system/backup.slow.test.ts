/**
 * Backups of a running and of a stopped installation, and their restoration.
 * Invariant: an incomplete backup is recognizable.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type CommandResult,
  eventually,
  Platform,
  Postgres,
  Process,
  postgresMissing,
  startUpstream,
  type Upstream,
  underpassd,
} from '../harness/index.ts';
import { fixedEdge } from './attacks.fixture.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const FILES = ['backup.json', 'bootstrap.json', 'ca.pem', 'master.key', 'underpass.db'];

async function done(args: readonly string[]): Promise<CommandResult> {
  const result = await underpassd(args);
  assert.equal(result.code, 0, result.stderr);
  return result;
}

async function refused(args: readonly string[], message: RegExp, env?: NodeJS.ProcessEnv): Promise<void> {
  const { code, stderr } = await underpassd(args, env);
  assert.equal(code, 1, stderr);
  assert.match(stderr, message);
  assert.doesNotMatch(stderr, /\n\s+at /);
}

/** Writes until `stop`; answers the ids of all that were answered. */
function keepWriting(platform: Platform): { readonly ids: string[]; stop(): Promise<void> } {
  const ids: string[] = [];
  let stopped = false;
  const run = async (): Promise<void> => {
    while (!stopped) ids.push((await platform.api('POST', '/ip_policies', {})).json.id);
  };
  const writers = [run(), run(), run()];
  return {
    ids,
    async stop() {
      stopped = true;
      await Promise.all(writers);
    },
  };
}

/** Something sealed that only the master key opens: the authority's key signs. */
async function signs(platform: Platform, authority: string): Promise<void> {
  const public_key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8QSkFqCOrSUyv8PwNNo1VvoNXwvMMXYPfM6iVhZR3E';
  const body = { ssh_certificate_authority_id: authority, public_key, principals: ['a'] };
  const made = await platform.api('POST', '/ssh_user_certificates', body);
  assert.equal(made.status, 201, made.text);
}

describe('a backup', () => {
  let directory: string;
  let platform: Platform;
  let upstream: Upstream;
  let authority: string;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'underpass-backup-'));
    platform = await Platform.start({ dataDir: join(directory, 'data') });
    upstream = await startUpstream((_request, response) => response.end('behind an agent'));
    await fixedEdge(platform, 'kept', 'still here');
    authority = (await platform.api('POST', '/ssh_certificate_authorities', {})).json.id;
  });
  after(async () => {
    await upstream?.stop();
    await platform?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('beside a daemon that writes, restored elsewhere: all that was answered reads alike, secrets open, agents have their names back', async () => {
    const agent = await platform.agent(['http', String(upstream.port)]);
    const backup = join(directory, 'below', 'first');
    const writers = keepWriting(platform);
    await eventually(() => assert.ok(writers.ids.length > 20));
    const answered = writers.ids.length;
    const { stdout } = await done(['backup', backup, '--data-dir', platform.dataDir]);
    await writers.stop();
    assert.match(stdout, /^backed up \d+ documents and 4 secrets to /);
    assert.deepEqual(readdirSync(backup).sort(), FILES);
    assert.deepEqual(readdirSync(join(backup, '..')), ['first'], 'nothing unfinished is left');
    assert.equal(statSync(backup).mode & 0o777, 0o700);
    for (const name of FILES) assert.equal(statSync(join(backup, name)).mode & 0o777, 0o600, name);
    await refused(['backup', backup, '--data-dir', platform.dataDir], /is not empty: give another <dir>/);

    await platform.daemon.stop();
    renameSync(platform.dataDir, join(directory, 'lost'));
    await done(['restore', backup, '--data-dir', platform.dataDir]);
    await platform.restart();
    const kept: boolean[] = [];
    for (const id of writers.ids) kept.push((await platform.api('GET', `/ip_policies/${id}`)).status === 200);
    assert.ok(kept.slice(0, answered).every((isThere) => isThere));
    // One moment: what is there is a beginning of what was answered, but for what three writers did at once.
    const end = kept.indexOf(false);
    assert.ok(end === -1 || !kept.slice(end + 3).includes(true));
    assert.equal((await platform.visit('kept.underpass.localhost')).text, 'still here');
    await signs(platform, authority);
    await eventually(async () => assert.equal((await platform.visit(agent.url)).text, 'behind an agent'));
    await agent.process.stop();
  });

  test('of a stopped installation, too; what was changed since, or has another key, is not restored', async () => {
    await platform.daemon.stop();
    const backup = join(directory, 'second');
    const target = join(directory, 'target');
    const restoring = ['restore', backup, '--data-dir', target];
    await done(['backup', backup, '--data-dir', platform.dataDir]);
    await platform.restart();
    await refused(
      ['restore', backup, '--data-dir', platform.dataDir],
      /is not empty: name a new one with --data-dir/,
    );
    const key = randomBytes(32).toString('hex');
    await refused(restoring, /the master key does not belong to the backup/, { UNDERPASS_MASTER_KEY: key });
    for (const name of FILES) {
      const whole = readFileSync(join(backup, name));
      const changed = Buffer.from(whole);
      changed[changed.length >> 1] = (changed[changed.length >> 1] ?? 0) ^ 1;
      writeFileSync(join(backup, name), changed);
      await refused(restoring, /is not what the backup wrote|is no backup|of format/);
      rmSync(join(backup, name));
      await refused(restoring, /is no backup|not whole/);
      writeFileSync(join(backup, name), whole);
    }
    assert.ok(!existsSync(target), 'nothing was made');
    await done(restoring);
    const names = ['bootstrap.json', 'ca.pem', 'master.key', 'underpass.db', 'underpass.db.lock'];
    assert.deepEqual(readdirSync(target).sort(), names);
  });

  test('killed in the middle it is not there, and the next one is whole', async () => {
    await platform.daemon.stop();
    const backup = join(directory, 'third');
    const args = ['backup', backup, '--data-dir', platform.dataDir];
    // It waits for a file without a writer, after the documents.
    const file = join(platform.dataDir, 'ca.pem');
    renameSync(file, `${file}.aside`);
    execFileSync('mkfifo', [file]);
    const killed = Process.node(DAEMON, args);
    await killed.line(/^copying$/);
    await killed.stop('SIGKILL');
    renameSync(`${file}.aside`, file);
    assert.ok(!existsSync(backup));
    await done(args);
    assert.deepEqual(readdirSync(backup).sort(), FILES);
    await platform.restart();
  });

  test('where it cannot be written: says so, through the daemon too', async () => {
    const file = join(directory, 'a file');
    writeFileSync(file, '');
    await refused(['backup', join(file, 'below'), '--data-dir', platform.dataDir], /cannot be made/);
    await done(['account', 'list', '--data-dir', platform.dataDir]);
  });
});

describe('a backup of PostgreSQL', { skip: postgresMissing }, () => {
  let server: Postgres;
  let directory: string;
  before(async () => {
    server = await Postgres.shared();
    directory = mkdtempSync(join(tmpdir(), 'underpass-backup-'));
  });
  after(async () => {
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('beside its daemon: restored into an empty database, of either kind', async () => {
    const first = await Platform.start({ args: ['--database', await server.database()] });
    await fixedEdge(first, 'kept', 'still here');
    const authority = (await first.api('POST', '/ssh_certificate_authorities', {})).json.id;
    const url = await server.database();
    const backup = join(directory, 'backup');
    const writers = keepWriting(first);
    await eventually(() => assert.ok(writers.ids.length > 10));
    const database = readFileSync(`/proc/${first.daemon.pid}/cmdline`, 'utf8').split('\0');
    const place = ['--database', String(database[database.indexOf('--database') + 1])];
    await done(['backup', backup, '--data-dir', first.dataDir, ...place]);
    await writers.stop();
    await first.daemon.stop();

    await refused(
      ['restore', backup, '--data-dir', join(directory, 'a'), ...place],
      /is not empty: .*--database/,
    );
    assert.deepEqual(readdirSync(join(directory, 'a')), []);
    for (const [name, args] of [
      ['postgres', ['--database', url]],
      ['sqlite', []],
    ] as const) {
      const dataDir = join(directory, name);
      await done(['restore', backup, '--data-dir', dataDir, ...args]);
      const restored = await Platform.start({ dataDir, args });
      assert.equal((await restored.visit('kept.underpass.localhost')).text, 'still here');
      assert.equal((await restored.api('GET', `/ip_policies/${writers.ids[0]}`)).status, 200);
      await signs(restored, authority);
      await restored.stop();
    }
    await first.stop();
  });
});

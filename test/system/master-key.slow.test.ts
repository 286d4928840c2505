/**
 * Rotation of the master key, with and without a daemon.
 * Invariant: every secret opens afterwards.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
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

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const PUBLIC_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8QSkFqCOrSUyv8PwNNo1VvoNXwvMMXYPfM6iVhZR3E';

async function done(args: readonly string[], env?: NodeJS.ProcessEnv): Promise<CommandResult> {
  const result = await underpassd(args, env);
  assert.equal(result.code, 0, result.stderr);
  return result;
}

/** Each has a key of its own, which is sealed. */
async function makeAuthorities(platform: Platform, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at++)
    ids.push((await platform.api('POST', '/ssh_certificate_authorities', {})).json.id);
  return ids;
}

async function sign(platform: Platform, authorities: readonly string[]): Promise<void> {
  for (const id of authorities) {
    const body = { ssh_certificate_authority_id: id, public_key: PUBLIC_KEY, principals: ['a'] };
    const made = await platform.api('POST', '/ssh_user_certificates', body);
    assert.equal(made.status, 201, made.text);
  }
}

const keysOf = (platform: Platform): string[] =>
  readFileSync(join(platform.dataDir, 'master.key'), 'utf8').trim().split('\n');

describe('a new master key', () => {
  let directory: string;
  let platform: Platform;
  let upstream: Upstream;
  let authorities: string[];
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'underpass-master-key-'));
    platform = await Platform.start();
    upstream = await startUpstream((_request, response) => response.end('behind an agent'));
    authorities = await makeAuthorities(platform, 20);
  });
  after(async () => {
    await upstream?.stop();
    await platform?.stop();
    rmSync(directory, { recursive: true, force: true });
  });

  test('beside a daemon: secrets open, agents keep their names over a restart, and the old key is gone after it', async () => {
    const agent = await platform.agent(['http', String(upstream.port)]);
    const [old = ''] = keysOf(platform);
    const { ca } = platform;
    const { stdout } = await done(['rotate-master-key', '--data-dir', platform.dataDir]);
    assert.match(stdout, /^sealed 23 secrets under the new master key/);
    const [first, second] = keysOf(platform);
    assert.notEqual(first, old);
    assert.equal(second, old, 'for what is under way');
    await sign(platform, authorities);
    authorities.push(...(await makeAuthorities(platform, 1)));
    await platform.killAndRestart();
    await eventually(() => assert.deepEqual(keysOf(platform), [first]));
    await sign(platform, authorities);
    assert.equal(platform.ca, ca);
    await eventually(async () => assert.equal((await platform.visit(agent.url)).text, 'behind an agent'));
    assert.equal(await platform.grepDataDir(old), false);
    await agent.process.stop();
  });

  test('killed at whatever moment: the next start has every secret, and goes on until the old key is gone', async () => {
    for (let kill = 0; kill < 2; kill++) {
      const [old] = keysOf(platform);
      const rotating = Process.node(DAEMON, ['rotate-master-key', '--data-dir', platform.dataDir]);
      await eventually(() => assert.notDeepEqual(keysOf(platform), [old]));
      await platform.killAndRestart();
      await rotating.exited;
      await eventually(() => assert.equal(keysOf(platform).length, 1));
      assert.notDeepEqual(keysOf(platform), [old]);
      // Opens every secret with the key that is there.
      await done(['backup', join(directory, `after-${kill}`), '--data-dir', platform.dataDir]);
    }
    await sign(platform, authorities);
  });

  test('without a daemon: the old key goes at once', async () => {
    await platform.daemon.stop();
    const [old] = keysOf(platform);
    await done(['rotate-master-key', '--data-dir', platform.dataDir]);
    const now = keysOf(platform);
    assert.equal(now.length, 1);
    assert.notEqual(now[0], old);
    await platform.restart();
    await sign(platform, authorities);
  });

  test('in the environment: says what to do, and changes nothing', async () => {
    await platform.daemon.stop();
    const [key] = keysOf(platform);
    const args = ['rotate-master-key', '--data-dir', platform.dataDir];
    const refused = await underpassd(args, { UNDERPASS_MASTER_KEY: key });
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /the master key is in UNDERPASS_MASTER_KEY[\s\S]*openssl rand -hex 32/);
    await platform.restart();
    await sign(platform, authorities);
  });
});

test('on PostgreSQL, in the steps that it says, with two daemons that go on serving', {
  skip: postgresMissing,
}, async () => {
  const server = await Postgres.shared();
  const args = ['--database', await server.database()];
  const [old, next] = [randomBytes(32).toString('hex'), randomBytes(32).toString('hex')];
  const under = async (keys: readonly string[], act: () => Promise<unknown>): Promise<void> => {
    process.env.UNDERPASS_MASTER_KEY = keys.join(',');
    await act();
    delete process.env.UNDERPASS_MASTER_KEY;
  };
  const daemons: Platform[] = [];
  await under([old], async () =>
    daemons.push(await Platform.start({ args }), await Platform.start({ args })),
  );
  const [one, two] = daemons as [Platform, Platform];
  const authorities = await makeAuthorities(one, 3);
  const refused = await underpassd(['rotate-master-key', ...args], { UNDERPASS_MASTER_KEY: old });
  assert.match(refused.stderr, /other daemons on the database have it, too/);
  for (const keys of [
    [old, next],
    [next, old],
  ]) {
    for (const daemon of daemons) {
      await under(keys, () => daemon.restart());
      authorities.push(...(await makeAuthorities(one, 1)));
    }
    await sign(one, authorities);
  }
  const both = { UNDERPASS_MASTER_KEY: `${next},${old}` };
  const { stdout } = await done(['rotate-master-key', ...args], both);
  assert.match(stdout, /take the old one away from every daemon/);
  for (const daemon of daemons) await under([next], () => daemon.restart());
  await sign(one, authorities);
  await Promise.all([one.stop(), two.stop()]);
  await server.stop();
});

/**
 * Operators' commands, beside a running daemon and without.
 * Invariant: a wrong one changes nothing.
 */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  type Answer,
  type CommandResult,
  Platform,
  Postgres,
  Process,
  postgresMissing,
  shareMasterKey,
  startUpstream,
  underpassd,
} from '../harness/index.ts';
import { rowsOf } from '../harness/property-runs.ts';

// Daemons that share a database share the key that seals what is in it.
shareMasterKey();

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));
const NOBODY = '0'.repeat(27);

/** A read with a key of the test's own. */
function readWith(platform: Platform, token: string): Promise<Answer> {
  const url = new URL('/api_keys', `https://api.underpass.localhost:${platform.port}`);
  const headers = { authorization: `Bearer ${token}`, 'service-version': '2' };
  return platform.client.request(url, { headers });
}

async function done(args: readonly string[]): Promise<CommandResult> {
  const result = await underpassd(args);
  assert.equal(result.code, 0, result.stderr);
  return result;
}

test('bad usage: a clear error and exit 2', async () => {
  const { code, stdout, stderr } = await underpassd(['account', 'create']);
  assert.equal(code, 2, stderr);
  assert.match(stderr, /^underpassd: --name is missing.*see underpassd account create --help\)\n$/);
  assert.equal(stdout, '');
});

for (const [args, shown] of [
  [['--help'], /account create[\s\S]*key revoke[\s\S]*copy/],
  [['help', 'copy'], /--from <URL>/],
  [['account', '--help'], /account create[\s\S]*account list/],
  [['key', 'revoke', '--help'], /<key>[\s\S]*ak_/],
  [['copy', '--help'], /--from <URL>[\s\S]*master\.key/],
] as const) {
  test(`${args.join(' ')} prints and exits 0`, async () => {
    const { code, stdout } = await underpassd(args);
    assert.equal(code, 0);
    assert.match(stdout, shown);
  });
}

test('what is printed and lost is no success', async () => {
  const through = ['sh', '-c', '"$@" > /dev/full', 'sh'];
  for (const args of [['--help'], ['key', 'revoke', '--help']]) {
    const lost = Process.node(DAEMON, args, { through });
    assert.equal((await lost.exited).code, 1);
    assert.match(lost.output, /^underpassd: what it printed is lost: ENOSPC/);
  }
});

test('where no installation is, nothing is made', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'underpass-operator-'));
  const { code, stderr } = await underpassd(['account', 'create', '--name', 'x', '--data-dir', dataDir]);
  assert.equal(code, 1);
  assert.match(stderr, /there is no installation at .*underpass\.db: start the daemon there first/);
  assert.ok(!existsSync(join(dataDir, 'underpass.db')));
  rmSync(dataDir, { recursive: true });
});

describe('commands on SQLite, beside a running daemon', () => {
  let platform: Platform;
  let at: readonly string[];
  before(async () => {
    platform = await Platform.start();
    at = ['--data-dir', platform.dataDir];
  });
  after(() => platform?.stop());

  test('an account is there at once, for its key and its agents; its tokens are printed and nowhere else', async () => {
    const { stdout } = await done([
      'account',
      'create',
      '--name',
      'Second',
      '--email',
      'a@example.com',
      ...at,
    ]);
    const [, account] = /^account +(ac_\w+) +Second$/m.exec(stdout) ?? [];
    const [, apiKey = ''] = /^API key +(\w+)$/m.exec(stdout) ?? [];
    const [, authtoken = ''] = /^authtoken +(\w+)$/m.exec(stdout) ?? [];
    assert.match(stdout, /^admin user +usr_\w+$/m);

    const answer = await readWith(platform, apiKey);
    assert.equal(answer.status, 200, answer.text);
    assert.equal(answer.json.keys.length, 1);
    const upstream = await startUpstream((_request, response) => response.end('theirs'));
    const { url } = await platform.agent(['http', String(upstream.port), '--authtoken', authtoken]);
    assert.equal((await platform.visit(url)).text, 'theirs');
    assert.deepEqual((await platform.api('GET', '/tunnels')).json.tunnels, []);
    await upstream.stop();
    for (const token of [apiKey, authtoken]) {
      assert.equal(await platform.grepDataDir(token), false);
      assert.ok(!platform.daemon.output.includes(token));
    }

    const { accounts } = (await done(['account', 'list', '--json', ...at])).json;
    assert.deepEqual(
      accounts.map(({ id, name }: { id: string; name: string }) => [id, name]),
      [
        [platform.bootstrap.account_id, 'Default'],
        [account, 'Second'],
      ],
    );
    assert.match((await done(['account', 'list', ...at])).stdout, /^ac_\w+ +\d{4}-\S+Z +Second$/m);
  });

  test('a key works from when it is printed until it is revoked, on connections that are open too', async () => {
    const { account_id: account, user_id: user } = platform.bootstrap;
    const made = (
      await done(['key', 'create', '--account', account, '--description', 'lost mine', '--json', ...at])
    ).json;
    assert.deepEqual([made.account_id, made.owner_id], [account, user]);
    assert.equal((await readWith(platform, made.token)).status, 200);
    assert.equal((await platform.api('GET', `/api_keys/${made.id}`)).json.description, 'lost mine');
    const elsewhere = await underpassd(['key', 'revoke', made.id, '--account', `ac_${NOBODY}`, ...at]);
    assert.equal(elsewhere.code, 1);
    assert.match(elsewhere.stderr, /not of the account/);
    assert.equal((await readWith(platform, made.token)).status, 200);
    const { stdout } = await done(['key', 'revoke', made.id, '--account', account, ...at]);
    assert.match(stdout, new RegExp(`revoked +${made.id}`));
    const refused = await readWith(platform, made.token);
    assert.deepEqual([refused.status, refused.json.error_code], [401, 'ERR_SERVICE_203']);
    const again = await underpassd(['key', 'revoke', made.id, ...at]);
    assert.equal(again.code, 1);
    assert.match(again.stderr, /there is no API key/);
  });

  test('what cannot be is refused with exit 1: unknown accounts and owners, names and texts without end', async () => {
    const { account_id: account } = platform.bootstrap;
    const second = (await done(['account', 'create', '--name', 'Third', '--json', ...at])).json;
    for (const [args, message] of rowsOf([
      [
        ['key', 'create', '--account', `ac_${NOBODY}`],
        /--account ac_0+: there is no account ac_0+ \(see underpassd account list\)/,
      ],
      [['key', 'create', '--account', account, '--owner', second.user_id], /usr_/],
      [['key', 'create', '--account', account, '--description', 'x'.repeat(5000)], /description/i],
      [['account', 'create', '--name', 'x'.repeat(300)], /--name has 300 bytes: .*at most 255 bytes/],
      [['account', 'create', '--name', 'two\nlines'], /--name has control characters/],
      [['restriction', 'lift', '--account', account], /--account .*nothing to lift.*account list/],
      [['restore', 'nowhere', '--data-dir', join(platform.dataDir, 'new')], /nowhere is no backup: .*<dir>/],
      [
        ['restore', 'nowhere', '--data-dir', platform.dataDir],
        /is not empty: name a new one with --data-dir/,
      ],
      [['backup', platform.dataDir], /is not empty: give another <dir>/],
      [['account', 'list', '--data-dir', join(platform.dataDir, 'new')], /no installation at .*--data-dir/],
      [['account', 'list', '--database', 'sqlite:/nowhere/x.db'], /no installation at .*--database/],
    ] as const)) {
      const place = args.some((text) => text === '--data-dir') ? [] : at;
      const { code, stderr } = await underpassd([...args, ...place]);
      assert.equal(code, 1, stderr);
      assert.match(stderr, message);
      assert.doesNotMatch(stderr, /\n\s+at /);
    }
  });

  test('the socket is for its owner only, and nonsense at it ends nothing', async () => {
    const path = join(platform.dataDir, 'underpass.sock');
    assert.equal(statSync(path).mode & 0o777, 0o600);
    for (const nonsense of [
      '{}\n',
      'not JSON\n',
      `${'x'.repeat(200_000)}\n`,
      '{"operation":"__proto__"}\n',
    ]) {
      const socket = connect(path);
      socket.on('error', () => {});
      socket.resume();
      socket.end(nonsense);
      await new Promise((closed) => socket.once('close', closed));
    }
    await done(['account', 'list', ...at]);
  });

  test('a socket that a killed daemon left is replaced, and gone after a stop; commands work without a daemon', async () => {
    const path = join(platform.dataDir, 'underpass.sock');
    await platform.daemon.stop('SIGKILL');
    assert.ok(existsSync(path));
    const made = (await done(['key', 'create', '--account', platform.bootstrap.account_id, '--json', ...at]))
      .json;
    await platform.restart();
    assert.equal((await readWith(platform, made.token)).status, 200);
    await done(['key', 'revoke', made.id, ...at]);
    assert.equal((await readWith(platform, made.token)).status, 401);
    await platform.daemon.stop();
    assert.ok(!existsSync(path));
    assert.equal((await underpassd(['key', 'revoke', made.id, ...at])).code, 1);
    await platform.restart();
  });

  test('--data-dir may come from the environment or the file, as for serve', async () => {
    const fromEnvironment = await underpassd(['account', 'list'], { UNDERPASS_DATA_DIR: platform.dataDir });
    assert.equal(fromEnvironment.code, 0, fromEnvironment.stderr);
    const file = join(platform.dataDir, 'config.yaml');
    writeFileSync(file, `data-dir: ${platform.dataDir}\nlisten: 127.0.0.1:1\n`);
    await done(['account', 'list', '--config', file]);
  });
});

describe('commands on PostgreSQL, beside two daemons', { skip: postgresMissing }, () => {
  let server: Postgres;
  let url: string;
  let platforms: readonly [Platform, Platform];
  before(async () => {
    server = await Postgres.shared();
    url = await server.database();
    const first = await Platform.start({ args: ['--database', url] });
    platforms = [first, await Platform.start({ args: ['--database', url] })];
  });
  after(async () => {
    await Promise.all((platforms ?? []).map((platform) => platform.stop()));
    await server?.stop();
  });

  test('an account and a key are there at once for both, a revoked key for none', async () => {
    const at = ['--json', '--database', url];
    const made = (await done(['account', 'create', '--name', 'Second', ...at])).json;
    const key = (await done(['key', 'create', '--account', made.account_id, ...at])).json;
    for (const token of [made.api_key, key.token]) {
      for (const platform of platforms) assert.equal((await readWith(platform, token)).status, 200);
    }
    await done(['key', 'revoke', key.id, ...at]);
    for (const platform of platforms) {
      assert.equal((await readWith(platform, key.token)).status, 401);
      assert.equal((await readWith(platform, made.api_key)).status, 200);
    }
    assert.equal((await done(['account', 'list', ...at])).json.accounts.length, 2);
    assert.ok(!existsSync(join(platforms[0].dataDir, 'underpass.sock')));
  });

  test('a database without an installation gets no account', async () => {
    const empty = await server.database();
    const { code, stderr } = await underpassd(['account', 'create', '--name', 'x', '--database', empty]);
    assert.equal(code, 1);
    assert.match(
      stderr,
      /the database postgres:\S+ holds no installation: start a daemon on it first, or correct --database/,
    );
  });
});

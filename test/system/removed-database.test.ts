/**
 * A removed database, under a running daemon and before a start.
 * Invariant: no new installation is created over the files of an old one.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { eventually, Platform, Postgres, Process, postgresMissing } from '../harness/index.ts';

const DAEMON = fileURLToPath(import.meta.resolve('../../packages/server/bin/underpassd.js'));

describe('an installation whose database is taken away', () => {
  let platform: Platform;
  before(async () => {
    platform = await Platform.start();
  });
  after(() => platform.stop());

  const inDataDir = (name: string) => join(platform.dataDir, name);

  /** Starts a daemon that must fail; returns its output. */
  async function refusal(args: readonly string[] = []): Promise<string> {
    const before = contents();
    const daemon = Process.node(DAEMON, ['serve', '--data-dir', platform.dataDir, ...args]);
    assert.equal((await daemon.exited).code, 1, daemon.output);
    assert.deepEqual(contents(), before, 'nothing was changed');
    assert.doesNotMatch(daemon.output, /\n\s+at /);
    return daemon.output;
  }

  const contents = () =>
    readdirSync(platform.dataDir)
      .filter((name) => !name.startsWith('underpass.db'))
      .map((name) => [name, readFileSync(inDataDir(name), 'utf8')]);

  test('under a running daemon: writes are refused for that reason, /readyz and the log say so, traffic and reads go on', async () => {
    const create = (name: string) => platform.api('POST', '/reserved_domains', { name });
    const ready = (purpose = '') => fetch(`http://127.0.0.1:${platform.adminPort}/readyz${purpose}`);
    assert.equal((await create('before')).status, 201);
    renameSync(inDataDir('underpass.db'), inDataDir('aside'));
    const refused = await create('meanwhile');
    assert.deepEqual([refused.status, refused.json.error_code], [503, 'ERR_SERVICE_60041'], refused.text);
    assert.equal((await platform.api('GET', '/reserved_domains')).json.reserved_domains.length, 1);
    await platform.daemon.line(/underpass\.db was removed while it was in use/);
    const answer = await ready();
    assert.equal(answer.status, 200, 'traffic goes on');
    assert.match(await answer.text(), /"warning":"database_removed"/);
    const forApi = await ready('?for=api');
    assert.equal(forApi.status, 503);
    assert.match(await forApi.text(), /"reason":"database_removed"/);

    renameSync(inDataDir('aside'), inDataDir('underpass.db'));
    assert.equal((await create('after')).status, 201);
    await eventually(async () => assert.equal((await ready('?for=api')).status, 200));
  });

  test('before a start: it is refused, says what to do, and leaves every file as it was', async () => {
    await platform.daemon.stop();
    renameSync(inDataDir('underpass.db'), inDataDir('aside'));
    const said = await refusal();
    assert.match(said, /there is no database .*underpass\.db, but .* has bootstrap\.json and ca\.pem/);
    assert.match(said, /underpassd restore/);

    const empty = join(platform.dataDir, 'empty.db');
    assert.match(await refusal(['--database', `sqlite:${empty}`]), /there is no database .*empty\.db/);
    rmSync(inDataDir('bootstrap.json'));
    assert.match(await refusal(), /has ca\.pem of an installation/, 'the secrets may be elsewhere by then');
  });

  test('an empty PostgreSQL database beside its files: the same', {
    skip: postgresMissing,
  }, async (context) => {
    const server = await Postgres.shared();
    context.after(() => server.stop());
    const said = await refusal(['--database', await server.database()]);
    assert.match(said, /the database postgres:\/\/.* is empty, but/);
    assert.doesNotMatch(said, /correct-horse/);
  });
});

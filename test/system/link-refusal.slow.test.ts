import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, type TestContext, test } from 'node:test';
import { freePorts, Platform, Postgres, postgresMissing, shareMasterKey } from '../harness/index.ts';

shareMasterKey();

interface Row {
  readonly address: string | null;
  /** Seconds since its last renewal. */
  readonly silent?: number;
  readonly isDead?: boolean;
}

describe('a start beside a daemon on another machine', { skip: postgresMissing }, () => {
  let server: Postgres;
  let database: string;
  let listen: readonly string[];
  before(async () => {
    server = await Postgres.shared();
    const [port] = await freePorts(1);
    listen = ['--link-listen', `127.0.0.1:${port}`];
  });
  beforeEach(async () => {
    database = await server.database();
    const first = await Platform.start({ args: ['--database', database] });
    await first.stop();
  });
  after(() => server?.stop());

  async function addDaemon({ address, silent = 0, isDead = false }: Row): Promise<void> {
    const facts = { machine: 'elsewhere', version: '1.0.0', region: 'us', link: { socket: null, address } };
    await server.query(
      database,
      `INSERT INTO underpass.nodes (incarnation, facts, renewed, dead) VALUES
       (7, '${JSON.stringify(facts)}', clock_timestamp() - interval '${silent} s', ${isDead ? 'now()' : 'NULL'})`,
    );
  }

  /** Starts a daemon with the master key of the first one. */
  async function start(
    context: TestContext,
    args: readonly string[] = [],
    through: readonly string[] = [],
  ): Promise<void> {
    const platform = await Platform.start({ args: ['--database', database, ...args], through });
    context.after(() => platform.stop());
  }

  const ownRows = async () =>
    (
      await server.query(
        database,
        'SELECT count(*)::int AS count FROM underpass.nodes WHERE dead IS NULL AND incarnation <> 7',
      )
    )[0]?.count;

  test('needs --link-listen of both, and leaves nothing when it is refused', async (context) => {
    await addDaemon({ address: null });
    const folder = await mkdtemp(join(tmpdir(), 'links-'));
    context.after(() => rm(folder, { recursive: true }));
    const through = ['env', `TMPDIR=${folder}`];
    await assert.rejects(start(context, [], through), /machine elsewhere .*--link-listen HOST:PORT/);
    await assert.rejects(
      start(context, listen, through),
      /machine elsewhere .*that one has no --link-listen/,
    );
    assert.equal(await ownRows(), 0);
    const left = (await readdir(folder)).filter((name) => name.startsWith('underpass-link-'));
    assert.deepEqual(left, []);
  });

  test('goes on with --link-listen of both', async (context) => {
    await addDaemon({ address: '127.0.0.1:1' });
    await assert.rejects(start(context), /this one has no --link-listen; give --link-listen/);
    await start(context, listen);
    assert.equal(await ownRows(), 1);
  });

  for (const [name, row] of [
    ['is dead', { address: null, isDead: true }],
    ['has not renewed for a while', { address: null, silent: 30 }],
  ] as const)
    test(`goes on if that one ${name}`, async (context) => {
      await addDaemon(row);
      await start(context);
      assert.equal(await ownRows(), 1);
    });

  test('does not concern --alone', async (context) => {
    await addDaemon({ address: null });
    await start(context, ['--alone']);
  });
});

/**
 * The same attacks on one daemon with SQLite, and on two daemons that share a PostgreSQL database, each call at the next
 * daemon in turn.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { Platform, Postgres, postgresMissing, shareMasterKey } from '../harness/index.ts';
import { Account, type ApiDocument, documentOf } from './account.fixture.ts';
import { addAccount } from './attacks.fixture.ts';

export interface World extends ApiDocument {
  readonly daemons: readonly Platform[];
  readonly home: Account;
  readonly abroad: Account;
  /** The API key and the authtoken of `abroad`, which was made by the operator's command. */
  readonly made: readonly string[];
  /** Every byte that the store has written. */
  stored(): Promise<Buffer>;
}

export function onBothStores(tests: (world: () => World) => void): void {
  shareMasterKey();
  describe('on SQLite', () => {
    let world: World;
    before(async () => {
      const platform = await Platform.start();
      world = await worldOf([platform], [], async () =>
        Buffer.concat(
          globSync('underpass.db*', { cwd: platform.dataDir }).map((name) =>
            readFileSync(join(platform.dataDir, name)),
          ),
        ),
      );
    });
    after(() => stop(world));
    tests(() => world);
  });

  describe('on PostgreSQL, with two daemons', { skip: postgresMissing }, () => {
    let server: Postgres;
    let world: World;
    before(async () => {
      server = await Postgres.shared();
      const args = ['--database', await server.database()];
      const daemons = await Promise.all([Platform.start({ args }), Platform.start({ args })]);
      world = await worldOf(daemons, args, () => server.contents());
    });
    after(async () => {
      await stop(world);
      await server?.stop();
    });
    tests(() => world);
  });
}

async function worldOf(
  daemons: readonly Platform[],
  place: readonly string[],
  stored: World['stored'],
): Promise<World> {
  const first = daemons.find(({ dataDir }) => existsSync(join(dataDir, 'bootstrap.json'))) as Platform;
  const [document, other] = await Promise.all([documentOf(first), addAccount(first, place)]);
  const home = new Account(document.operations, first.bootstrap.api_key, ...daemons);
  const abroad = new Account(document.operations, other.api_key, ...daemons);
  return { ...document, daemons, home, abroad, made: [other.api_key, other.authtoken], stored };
}

async function stop(world: World | undefined): Promise<void> {
  await Promise.all((world?.daemons ?? []).map((daemon) => daemon.stop()));
}

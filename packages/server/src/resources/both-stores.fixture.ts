/** The same tests of resources on SQLite and on PostgreSQL. */
import { after, before, describe } from 'node:test';
import { Postgres, postgresMissing } from '../../../../test/harness/index.ts';
import type { OpenStore } from '../store/conformance/index.fixture.ts';
import { openOn } from '../store/postgres/open.fixture.ts';
import { openOnSqlite } from '../store/sqlite/open.fixture.ts';

/** Registers the same tests for either database. */
export function onBothStores(tests: (open: OpenStore) => void): void {
  describe('on SQLite', () => tests(openOnSqlite));

  describe('on PostgreSQL', { skip: postgresMissing }, () => {
    let server: Postgres;
    before(async () => {
      server = await Postgres.shared();
    });
    after(() => server.stop());
    tests(openOn(() => server));
  });
}

import { after, before, describe } from 'node:test';
import { Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { conformance } from '../conformance.ts';
import { openPostgresStore } from './store.ts';

describe('on a server of its own', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.start();
  });
  after(() => server.stop());

  conformance('PostgreSQL', async (options) => {
    const url = await server.database();
    const first = await openPostgresStore({ url, ...options });
    let current = first;
    return {
      store: first,
      reopen: async () => {
        await current.close();
        current = await openPostgresStore({ url, ...options });
        return current;
      },
      contents: () => server.contents(),
      dispose: () => current.close(),
    };
  });
});

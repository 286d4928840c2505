/** Opens stores on PostgreSQL for the suite of all stores. Invariant: no two tests share a database. */
import type { Postgres } from '../../../../../test/harness/index.ts';
import type { OpenStore } from '../conformance/index.fixture.ts';
import { prepare } from './open.ts';
import { openPostgresStore } from './store.ts';

/** Names of databases that have the schema and no more. A copy costs half of what the schema does. */
const prepared = new WeakMap<Postgres, Promise<string>>();

async function makePrepared(server: Postgres): Promise<string> {
  const url = await server.database();
  await prepare(url);
  return new URL(url).pathname.slice(1);
}

/** Opens each store in its own database of one server. */
export function openOn(server: () => Postgres): OpenStore {
  return async (options) => {
    const original = prepared.get(server()) ?? makePrepared(server());
    prepared.set(server(), original);
    const url = await server().database(await original);
    const first = await openPostgresStore({ url, ...options });
    let current = first;
    return {
      store: first,
      reopen: async () => {
        await current.close();
        current = await openPostgresStore({ url, ...options });
        return current;
      },
      makeNewer: async (id) => {
        await server().query(url, `UPDATE underpass.documents SET format = format + 1 WHERE id = '${id}'`);
      },
      contents: () => server().contents(),
      dispose: () => current.close(),
    };
  };
}

/** Opens stores on PostgreSQL for the suite of all stores. Invariant: no two tests share a database. */
import type { Postgres } from '../../../../../test/harness/index.ts';
import type { OpenStore } from '../conformance/index.fixture.ts';
import { openPostgresStore } from './store.ts';

/** Opens each store in its own database of one server. */
export function openOn(server: () => Postgres): OpenStore {
  return async (options) => {
    const url = await server().database();
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

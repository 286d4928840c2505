/** Opens stores on SQLite for the suite of all stores. Invariant: no two tests share a file. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as turn } from 'node:timers/promises';
import { temporaryFolder } from '../../../../../test/harness/temporary-folder.ts';
import type { OpenStore } from '../conformance/index.fixture.ts';
import { openSqliteStore } from './store.ts';

/** Opens each store in its own directory. */
export const openOnSqlite: OpenStore = async (options) => {
  const directory = temporaryFolder('underpass-store-');
  const path = join(directory, 'underpass.db');
  const first = await openSqliteStore({ path, ...options });
  let current = first;
  return {
    store: first,
    reopen: async () => {
      await current.close();
      current = await openSqliteStore({ path, ...options });
      return current;
    },
    makeNewer: async (id) => {
      const database = new DatabaseSync(path);
      database.prepare('UPDATE documents SET format = format + 1 WHERE id = ?').run(id);
      database.close();
      // Reads of one turn are of one moment.
      await turn();
    },
    contents: async () => {
      const files = await readdir(directory);
      return Buffer.concat(await Promise.all(files.map((file) => readFile(join(directory, file)))));
    },
    dispose: async () => {
      await current.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
};

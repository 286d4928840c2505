import assert from 'node:assert/strict';
import { test } from 'node:test';
import { proxy } from '../store/proxy.fixture.ts';
import { openOnSqlite } from '../store/sqlite/open.fixture.ts';
import { type Store, StoreUnavailableError, WriteOutcomeUnknownError } from '../store/store.ts';
import { type Platform, startPlatform } from './engine.fixture.ts';

/** A platform whose store is away from the moment after its next write, once `arm` was called. */
async function losing(): Promise<{ platform: Platform; arm: () => void }> {
  let state: 'there' | 'armed' | 'away' = 'there';
  const platform = await startPlatform(async () => {
    const opened = await openOnSqlite();
    const { store } = opened;
    const read =
      <A extends unknown[], T>(method: (...args: A) => Promise<T>) =>
      async (...args: A): Promise<T> => {
        if (state === 'away') throw new StoreUnavailableError('the database cannot be read');
        return method.apply(store, args);
      };
    const lost = proxy(store, {
      ...{ get: read(store.get), page: read(store.page), findName: read(store.findName) },
      ...{ queue: read(store.queue), countQueued: read(store.countQueued) },
      ...{ names: read(store.names), linksTo: read(store.linksTo) },
      ...{ snapshot: read(store.snapshot), write: read(write) },
    });
    async function write(build: Parameters<Store['write']>[0]): Promise<number> {
      const revision = await store.write(build);
      if (state === 'armed') state = 'away';
      return revision;
    }
    return { ...opened, store: lost };
  });
  const arm = () => {
    state = 'armed';
  };
  return { platform, arm };
}

for (const [what, kind, body] of [
  ['what is looked at once more after the write', 'reserved_domain', { name: 'late' }],
  ['what the answer shows beside the document', 'https_edge', {}],
] as const) {
  test(`the store goes away before ${what}: it is not said that nothing was changed`, async (context) => {
    const { platform, arm } = await losing();
    context.after(() => platform.close());
    arm();
    await assert.rejects(platform.create(kind, body), { name: WriteOutcomeUnknownError.name });
    await assert.rejects(platform.create(kind, body), { name: StoreUnavailableError.name });
  });
}

/** A server with a full disk. Invariant: writers are not advised to retry at once, and readers notice nothing. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { create, insertion, read } from '../conformance/harness.fixture.ts';
import { StoreFullError } from '../store.ts';
import { openPostgresStore } from './store.ts';

describe('a server whose disk is full', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  test('refuses writes by name, each for itself, until there is room; reads go on', async () => {
    const url = await server.database();
    const store = await openPostgresStore({ url });
    const before = await create(store);
    // The server's error is "could not extend file".
    await server.query(
      url,
      `CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
       BEGIN RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file'; END $$;
       CREATE TRIGGER full_disk BEFORE INSERT ON underpass.documents
         FOR EACH ROW WHEN (new.kind = 'large') EXECUTE FUNCTION full_disk()`,
    );
    const writes = ['large', 'small', 'large'].map((kind) =>
      store.write((newId) => [insertion(newId('th'), { kind })]),
    );
    const results = await Promise.allSettled(writes);
    const reasons = results.map((result) => (result.status === 'rejected' ? result.reason : null));
    assert.deepEqual(
      reasons.map((reason) => reason instanceof StoreFullError),
      [true, false, true],
    );
    assert.equal(results[1]?.status, 'fulfilled');
    assert.deepEqual(await read(store, before.id), before);
    await server.query(url, 'DROP TRIGGER full_disk ON underpass.documents');
    await create(store, { kind: 'large' });
    await store.close();
  });
});

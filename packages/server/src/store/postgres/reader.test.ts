import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { connect } from './connect.ts';
import { prepare } from './open.ts';
import { Reader } from './reader.ts';
import { queryOn } from './readers.ts';

describe('reading from PostgreSQL', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  test('a short queue is read without what waits in long ones, however the server plans it', async (context) => {
    const url = await server.database();
    await prepare(url);
    // The first rows are not the wanted ones, and the statistics estimate half of the table.
    await server.query(
      url,
      `INSERT INTO underpass.queue SELECT n, 'ac_1', 'ed_long', repeat(md5(n::text), 40) FROM generate_series(1, 20000) n;
       INSERT INTO underpass.queue SELECT 20000 + n, 'ac_1', 'ed_short', '{}' FROM generate_series(1, 5) n;
       INSERT INTO underpass.queue SELECT 20005 + n, 'ac_2', 'ed_other', '{}' FROM generate_series(1, 5) n`,
    );
    await server.query(url, 'VACUUM ANALYZE underpass.queue');
    const client = await connect(url);
    context.after(() => client.end());
    const reader = new Reader({ query: (statement) => queryOn(client, statement) });
    assert.equal((await reader.queue({ account: 'ac_1', parent: 'ed_short', limit: 500 })).length, 5);
    assert.equal(await reader.countQueued({ account: 'ac_1', parent: 'ed_short', limit: 100_000 }), 5);
    assert.equal(await reader.countQueued({ account: 'ac_2', limit: 100_000 }), 5);
    // The reader's queries are prepared in the connection, under their names.
    const asked = [
      `"queue"('ac_1', 'ed_short', 500, 0)`,
      `"queue"('ac_1', 'ed_long', 50, 0)`,
      `"queue"('ac_1', 'ed_long', 50, 300)`,
      `"count-queue"('ac_1', 'ed_short', 100000, 0)`,
      `"count-queued"('ac_2', 100000)`,
    ];
    for (const mode of ['force_generic_plan', 'force_custom_plan']) {
      await client.query(`SET plan_cache_mode = ${mode}`);
      for (const query of asked) {
        const { rows } = await client.query(`EXPLAIN ANALYZE EXECUTE ${query}`);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        assert.match(plan, /Scan using queue_by_parent/, `${mode}: ${query}\n${plan}`);
        assert.doesNotMatch(plan, /Rows Removed by Filter|Sort/, `${mode}: ${query}\n${plan}`);
      }
    }
  });
});

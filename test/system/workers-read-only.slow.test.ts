/**
 * Two workers of a daemon whose temporary folder cannot be written, as in a container with read-only files.
 * Invariant: workers reach each other without a port for links.
 */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { eventually, Platform, Postgres, postgresMissing } from '../harness/index.ts';
import { metricsOf } from './workers.fixture.ts';

const sockets = ({ dataDir }: Platform): readonly string[] =>
  [1, 2].flatMap((worker) =>
    readdirSync(join(dataDir, `worker-${worker}`)).filter((name) => name.startsWith('underpass-link-')),
  );

test('workers without a temporary folder have links, by sockets in the data dir', {
  skip: postgresMissing,
}, async (t) => {
  const postgres = await Postgres.shared();
  t.after(() => postgres.stop());
  const platform = await Platform.start({
    args: ['--workers', '2', '--database', await postgres.database(), '--drain-seconds', '1'],
    through: ['/usr/bin/env', 'TMPDIR=/nowhere'],
  });
  t.after(() => platform.stop());
  await eventually(async () => {
    const samples = [...(await metricsOf(platform))];
    const links = samples.filter(([name]) => name.startsWith('underpass_links'));
    assert.deepEqual(
      links.map(([, links]) => links),
      [1, 1],
    );
  });
  assert.equal(sockets(platform).length, 2);
  await platform.daemon.stop();
  assert.deepEqual(sockets(platform), []);
});

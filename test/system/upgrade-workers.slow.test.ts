/**
 * Replaces the sources below a supervisor, and then its workers, while visitors come. The supervisor is of the former
 * version until the end.
 * Invariant: no request fails.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  eventually,
  Platform,
  Postgres,
  postgresMissing,
  startUpstream,
  underpassd,
} from '../harness/index.ts';
import { FreshVisitors } from './fresh-visits.fixture.ts';
import {
  Builds,
  changesOfLinks,
  changesOfSchema,
  changesOfVersion,
  unknownMessage,
  unknownThings,
} from './other-build.fixture.ts';
import { pidsOf } from './workers.fixture.ts';

const VISITS = 30;

test('workers of the next version serve under a supervisor of this one', {
  skip: postgresMissing,
}, async (t) => {
  const server = await Postgres.shared();
  t.after(() => server.stop());
  const database = await server.database();
  const builds = new Builds();
  t.after(() => builds.remove());
  const build = builds.make([]);
  const launcher = builds.launcher(0);
  builds.use(0, build);
  const options = ['--workers', '2', '--drain-seconds', '3', '--leave-seconds', '1'];
  const platform = await Platform.start({ args: ['--database', database, ...options], through: [launcher] });
  t.after(() => platform.stop());
  const upstream = await startUpstream((_, response) => response.end('agent'));
  t.after(() => upstream.stop());
  const names = [1, 2].map((n) => `agent-${n}.underpass.localhost`);
  for (const name of names)
    await platform.agent(['http', String(upstream.port), '--domain', name], { quiet: true });

  const visitors = new FreshVisitors(platform);
  for (const name of names)
    await eventually(async () => assert.equal((await visitors.visit(name)).text, 'agent'));
  visitors.visits.length = 0;
  visitors.start(3, names);
  t.after(() => visitors.stop());
  const more = async (): Promise<void> => {
    const before = visitors.visits.length;
    await eventually(() => assert.ok(visitors.visits.length >= before + VISITS));
  };
  await more();
  builds.replace(build, [
    ...changesOfVersion('9.9.9'),
    ...changesOfLinks(2, 1),
    ...changesOfSchema,
    ...unknownThings,
    ...unknownMessage,
  ]);
  const { code, stderr } = await underpassd(['workers', 'restart', '--data-dir', platform.dataDir]);
  assert.deepEqual([code, stderr], [0, '']);
  await more();
  await visitors.stop();
  assert.deepEqual(
    visitors.visits.filter(({ status }) => status !== 200),
    [],
  );
  const rows = await server.query(
    database,
    "SELECT facts->>'version' AS version FROM underpass.nodes WHERE dead IS NULL",
  );
  assert.deepEqual(
    rows.map(({ version }) => version),
    ['9.9.9', '9.9.9'],
  );
  const pids = [1, 2, 3].flatMap((worker) => pidsOf(platform, worker));
  assert.equal(new Set(pids).size, pids.length, 'each process is ready once');
});

import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { propertyRuns, whileTimeLasts } from '../../../../../test/harness/property-runs.ts';
import type { DocumentStore } from '../../documents/index.ts';
import { documentsIn } from '../../documents/store.ts';
import { MemoryStore } from '../../store/memory.fixture.ts';
import { openOn } from '../../store/postgres/open.fixture.ts';
import { openOnSqlite } from '../../store/sqlite/open.fixture.ts';
import { startPlatform } from '../engine.fixture.ts';
import { History } from '../histories/history.fixture.ts';
import { plans } from '../histories/plans.fixture.ts';
import { histories, type Step } from '../histories/steps.fixture.ts';
import { resourceKinds } from '../kinds/index.ts';

/** Moves only between steps, so that every store reads the same time. */
let time = Date.UTC(2030, 0, 1);
const now = () => time;

async function onPostgres(t: TestContext): Promise<Readonly<Record<string, DocumentStore>>> {
  if (postgresMissing) {
    t.diagnostic(`without PostgreSQL: ${postgresMissing}`);
    return {};
  }
  const server = await Postgres.shared();
  t.after(() => server.stop());
  const opened = await openOn(() => server)({ now });
  t.after(() => opened.dispose());
  return { PostgreSQL: documentsIn(opened.store) };
}

test('every stored kind is in the histories but those with keys', () => {
  const stored = resourceKinds.filter((kind) => kind.source === 'stored').map((kind) => kind.name);
  const left = stored.filter((name) => plans[name] === undefined);
  assert.deepEqual(left.sort(), [
    'ssh_certificate_authority',
    'ssh_credential',
    'ssh_host_certificate',
    'ssh_user_certificate',
  ]);
});

test('any history of calls has the same answers on SQLite, on PostgreSQL and in memory', async (t) => {
  const seed = randomInt(2 ** 31);
  t.diagnostic(`seed ${seed}`);
  const platform = await startPlatform(() => openOnSqlite({ now }));
  t.after(() => platform.close());
  const databases = { SQLite: platform.store, ...(await onPostgres(t)) };
  const succeeded = new Map<string, number>();
  let run = 0;

  const compare = async (steps: readonly Step[]): Promise<void> => {
    run += 1;
    const stores = { memory: documentsIn(new MemoryStore({ now })), ...databases };
    const history = await History.begin(stores, platform, now, run);
    for (const step of steps) {
      time += 400;
      const done = await history.take(step);
      if (done) succeeded.set(step.kind, (succeeded.get(step.kind) ?? 0) + 1);
    }
    for (const kind of Object.keys(plans)) await history.compareLists(kind);
  };
  const property = fc.asyncProperty(histories, whileTimeLasts(60_000, compare));
  await fc.assert(property, { seed, numRuns: propertyRuns(15), unbiased: true });
  t.diagnostic(`calls that succeeded: ${JSON.stringify(Object.fromEntries(succeeded))}`);
});

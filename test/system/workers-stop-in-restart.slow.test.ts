/** A daemon that is stopped while its workers restart: a worker that leaves finishes what it serves. */
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
import { lives, logLines, pidOf } from './workers.fixture.ts';

/** Milliseconds after which a second signal ends a daemon at once. */
const REPEATED_MS = 1_000;

for (const { workers, skip } of [
  { workers: 1, skip: false },
  { workers: 2, skip: postgresMissing },
])
  test(`a stop during a restart of ${workers} workers interrupts no request`, { skip }, async (t) => {
    const server = workers === 1 ? null : await Postgres.shared();
    if (server !== null) t.after(() => server.stop());
    const database = server === null ? [] : ['--database', await server.database()];
    const platform = await Platform.start({
      args: ['--workers', String(workers), ...database, '--drain-seconds', '60', '--leave-seconds', '0'],
    });
    t.after(() => platform.stop());
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    let requests = 0;
    const upstream = await startUpstream(async (_, response) => {
      requests += 1;
      await answered;
      response.end('whole');
    });
    t.after(() => upstream.stop());
    t.after(() => answer());
    const name = 'slow.underpass.localhost';
    await platform.agent(['http', String(upstream.port), '--domain', name]);
    const pids = await Promise.all(Array.from({ length: workers }, (_, at) => pidOf(platform, at + 1)));
    // With two workers, visitors of both.
    const visits = Array.from({ length: 4 * workers }, () => platform.visit(name));
    await eventually(() => assert.equal(requests, visits.length));

    const restarting = underpassd(['workers', 'restart', '--data-dir', platform.dataDir]);
    const stopping = () => logLines(platform).filter(({ msg = '' }) => msg.startsWith('stopping: ')).length;
    await eventually(() => assert.equal(stopping(), 1));
    const since = performance.now();
    await eventually(() => assert.ok(performance.now() - since > REPEATED_MS));
    const stopped = platform.daemon.stop();
    // The supervisor and, of two workers, the other ones.
    await eventually(() => assert.ok(stopping() > workers));
    answer();
    assert.deepEqual(
      (await Promise.all(visits)).map(({ text }) => text),
      visits.map(() => 'whole'),
    );
    assert.equal((await stopped).code, 0);
    assert.equal((await restarting).code, 1);
    assert.ok(pids.every((pid) => !lives(pid)));
  });

/** A daemon whose database answers late: at most one join or renewal waits. */
import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { eventually, Postgres, postgresMissing, until } from '../../../../../test/harness/index.ts';
import { DirectoryLink } from '../../store/postgres/directory-link.ts';
import { prepare } from '../../store/postgres/open.ts';
import { DirectoryNode } from './node.ts';

const TIMES = { leaseMs: 800, graceMs: 60_000 };
const RENEWAL_MS = 200;

describe('a slow database', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  /** A daemon whose calls of the database wait at a gate. Its timers are those of the test. */
  async function slow(context: TestContext) {
    const url = await server.database();
    await prepare(url);
    context.mock.timers.enable({ apis: ['setInterval'] });
    const link = new DirectoryLink(url);
    const scene = { calls: 0, joined: 0, fenced: 0, gate: Promise.withResolvers<void>() };
    const node = new DirectoryNode({
      link: {
        start: (events) => link.start(events),
        run: async (call) => {
          scene.calls += 1;
          await scene.gate.promise;
          return await link.run(call);
        },
        stop: () => link.stop(),
      },
      ...{ facts: {}, times: TIMES, previous: null, over: () => {}, failed: () => {} },
      now: () => ({ uptime: performance.now(), wall: Date.now() }),
      joined: () => (scene.joined += 1),
      fenced: () => (scene.fenced += 1),
    });
    context.after(() => node.stop());
    const ready = node.start();
    const pass = (renewals: number): void => {
      for (let count = 0; count < renewals; count += 1) context.mock.timers.tick(RENEWAL_MS);
    };
    return { node, link, scene, ready, pass };
  }

  test('a daemon whose join takes longer than several renewals joins once, and stays', async (context) => {
    const { link, scene, ready, pass } = await slow(context);
    await until(() => link.isConnected && scene.calls > 0);
    pass(4);
    // A join of the connection, one of the timer, and a read of what has changed.
    assert.equal(scene.calls, 3);
    scene.gate.resolve();
    await ready;
    await eventually(async () => {
      pass(1);
      const [row, ...others] = await link.run((database) => database.nodes());
      assert.deepEqual([row?.dead_for, others.length], [null, 0]);
      assert.ok(Number(row?.round) > 0);
    });
    assert.deepEqual([scene.joined, scene.fenced], [1, 0]);
  });

  test('renewals do not pile up, so the last answered one was sent lately', async (context) => {
    const { node, link, scene, ready, pass } = await slow(context);
    scene.gate.resolve();
    await ready;
    const roundOf = async () => (await link.run((database) => database.nodes()))[0]?.round;
    const before = await roundOf();
    scene.gate = Promise.withResolvers();
    scene.calls = 0;
    pass(5);
    // A renewal, and a read of what has changed.
    assert.equal(scene.calls, 2);
    scene.gate.resolve();
    await eventually(async () => assert.equal(await roundOf(), Number(before) + 1));
    await eventually(async () => {
      pass(1);
      assert.ok(Number(await roundOf()) > Number(before) + 1);
    });
    assert.equal(node.serves, true);
  });
});

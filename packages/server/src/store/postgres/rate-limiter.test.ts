import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Postgres, postgresMissing } from '../../../../../test/harness/index.ts';
import { StoreUnavailableError } from '../store.ts';
import { SWEEP } from './admit.ts';
import { connect } from './connect.ts';
import { migrate, migrations } from './migrations.ts';
import { prepare } from './open.ts';
import { SharedRateLimiter } from './rate-limiter.ts';

describe('a rate limit that daemons share', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.start();
  });
  after(() => server.stop());

  async function open(count: number, limit: number, now?: () => number) {
    const url = await server.database();
    await prepare(url);
    const options = { url, limit, ...(now === undefined ? {} : { now }) };
    const limiters = Array.from({ length: count }, () => new SharedRateLimiter(options));
    return {
      limiters: limiters as [SharedRateLimiter, ...SharedRateLimiter[]],
      /** Makes admissions older. */
      age: (seconds: number, which = 'true') =>
        server.query(url, `UPDATE underpass.admissions SET at = at - interval '${seconds} s' WHERE ${which}`),
      admissions: async () => (await server.query(url, 'SELECT key FROM underpass.admissions')).length,
      query: (sql: string) => server.query(url, sql),
      close: () => Promise.all(limiters.map((limiter) => limiter.close())),
    };
  }

  test('many that ask at once, through several, are admitted exactly as often as the limit says', async () => {
    const { limiters, admissions, close } = await open(3, 50);
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, at) => limiters[at % 3]?.admit(at % 2 === 0 ? 'ac_1' : 'ac_2')),
    );
    assert.equal(answers.filter((answer) => answer === null).length, 100);
    assert.equal(await admissions(), 100);
    for (const answer of answers) if (answer !== null) assert.ok(Number(answer) >= 1 && Number(answer) <= 60);
    await close();
  });

  test('the window rolls: what was admitted frees its place when it is a minute old, not all at once', async () => {
    const { limiters, age, close } = await open(3, 3);
    const ask = async (which: number) => await limiters[which]?.admit('ac_1');
    const begun = performance.now();
    const isAbout = (seconds: unknown, most: number) =>
      Number(seconds) <= most && Number(seconds) >= most - (performance.now() - begun) / 1000;
    assert.equal(await ask(0), null);
    await age(40);
    assert.deepEqual([await ask(0), await ask(1)], [null, null]);
    assert.equal(await limiters[2]?.used('ac_1'), 3, 'and each daemon knows how many there were');
    assert.ok(isAbout(await ask(0), 20));
    await age(21);
    assert.equal(await limiters[2]?.used('ac_1'), 2);
    assert.equal(await ask(1), null);
    assert.ok(isAbout(await ask(2), 39));
    await close();
  });

  test('an account that is known to be full is refused without asking', async () => {
    const clock = { now: 0 };
    const { limiters, query, close } = await open(1, 1, () => clock.now);
    const [limiter] = limiters;
    assert.equal(await limiter.admit('ac_1'), null);
    const told = Number(await limiter.admit('ac_1'));
    await query('DELETE FROM underpass.admissions');
    clock.now += 20_000;
    assert.equal(limiter.admit('ac_1'), told - 20);
    assert.equal(await limiter.admit('ac_2'), null);
    clock.now += 40_000;
    assert.equal(await limiter.admit('ac_1'), null);
    await close();
  });

  test('what is given back frees its place at once, for every daemon that does not know the key to be full', async () => {
    const { limiters, admissions, close } = await open(2, 3);
    const [one, two] = limiters;
    for (let at = 0; at < 3; at++) assert.equal(await one.admit('ac_1'), null);
    assert.ok(Number(await one.admit('ac_1')) > 0);
    one.release('ac_1');
    assert.equal(await one.admit('ac_1'), null);
    assert.ok(Number(await two?.admit('ac_1')) > 0);
    for (let at = 0; at < 5; at++) two?.release('ac_1');
    assert.equal(await two?.admit('ac_1'), null);
    assert.equal(await admissions(), 1);
    await close();
  });

  test('many that ask and give back at once leave the count right', async () => {
    const { limiters, admissions, close } = await open(3, 1000);
    const rounds = Array.from({ length: 300 }, async (_, at) => {
      const limiter = limiters[at % 3];
      await limiter?.admit('ac_1');
      if (at % 2 === 0) limiter?.release('ac_1');
    });
    await Promise.all(rounds);
    // Each limiter decides on its own knowledge first.
    for (const limiter of limiters) await limiter.admit('ac_2');
    assert.equal(await admissions(), 150 + 3);
    await close();
  });

  test("a server's clock that was set back blocks nobody for longer than a window", async () => {
    const { limiters, age, close } = await open(1, 2);
    const [limiter] = limiters;
    assert.equal(await limiter.admit('ac_1'), null);
    assert.equal(await limiter.admit('ac_1'), null);
    await age(-86_400);
    for (let at = 0; at < 2; at++) assert.equal(await limiter.admit('ac_1'), null);
    assert.ok(Number(await limiter.admit('ac_1')) <= 60);
    await close();
  });

  test('what no longer counts is swept away, and counting goes on', async () => {
    const clock = { now: 0 };
    const { limiters, age, admissions, close } = await open(1, 2, () => clock.now);
    const [limiter] = limiters;
    for (const key of ['ac_1', 'ac_1', 'ac_2']) assert.equal(await limiter.admit(key), null);
    await age(61, "key = 'ac_1'");
    clock.now += 60_000;
    assert.equal(await limiter.admit('ac_3'), null);
    // The next query waits for the cleanup.
    assert.equal(await limiter.admit('ac_1'), null);
    assert.equal(await admissions(), 3);
    assert.equal(await limiter.admit('ac_1'), null);
    assert.ok(Number(await limiter.admit('ac_1')) > 0);
    await close();
  });

  test('a sweep beside those who ask lets none through that it should not', async () => {
    const { limiters, age, query, close } = await open(2, 5);
    const rounds = Array.from({ length: 20 }, async (_, round) => {
      const answers = await Promise.all([
        ...Array.from({ length: 8 }, (_, at) => limiters[at % 2]?.admit(`ac_${round}`)),
        query(SWEEP),
      ]);
      assert.equal(answers.filter((answer) => answer === null).length, 5);
    });
    await Promise.all(rounds);
    await age(61);
    await query(SWEEP);
    assert.equal(await limiters[1]?.admit('ac_new'), null);
    await close();
  });

  test('a database from before there was a shared limit has it after the next start, however many start', async () => {
    const url = await server.database();
    const client = await connect(url);
    await migrate(client, migrations.slice(0, 1));
    await client.end();
    await Promise.all(Array.from({ length: 5 }, () => prepare(url)));
    const limiter = new SharedRateLimiter({ url, limit: 1 });
    assert.equal(await limiter.admit('ac_1'), null);
    assert.ok(Number(await limiter.admit('ac_1')) > 0);
    await limiter.close();
  });

  test('while the server is away no request is admitted; afterwards it goes on', async () => {
    const { limiters, close } = await open(1, 5);
    const [limiter] = limiters;
    assert.equal(await limiter.admit('ac_1'), null);
    await server.halt();
    await assert.rejects(async () => await limiter.admit('ac_1'), StoreUnavailableError);
    await server.resume();
    assert.equal(await limiter.admit('ac_1'), null);
    await close();
    await assert.rejects(async () => await limiter.admit('ac_1'), StoreUnavailableError);
  });
});

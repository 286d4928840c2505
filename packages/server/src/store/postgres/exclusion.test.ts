import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { Postgres, postgresMissing } from '../../../../../test/harness/postgres.ts';
import { hostname, insertion, refusal } from '../conformance/harness.fixture.ts';
import { ConflictError, type ExcludedName, type Store } from '../store.ts';
import { type ClaimAnswer, type ClaimedTunnel, DirectoryDatabase } from './directory.ts';
import { openPostgresStore } from './store.ts';

const KEY = 'a.x.example';
const OPEN = ['thing'];

function wishOf(account: string, key = KEY, hold = 1_000_000): ClaimedTunnel {
  return {
    ...{ account, credential: `cr_${account}`, session: `ts_${account}`, client: `ag_${account}` },
    ...{ bind: 'b1', slot: key, pooled: false, facts: {}, hold },
  };
}

const exactly = (key: string, includesOwn = false): ExcludedName => ({
  keys: [key],
  below: null,
  includesOwn,
});

describe('names of reservations and of tunnels', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  /** A store and two daemons, 1 and 2, on one new database. */
  async function open(context: TestContext) {
    const url = await server.database();
    const store = await openPostgresStore({ url });
    const clients = [new Client(url), new Client(url)];
    context.after(async () => {
      await Promise.all(clients.map((client) => client.end()));
      await store.close();
    });
    const daemons = await Promise.all(
      clients.map(async (client, index) => {
        await client.connect();
        const directory = await DirectoryDatabase.on(client);
        await directory.join(index + 1, {}, null);
        return directory;
      }),
    );
    return { store, one: daemons[0]!, two: daemons[1]! };
  }

  function reserve(store: Store, account: string, names: readonly ExcludedName[], claim = KEY) {
    return store.write((newId) => [
      { op: 'exclude', account, names },
      insertion(newId('th'), { account, names: [hostname(claim)] }),
    ]);
  }

  async function claim(
    directory: DirectoryDatabase,
    incarnation: number,
    wish: ClaimedTunnel,
    names = [hostname(wish.slot)],
    open = OPEN,
  ): Promise<ClaimAnswer> {
    const [answer] = await directory.changeAll(
      [{ key: wish.slot, wish, unless: { names, open } }],
      incarnation,
    );
    assert.ok(answer != null);
    return answer;
  }

  test('a write is refused by a tunnel of another account, online or held, until that is over', async (context) => {
    const { store, one } = await open(context);
    const answer = await claim(one, 1, wishOf('ac_1'));
    assert.ok(answer.outcome === 'granted');
    const refused = () => refusal(reserve(store, 'ac_2', [exactly('b.x.example'), exactly(KEY)]));
    assert.deepEqual(await refused(), { reason: 'occupied', at: 1, how: 'online' });
    assert.equal(await store.findName(hostname(KEY)), null, 'nothing of the batch was written');
    await one.giveUp(answer.number, 1, true);
    assert.deepEqual(await refused(), { reason: 'occupied', at: 1, how: 'held' });
    const back = await claim(one, 1, wishOf('ac_1', KEY, 0));
    assert.ok(back.outcome === 'granted');
    await one.giveUp(back.number, 1, true);
    await reserve(store, 'ac_2', [exactly(KEY)]);
  });

  test('tunnels of a dead daemon count as held for the time of their claim', async (context) => {
    const { store, one, two } = await open(context);
    await claim(one, 1, wishOf('ac_1'));
    await claim(two, 2, wishOf('ac_1', 'b.x.example', 0));
    await Promise.all([one.leave(1), two.leave(2)]);
    const held = await refusal(reserve(store, 'ac_2', [exactly(KEY)]));
    assert.deepEqual(held, { reason: 'occupied', at: 0, how: 'held' });
    await reserve(store, 'ac_2', [exactly('b.x.example')]);
  });

  test('a wildcard meets the names below it, and a name the wildcards above it', async (context) => {
    const { store, one } = await open(context);
    await claim(one, 1, wishOf('ac_1'));
    await claim(one, 1, wishOf('ac_1', '*.y.example'));
    const wildcard = (base: string): ExcludedName => ({
      ...exactly(`*.${base}`),
      below: `.${base}`,
    });
    for (const names of [[wildcard('x.example')], [wildcard('example')], [exactly('*.y.example')]])
      assert.equal((await refusal(reserve(store, 'ac_2', names))).reason, 'occupied');
    await reserve(store, 'ac_2', [wildcard('other.example'), wildcard('b.x.example'), exactly('x.example')]);
    await reserve(store, 'ac_1', [wildcard('x.example')], 'b.x.example');
  });

  test('tunnels of the own account are in the way only where the write excludes them', async (context) => {
    const { store, one } = await open(context);
    const answer = await claim(one, 1, wishOf('ac_1'));
    const own = [exactly(KEY, true)];
    assert.deepEqual(await refusal(reserve(store, 'ac_1', own)), {
      ...{ reason: 'occupied', at: 0, how: 'online' },
    });
    await reserve(store, 'ac_1', [exactly(KEY)]);
    assert.ok(answer.outcome === 'granted');
    await one.giveUp(answer.number, 1, true);
    await reserve(store, 'ac_1', own, 'b.x.example');
  });

  test('a claim is refused by the nearest document, and other claims of its batch are not', async (context) => {
    const { store, one } = await open(context);
    await reserve(store, 'ac_2', []);
    assert.deepEqual(await claim(one, 1, wishOf('ac_1')), { outcome: 'reserved', account: 'ac_2' });
    assert.equal((await claim(one, 1, wishOf('ac_2'))).outcome, 'granted');
    const closed = await claim(one, 1, wishOf('ac_2', 'b.x.example'), [hostname(KEY)], []);
    assert.deepEqual(closed, { outcome: 'reserved', account: 'ac_2' });
    await reserve(store, 'ac_1', [], '*.x.example');
    const above = [hostname('c.x.example'), hostname('*.x.example'), hostname(KEY)];
    assert.equal((await claim(one, 1, wishOf('ac_1', 'c.x.example'), above)).outcome, 'granted');
    const batch = ['d.example', KEY, 'e.example'].map((key) => ({
      ...{ key, wish: wishOf('ac_1', key) },
      unless: { names: [hostname(key)], open: OPEN },
    }));
    const outcomes = (await one.changeAll(batch, 1)).map((answer) => answer?.outcome);
    assert.deepEqual(outcomes, ['granted', 'reserved', 'granted']);
  });

  test('of a claim and a write at the same moment exactly one succeeds', async (context) => {
    const { store, one, two } = await open(context);
    let won = 0;
    for (let round = 0; round < 100; round += 1) {
      const key = `${round}.example`;
      const names = [exactly(key)];
      const written = reserve(store, 'ac_9', names, key).then(
        () => 1,
        (error: unknown) => (error instanceof ConflictError ? 0 : Promise.reject(error)),
      );
      // The writer takes several round trips to the lock.
      for (let turn = 0; turn < round % 4; turn += 1) await two.nodes();
      const answers = await Promise.all([
        claim(one, 1, wishOf('ac_1', key)),
        claim(two, 2, wishOf('ac_1', key)),
      ]);
      const granted = answers.filter(({ outcome }) => outcome === 'granted').length;
      const reserved = await written;
      assert.equal(reserved === 1 ? granted : 2 - granted, 0, `${round}: ${reserved} ${granted}`);
      won += reserved;
    }
    assert.ok(won > 0 && won < 100, `both win now and then: ${won}`);
  });
});

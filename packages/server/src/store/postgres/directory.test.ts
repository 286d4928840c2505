import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { Client } from 'pg';
import { Postgres, postgresMissing } from '../../../../../test/harness/postgres.ts';
import { eventually } from '../../../../../test/harness/until.ts';
import { type ClaimedTunnel, DirectoryDatabase } from './directory.ts';
import { prepare } from './open.ts';

const LONG_MS = 1_000_000;

function wishOf(name: string, more: Partial<ClaimedTunnel> = {}): ClaimedTunnel {
  return {
    ...{ account: `ac_${name}`, credential: `cr_${name}`, session: `ts_${name}`, client: `ag_${name}` },
    ...{ bind: 'b1', slot: 'a.example', pooled: false, facts: { name }, hold: LONG_MS, ...more },
  };
}

describe('the directory', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  /** Opens connections to one new database, with a living daemon each: 1, 2, … */
  async function open(context: TestContext, count: number): Promise<readonly DirectoryDatabase[]> {
    const url = await server.database();
    await prepare(url);
    const clients = Array.from({ length: count }, () => new Client(url));
    context.after(() => Promise.all(clients.map((client) => client.end())));
    return await Promise.all(
      clients.map(async (client, index) => {
        await client.connect();
        const directory = await DirectoryDatabase.on(client);
        await directory.join(index + 1, { machine: 'test' }, null);
        return directory;
      }),
    );
  }

  async function granted(
    directory: DirectoryDatabase,
    key: string,
    incarnation: number,
    wish: ClaimedTunnel,
  ) {
    const answer = await directory.claim(key, incarnation, wish);
    assert.equal(answer.outcome, 'granted', JSON.stringify(answer));
    return answer as typeof answer & { outcome: 'granted' };
  }

  test('of many claims at once by different credentials exactly one is granted, whatever the daemon', async (context) => {
    const daemons = await open(context, 6);
    for (let round = 0; round < 20; round += 1) {
      const key = `${round}.example`;
      // The row of a name that was free before is there already.
      if (round % 2 === 0)
        await daemons[0]!.giveUp((await granted(daemons[0]!, key, 1, wishOf('0'))).number, 1, false);
      const answers = await Promise.all(
        daemons.map((daemon, index) => daemon.claim(key, index + 1, wishOf(`${index}`))),
      );
      const outcomes = answers.map(({ outcome }) => outcome).sort();
      assert.deepEqual(outcomes, ['granted', ...Array(daemons.length - 1).fill('refused')]);
    }
  });

  test('a claim of the same credential replaces the tunnel, and only its own daemon deletes the row', async (context) => {
    const [one, two] = await open(context, 2);
    const first = await granted(one!, 'a.example', 1, wishOf('x'));
    const second = await granted(two!, 'a.example', 2, wishOf('x', { session: 'ts_2', client: 'ag_2' }));
    assert.ok(second.version > first.version);
    assert.deepEqual(
      second.tunnels.map(({ number, over, facts }) => [number, over, facts]),
      [
        [first.number, true, { name: 'x' }],
        [second.number, false, { name: 'x' }],
      ],
    );
    await two!.giveUp(second.number, 2, false);
    await two!.giveUp(first.number, 2, false);
    const refused = await two!.claim('a.example', 2, wishOf('y'));
    assert.equal(refused.outcome === 'refused' && refused.rival.number, first.number);
    await one!.giveUp(first.number, 1, true);
    await granted(two!, 'a.example', 2, wishOf('y'));
  });

  test('the name of an agent that left is held for its credential, for the time of the claim', async (context) => {
    const [one, two] = await open(context, 2);
    const tunnel = await granted(one!, 'a.example', 1, wishOf('x'));
    await one!.giveUp(tunnel.number, 1, true);
    const [held] = (await two!.changes(null)).keys;
    assert.ok(held!.version > tunnel.version, 'a hold is news for the other daemons');
    const refused = await two!.claim('a.example', 2, wishOf('y'));
    assert.ok(refused.outcome === 'refused' && refused.wait !== null && refused.wait <= LONG_MS);
    assert.ok(refused.wait > LONG_MS - 60_000);
    const back = await granted(two!, 'a.example', 2, wishOf('x', { hold: 0 }));
    assert.deepEqual(
      back.tunnels.map(({ number }) => number),
      [back.number],
    );
    await two!.giveUp(back.number, 2, true);
    await granted(one!, 'a.example', 1, wishOf('y'));
  });

  test('a daemon is dead when its round stands still, and never again alive', async (context) => {
    const [one, two] = await open(context, 2);
    const tunnel = await granted(one!, 'a.example', 1, wishOf('x', { hold: 0 }));
    assert.equal(await one!.renew(1), true);
    const [known] = await two!.nodes();
    assert.deepEqual([known?.incarnation, known?.round, known?.dead_for], [1, 1, null]);
    assert.equal(await one!.renew(1), true);
    await two!.bury(1, known!.round);
    assert.equal(await one!.renew(1), true, 'it has renewed since');
    assert.equal((await two!.claim('a.example', 2, wishOf('y'))).outcome, 'refused');
    await two!.bury(1, 3);
    assert.equal(await one!.renew(1), false);
    assert.equal((await one!.claim('b.example', 1, wishOf('x'))).outcome, 'dead');
    const { tunnels } = await granted(two!, 'a.example', 2, wishOf('y'));
    assert.equal(
      tunnels.some(({ number }) => number === tunnel.number),
      false,
    );
  });

  test('the successor of a daemon declares it dead, and one that leaves is dead at once', async (context) => {
    const [one, two] = await open(context, 2);
    await one!.join(7, {}, 1);
    await two!.leave(2);
    const dead = (await one!.nodes()).map(({ incarnation, dead_for }) => [incarnation, dead_for !== null]);
    assert.deepEqual(dead, [
      [1, true],
      [2, true],
      [7, false],
    ]);
  });

  test('a join that is repeated is the same life, and none if it is dead', async (context) => {
    const [one, two] = await open(context, 2);
    assert.deepEqual(await one!.join(8, {}, 1), []);
    assert.deepEqual(await one!.join(8, {}, 1), []);
    const lives = (await two!.nodes()).map(({ incarnation, dead_for: dead }) => [incarnation, dead === null]);
    assert.deepEqual(lives, [
      [1, false],
      [2, true],
      [8, true],
    ]);
    await two!.leave(8);
    assert.equal(await one!.join(8, {}, 1), null);
  });

  test('an isolated daemon is dead and marked until its next life, and its sessions are returned once', async (context) => {
    const [one, two] = await open(context, 2);
    const facts = { kind: 'session', facts: { id: 'ts_1' } };
    await granted(one!, 'session:ts_1', 1, wishOf('a', { slot: '', facts }));
    await granted(one!, 'a.example', 1, wishOf('a'));
    assert.deepEqual(await two!.isolate(1), [{ id: 'ts_1' }]);
    assert.deepEqual(await two!.isolate(1), []);
    assert.equal(await one!.renew(1), false);
    const refused = await two!.claim('a.example', 2, wishOf('b'));
    assert.equal(refused.outcome, 'refused');
    const marks = async () =>
      (await two!.nodes()).map(({ facts: shown }) => (shown as { isolated?: true }).isolated === true);
    assert.deepEqual(await marks(), [true, false]);
    await one!.join(3, {}, 1);
    assert.deepEqual(await marks(), [false, false, false]);
  });

  test('changes that commit late are not missed', async (context) => {
    const url = await server.database();
    await prepare(url);
    const clients = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const client = new Client(url);
        await client.connect();
        return client;
      }),
    );
    context.after(() => Promise.all(clients.map((client) => client.end())));
    const [early, late, reader] = await Promise.all(clients.map((client) => DirectoryDatabase.on(client)));
    await early!.join(1, {}, null);
    const keysOf = ({ keys }: { readonly keys: readonly { readonly key: string }[] }) =>
      keys.map(({ key }) => key).sort();
    await clients[1]!.query('BEGIN');
    await granted(late!, 'late.example', 1, wishOf('x'));
    await granted(early!, 'early.example', 1, wishOf('x'));
    const before = await reader!.changes(null);
    assert.deepEqual(keysOf(before), ['early.example']);
    await clients[1]!.query('COMMIT');
    let since = await reader!.changes(before.seen);
    assert.ok(keysOf(since).includes('late.example'));
    // Transactions of other tests count as open, too.
    await eventually(async () => {
      since = await reader!.changes(since.seen);
      assert.deepEqual(keysOf(since), []);
    });
  });

  test('a grant that was answered is durable, however the server is configured', async (context) => {
    const url = await server.database();
    await prepare(url);
    const name = new URL(url).pathname.slice(1);
    for (const [configured, used] of [
      ['off', 'on'],
      ['local', 'on'],
      ['remote_write', 'on'],
      ['on', 'on'],
      ['remote_apply', 'remote_apply'],
    ] as const) {
      await server.query(url, `ALTER DATABASE "${name}" SET synchronous_commit = ${configured}`);
      const client = new Client(url);
      await client.connect();
      context.after(() => client.end());
      await DirectoryDatabase.on(client);
      const { rows } = await client.query('SHOW synchronous_commit');
      assert.deepEqual(rows, [{ synchronous_commit: used }], configured);
    }
  });

  test('rows of labelled tunnels and sessions go with their daemon, and those of names are holds', async (context) => {
    const [one, two] = await open(context, 2);
    for (const key of ['label:tn_1', 'session:ts_1', 'a.example']) await granted(one!, key, 1, wishOf('x'));
    await granted(two!, 'session:ts_2', 2, wishOf('x'));
    const before = await two!.changes(null);
    await one!.leave(1);
    const changed = new Map(
      (await two!.changes(before.seen)).keys.map((one) => [one.key, one.tunnels.length]),
    );
    assert.deepEqual([changed.get('label:tn_1'), changed.get('session:ts_1')], [0, 0]);
    const left = (await two!.changes(null)).keys.map(({ key }) => key);
    assert.deepEqual(left.sort(), ['a.example', 'session:ts_2']);
  });

  test('the sessions of a daemon that is declared dead are returned once', async (context) => {
    const [one, two, three] = await open(context, 3);
    const described = (id: string) => ({ kind: 'session', facts: { id } });
    for (const id of ['ts_1', 'ts_2'])
      await granted(one!, `session:${id}`, 1, { ...wishOf('x'), facts: described(id) });
    await granted(one!, 'label:tn_1', 1, { ...wishOf('x'), facts: { kind: 'tunnel', facts: {} } });
    assert.deepEqual(await two!.bury(1, 9), [], 'it has renewed since');
    assert.deepEqual(await two!.bury(1, 0), [{ id: 'ts_1' }, { id: 'ts_2' }]);
    assert.deepEqual(await three!.bury(1, 0), []);
    await granted(two!, 'session:ts_3', 2, { ...wishOf('x'), facts: described('ts_3') });
    assert.deepEqual(await three!.join(4, {}, 2), [{ id: 'ts_3' }], 'the next process on a data dir');
    assert.deepEqual(await three!.join(5, {}, null), []);
  });

  test('texts of agents that PostgreSQL cannot store stop no change', async (context) => {
    const [one] = await open(context, 1);
    const texts = {
      nul: 'a\0b',
      half: 'a\ud800b',
      second: '\udc00',
      pair: '\u{1f600}',
      literal: '\\u0000 \\ud800 \\',
    };
    const wish = wishOf('x', { bind: '\0', facts: texts });
    const changes = [
      { key: 'a.example', wish },
      { key: 'b.example', wish: wishOf('y') },
    ];
    const [first, second] = await one!.changeAll(changes, 1);
    assert.deepEqual([first?.outcome, second?.outcome], ['granted', 'granted']);
    assert.ok(first?.outcome === 'granted');
    const [row] = first.tunnels;
    assert.deepEqual(
      [row?.bind, row?.facts],
      ['\ufffd', { ...texts, nul: 'a\ufffdb', half: 'a\ufffdb', second: '\ufffd' }],
    );
    const update = { session: 'ts_2', bind: 'b1', pooled: false, facts: { text: '\ud800\0' } };
    await one!.changeAll([{ key: 'a.example', number: first.number, update }], 1);
  });

  test('a row that another daemon marks as over says why, and no other credential can mark it', async (context) => {
    const [one, two] = await open(context, 2);
    const { number, key } = await granted(one!, 'session:ts_1', 1, wishOf('x'));
    const marked = async (credential: string) => {
      await two!.changeAll([{ key, number, over: 'session', credential }], 2);
      return (await one!.changes(null)).keys[0]?.tunnels.map(({ over, over_by }) => [over, over_by]);
    };
    assert.deepEqual(await marked('cr_y'), [[false, null]]);
    assert.deepEqual(await marked('cr_x'), [[true, 'session']]);
  });

  test('only its own daemon writes other facts into a row', async (context) => {
    const [one, two] = await open(context, 2);
    const { number, key, version } = await granted(one!, 'a.example', 1, wishOf('x'));
    const update = { session: 'ts_9', bind: 'b9', pooled: true, facts: { new: true } };
    const written = async (directory: DirectoryDatabase, incarnation: number) => {
      await directory.changeAll([{ key, number, update }], incarnation);
      const [found] = (await one!.changes(null)).keys;
      return { ...found!.tunnels[0], version: found!.version };
    };
    assert.equal((await written(two!, 2)).version, version);
    const { session, bind, pooled, facts, version: next } = await written(one!, 1);
    assert.deepEqual({ session, bind, pooled, facts }, update);
    assert.ok(next > version);
  });

  test('a hold that ended an hour ago is forgotten', async (context) => {
    const url = await server.database();
    await prepare(url);
    const client = new Client(url);
    await client.connect();
    context.after(() => client.end());
    const directory = await DirectoryDatabase.on(client);
    await directory.join(1, {}, null);
    const { number } = await granted(directory, 'a.example', 1, wishOf('x'));
    await directory.giveUp(number, 1, true);
    await directory.sweep();
    assert.equal((await directory.changes(null)).keys.length, 1);
    await client.query("UPDATE underpass.tunnels SET held_until = clock_timestamp() - interval '61 minutes'");
    await directory.sweep();
    assert.deepEqual((await directory.changes(null)).keys, []);
  });

  test('dead daemons and names without tunnels are forgotten after an hour', async (context) => {
    const url = await server.database();
    await prepare(url);
    const client = new Client(url);
    await client.connect();
    context.after(() => client.end());
    const directory = await DirectoryDatabase.on(client);
    await directory.join(1, {}, null);
    await directory.join(2, {}, null);
    const gone = await granted(directory, 'gone.example', 1, wishOf('x'));
    await granted(directory, 'stays.example', 2, wishOf('x'));
    await directory.giveUp(gone.number, 1, false);
    await directory.leave(1);
    await directory.leave(2);
    const hourAgo = "clock_timestamp() - interval '61 minutes'";
    await client.query(`UPDATE underpass.nodes SET dead = ${hourAgo}`);
    await directory.sweep();
    assert.equal((await directory.changes('0')).keys.length, 2, 'the names are younger');
    await client.query(`UPDATE underpass.bound_names SET changed = ${hourAgo}`);
    await directory.sweep();
    assert.deepEqual(
      (await directory.changes('0')).keys.map(({ key }) => key),
      ['stays.example'],
    );
    assert.deepEqual(
      (await directory.nodes()).map(({ incarnation }) => incarnation),
      [2],
    );
  });
});

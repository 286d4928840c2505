import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { eventually, Postgres, postgresMissing, Relay } from '../../../../../test/harness/index.ts';
import type { ClaimedTunnel } from '../../store/postgres/directory.ts';
import { DirectoryLink } from '../../store/postgres/directory-link.ts';
import { prepare } from '../../store/postgres/open.ts';
import { DirectoryNode } from './node.ts';
import type { NodeOptions } from './node-options.ts';

const NAME = 'a.example';
/** The fence falls after 1.7 s, and a silent daemon is dead after two: a busy machine may be late by more than one. */
const TIMES = { leaseMs: 800, graceMs: 1_200 };

function wishOf(credential: string, session = `ts_${credential}`): ClaimedTunnel {
  return {
    ...{ account: `ac_${credential}`, credential, session, client: `ag_${session}`, bind: 'b1' },
    ...{ slot: NAME, pooled: false, facts: {}, hold: 0 },
  };
}

describe('a daemon in the directory', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  async function prepared() {
    const url = await server.database();
    await prepare(url);
    return url;
  }

  async function start(
    context: TestContext,
    url: string,
    replaced?: NodeOptions['replaced'],
    more: Partial<NodeOptions> = {},
  ) {
    const log: string[] = [];
    const incarnations: number[] = [];
    const link = new DirectoryLink(url);
    let connected: (isOther: boolean) => void = () => {};
    let running = 0;
    const node = new DirectoryNode({
      link: {
        start: (events) => {
          connected = events.connected;
          link.start(events);
        },
        run: (call) => {
          running += 1;
          return link.run(call).finally(() => (running -= 1));
        },
        stop: () => link.stop(),
      },
      ...{ facts: {}, times: TIMES, previous: null },
      now: () => ({ uptime: performance.now(), wall: Date.now() }),
      joined: (incarnation) => incarnations.push(incarnation),
      over: (number) => log.push(`over ${number}`),
      failed: () => {},
      fenced: (reason) => log.push(reason),
      ...(replaced === undefined ? {} : { replaced }),
      ...more,
    });
    context.after(() => node.stop());
    await node.start();
    /** Pretends that another server has answered. */
    const exchange = () => connected(true);
    /** Resolves when a read and a renewal are under way. The answers must be held. */
    const busy = () => eventually(() => assert.equal(running, 2));
    return { node, link, log, incarnations, exchange, busy };
  }

  /** A node whose connection to the database can be cut. */
  async function startBehind(context: TestContext, url: string, more: Partial<NodeOptions> = {}) {
    const relay = await Relay.start({ port: server.port, delayMs: () => 0 });
    context.after(() => relay.stop());
    const through = new URL(url);
    through.port = String(relay.port);
    const started = await start(context, through.href, undefined, more);
    const cut = async () => {
      relay.lead(null);
      relay.cut();
      await eventually(() => assert.equal(started.link.isConnected, false));
    };
    return { ...started, relay, cut, heal: () => relay.lead(server.port) };
  }

  async function granted(node: DirectoryNode, wish: ClaimedTunnel, key = NAME): Promise<number> {
    const outcome = await node.claim(key, wish);
    assert.equal(outcome.outcome, 'granted');
    return 'number' in outcome ? outcome.number : 0;
  }

  test('a claim of its credential elsewhere ends a tunnel, whose row goes then', async (context) => {
    const url = await prepared();
    const [one, two] = [await start(context, url), await start(context, url)];
    const first = await granted(one.node, wishOf('x', 'ts_1'));
    const second = await granted(two.node, wishOf('x', 'ts_2'));
    await eventually(() => assert.deepEqual(one.log, [`over ${first}`]));
    await eventually(() => {
      for (const { node } of [one, two])
        assert.deepEqual(
          node.rows(NAME).map(({ number, isOver }) => [number, isOver]),
          [[second, false]],
        );
    });
    assert.deepEqual(two.log, []);
  });

  test('a claim is answered when the daemon of the replaced tunnel has ended it, or cannot', async (context) => {
    const url = await prepared();
    const one = await start(context, url);
    const order: string[] = [];
    const two = await start(context, url, async (numbers) => {
      order.push('asked');
      one.node.end([...numbers.values()].flat());
      order.push(...one.log);
    });
    const first = await granted(one.node, wishOf('x', 'ts_1'));
    await granted(two.node, wishOf('x', 'ts_2'));
    assert.deepEqual(order, ['asked', `over ${first}`]);
    one.node.end([first]);
    assert.deepEqual(one.log, [`over ${first}`], 'a tunnel ends once');
    const three = await start(context, url, () => new Promise(() => {}));
    await granted(three.node, wishOf('x', 'ts_3'));
  });

  test('one that cannot renew ends its tunnels before another credential has their names', async (context) => {
    const url = await prepared();
    const [one, two] = [await startBehind(context, url), await start(context, url)];
    await granted(one.node, wishOf('x'));
    assert.equal(one.node.serves, true);
    await one.cut();
    assert.equal((await two.node.claim(NAME, wishOf('y'))).outcome, 'refused');
    await eventually(async () => {
      assert.equal((await two.node.claim(NAME, wishOf('y'))).outcome, 'granted');
    });
    assert.equal(one.node.serves, false);
    assert.equal(one.log[0], 'silent');
    one.heal();
    await eventually(() => assert.equal(one.log.at(-1), 'dead'));
    await eventually(() => assert.equal(one.node.serves, true));
    assert.equal(one.incarnations.length, 2);
    assert.equal((await one.node.claim(NAME, wishOf('x'))).outcome, 'refused');
  });

  /** Isolated early: another daemon could always renew, and declares it dead. */
  const isolatedBy = (other: { readonly node: DirectoryNode }, own: () => number): Partial<NodeOptions> => ({
    // The fence falls later than a busy machine needs.
    times: { leaseMs: TIMES.leaseMs, graceMs: 60_000 },
    isolation: {
      afterMs: 600,
      ask: async (heard) => heard({ agoMs: 0, steadyMs: 1_000_000 }),
      leave: () => other.node.bury(own()).then(() => true),
      linked: async () => {},
    },
  });

  test('one that alone cannot renew ends its life, its names are free early, and the next life knows all', async (context) => {
    const url = await prepared();
    const two = await start(context, url);
    const one = await startBehind(
      context,
      url,
      isolatedBy(two, () => one.incarnations[0]!),
    );
    await granted(one.node, wishOf('x'));
    const [first] = one.incarnations;
    await one.cut();
    await eventually(() => assert.deepEqual([one.log, one.node.isolated.is], [['isolated'], true]));
    assert.deepEqual([one.node.serves, one.node.incarnation, one.node.renewals], [false, null, null]);
    await eventually(() => assert.equal(two.node.nodes.get(first!)?.isDead, true));
    const third = await granted(two.node, wishOf('y'));
    one.heal();
    await eventually(() => assert.equal(one.node.isolated.is, false));
    assert.equal(one.node.serves, true);
    assert.notEqual(one.node.incarnation, first);
    assert.deepEqual(
      one.node.liveElsewhere(NAME).map(({ number }) => number),
      [third],
    );
    assert.deepEqual(one.log, ['isolated']);
  });

  test('late answers to an isolated daemon bring nothing back, and its claim is made by its next life', async (context) => {
    const url = await prepared();
    const two = await start(context, url);
    const one = await startBehind(
      context,
      url,
      isolatedBy(two, () => one.incarnations[0]!),
    );
    const [first] = one.incarnations;
    // Behind a read whose answer is held the claim would not be sent.
    await one.link.run(async () => {});
    one.relay.hold('back');
    const claim = one.node.claim(NAME, wishOf('x'));
    const rows = () => server.query(url, 'SELECT incarnation FROM underpass.tunnels ORDER BY number');
    await eventually(async () => assert.equal((await rows()).length, 1));
    await eventually(() => assert.equal(one.node.isolated.is, true));
    await eventually(() => assert.equal(two.node.nodes.get(first!)?.isDead, true));
    one.relay.release();
    const outcome = await claim;
    assert.equal(outcome.outcome, 'granted');
    const number = outcome.outcome === 'granted' ? outcome.number : 0;
    assert.notEqual(one.node.incarnation, first);
    assert.equal(one.node.row(number)?.incarnation, one.node.incarnation);
    const found = (await rows()).map(({ incarnation }) => Number(incarnation));
    assert.deepEqual(found, [one.node.incarnation]);
  });

  test('a claim waits for the database, and rows of lost answers go', async (context) => {
    const url = await prepared();
    const [one, two] = [await startBehind(context, url), await start(context, url)];
    await one.cut();
    const claim = one.node.claim(NAME, wishOf('x'));
    one.heal();
    assert.equal((await claim).outcome, 'granted');
    await eventually(() => assert.equal(two.node.rows(NAME).length, 1));
  });

  test('of names that came and went no daemon keeps anything', async (context) => {
    const url = await prepared();
    const [one, two] = [await start(context, url), await start(context, url)];
    for (let n = 0; n < 50; n += 1) {
      const outcome = await one.node.claim(`${n}.example`, wishOf('x'));
      assert.ok(outcome.outcome === 'granted');
      one.node.giveUp(outcome.number);
    }
    await granted(one.node, wishOf('x'));
    for (const { node } of [one, two]) await eventually(() => assert.deepEqual([...node.keys()], [NAME]));
  });

  test('a daemon whose tunnel is lost in a failover ends all, and claims anew', async (context) => {
    const url = await prepared();
    const { node, link, log } = await start(context, url);
    await granted(node, wishOf('x'));
    link.renew();
    await eventually(() => assert.equal(link.isConnected, true));
    assert.equal((await node.claim('b.example', wishOf('x'))).outcome, 'granted');
    assert.deepEqual(log, [], 'the same database');
    await server.query(url, 'DELETE FROM underpass.tunnels; DELETE FROM underpass.bound_names');
    link.renew();
    await eventually(() => assert.deepEqual(log, ['lost']));
    await granted(node, wishOf('x'));
  });

  test('after a failover that lost commits no name changes its credential for lease and grace', async (context) => {
    const url = await prepared();
    const [one, two] = [await start(context, url), await startBehind(context, url)];
    await granted(one.node, wishOf('x'));
    await granted(two.node, { ...wishOf('z'), slot: 'b.example' }, 'b.example');
    await eventually(() => assert.equal(two.node.liveElsewhere(NAME).length, 1));
    await two.cut();
    const waiting = two.node.claim(NAME, wishOf('y'));
    await server.query(url, 'DELETE FROM underpass.tunnels; DELETE FROM underpass.bound_names');
    two.heal();
    const refused = await waiting;
    assert.ok(refused.outcome === 'refused' && refused.wait !== null);
    assert.ok(refused.wait < TIMES.leaseMs + TIMES.graceMs + 1_000);
    assert.deepEqual(two.log, ['lost']);
    await eventually(async () => {
      assert.equal((await two.node.claim(NAME, wishOf('y'))).outcome, 'granted');
    });
  });

  test('names of tunnels that ended while the server was exchanged stay with their credentials for a while', async (context) => {
    const url = await prepared();
    const { node, exchange, busy, relay } = await startBehind(context, url);
    // A life of another daemon, whose tunnel is lost with a commit.
    await server.query(
      url,
      'INSERT INTO underpass.nodes (incarnation, facts) VALUES (7, \'{"life_ms": 600000}\')',
    );
    const client = new DirectoryLink(url);
    context.after(() => client.stop());
    client.start({ connected() {}, news() {} });
    await eventually(() => assert.equal(client.isConnected, true));
    await client.run((database) => database.claim(NAME, 7, wishOf('x')));
    await eventually(() => assert.equal(node.liveElsewhere(NAME).length, 1));
    await server.query(url, 'DELETE FROM underpass.tunnels; DELETE FROM underpass.bound_names');
    // The answer of the former server is on its way.
    relay.hold('back');
    await busy();
    exchange();
    relay.release();
    assert.equal((await node.claim(NAME, wishOf('y'))).outcome, 'refused');
    assert.equal((await node.claim('other.example', wishOf('y'))).outcome, 'granted');
  });

  test('a session that ends while the database is away leaves no claim', async (context) => {
    const url = await prepared();
    const { node, cut, heal } = await startBehind(context, url);
    await cut();
    const claims = [node.claim(NAME, wishOf('x', 'ts_1')), node.claim(NAME, wishOf('x', 'ts_2'))];
    node.cancel('ts_1');
    assert.deepEqual(await claims[0], { outcome: 'over' });
    heal();
    assert.equal((await claims[1])?.outcome, 'granted');
    assert.deepEqual(
      node.rows(NAME).map(({ facts }) => facts.session),
      ['ts_2'],
    );
  });

  test('an agent that returns has its tunnel again until the statement that gives it up is sent', async (context) => {
    const url = await prepared();
    const { node, cut, heal } = await startBehind(context, url);
    const number = await granted(node, wishOf('x'));
    await cut();
    const who = { account: 'ac_x', credential: 'x', session: 'ts_9', clientId: 'ag_ts_x', isPooled: false };
    const wish = { ...who, bindId: '', endpoint: null };
    node.giveUp(number, { kept: true });
    assert.equal(node.revive(NAME, { ...wish, credential: 'y' }), null);
    assert.equal(node.revive(NAME, { ...wish, clientId: 'ag_other' }), null);
    assert.equal(node.revive(NAME, wish), number);
    assert.equal(node.revive(NAME, wish), null);
    node.giveUp(number, { kept: true });
    heal();
    await eventually(() => assert.ok(node.rows(NAME).every(({ heldUntil }) => heldUntil !== undefined)));
    assert.equal(node.revive(NAME, wish), null);
  });

  test('another daemon learns of tunnels, of their end and of the death of their daemon in one turn', async (context) => {
    const url = await prepared();
    const [one, two] = [await startBehind(context, url), await start(context, url)];
    const seen: string[] = [];
    two.node.onRows((key) =>
      seen.push(`${key} ${two.node.liveElsewhere(key).map(({ number }) => number === first || number)}`),
    );
    const facts = { kind: 'session', facts: { id: 'ts_x' } };
    const first = await granted(one.node, { ...wishOf('x'), facts });
    await eventually(() => assert.equal(seen.at(-1), `${NAME} true`));
    assert.deepEqual(two.node.row(first)?.entry, facts);
    assert.deepEqual(one.node.liveElsewhere(NAME), []);
    one.node.giveUp(first);
    await eventually(() => assert.equal(seen.at(-1), `${NAME} `));
    assert.equal(two.node.row(first), undefined);
    const second = await granted(one.node, wishOf('x'));
    await eventually(() => assert.equal(seen.at(-1), `${NAME} ${second}`));
    await one.cut();
    await eventually(() => assert.equal(seen.at(-1), `${NAME} `));
    assert.equal(two.node.rows(NAME).length, 1, 'the row holds the name still');
  });

  test('after a list of all rows those that are gone are known', async (context) => {
    const url = await prepared();
    const [one, two] = [await start(context, url), await startBehind(context, url)];
    const number = await granted(one.node, wishOf('x'));
    await eventually(() => assert.equal(two.node.liveElsewhere(NAME).length, 1));
    await two.cut();
    one.node.giveUp(number);
    const seen: string[] = [];
    two.node.onRows((key) => seen.push(key));
    await eventually(() => assert.deepEqual(one.node.rows(NAME), []));
    await server.query(url, 'DELETE FROM underpass.bound_names');
    two.heal();
    await eventually(() => assert.deepEqual(seen, [NAME]));
    assert.equal(two.node.row(number), undefined);
  });

  test('its names are held, and it is dead, as soon as it stops', async (context) => {
    const url = await prepared();
    const [one, two] = [await start(context, url), await start(context, url)];
    const number = await granted(one.node, { ...wishOf('x'), hold: 1_000_000 });
    one.node.giveUp(number, { kept: true });
    await one.node.stop();
    const refused = await two.node.claim(NAME, wishOf('y'));
    assert.ok(refused.outcome === 'refused' && refused.wait !== null);
    await granted(two.node, wishOf('x', 'ts_2'));
  });
});

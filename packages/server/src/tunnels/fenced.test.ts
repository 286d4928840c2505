import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { field, StreamType } from '@underpass/wire';
import { eventually, Postgres, postgresMissing, Relay } from '../../../../test/harness/index.ts';
import { noPeers } from '../link/peers.ts';
import type { SessionFacts } from '../online/session.ts';
import { DirectoryLink } from '../store/postgres/directory-link.ts';
import { prepare } from '../store/postgres/open.ts';
import { visitor, World } from './ingress.fixture.ts';
import type { DirectoryOptions } from './ingress-options.ts';

/** The fence falls after 850 ms. No other daemon declares it dead. */
const TIMES = { leaseMs: 400, graceMs: 600 };
const LABELS = new Map([['app', 'fenced']]);

describe('an ingress that cannot renew', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  async function start(context: TestContext, more: Partial<DirectoryOptions> = {}) {
    const url = await server.database();
    await prepare(url);
    const relay = await Relay.start({ port: server.port, delayMs: () => 0 });
    const through = new URL(url);
    through.port = String(relay.port);
    const link = new DirectoryLink(through.href);
    const life = { previous: null, joined: () => {} };
    const directory = { link, facts: {}, times: TIMES, peers: noPeers, ...life, ...more };
    const stopped: string[] = [];
    const observer = { started() {}, stopped: ({ id }: SessionFacts) => void stopped.push(id) };
    const world = await World.create({ directory, observer });
    context.after(async () => {
      await world.stop();
      await relay.stop();
    });
    const rows = async () =>
      await server.query(url, 'SELECT key, over, held_until FROM underpass.tunnels ORDER BY key');
    const cut = async () => {
      relay.lead(null);
      relay.cut();
      await eventually(() => assert.equal(link.isConnected, false));
    };
    return { world, rows, stopped, cut, heal: () => relay.lead(server.port) };
  }

  test('serves no labelled tunnel, ends all sessions, and keeps their names for their credential', async (context) => {
    const { world, rows, cut, heal } = await start(context);
    const credential = await world.credential(await world.account());
    const agent = await world.login(credential);
    const idle = await world.login(credential);
    await agent.bind({ Domain: 'kept.underpass.localhost' });
    await agent.request(StreamType.startTunnelWithLabel, { Labels: Object.fromEntries(LABELS) });
    const labelled = () => world.ingress.online.matching(credential.account, LABELS);
    const [tunnel] = labelled();
    assert.equal(tunnel?.isFenced, false);
    await eventually(async () => assert.equal((await rows()).length, 4));
    await cut();
    await eventually(() => assert.deepEqual(labelled(), []));
    assert.equal(tunnel?.isFenced, true);
    for (const one of [agent, idle])
      await eventually(() => assert.ok(one.mux.isClosed, 'an agent without tunnels has a row, too'));
    // A session that begins meanwhile has a labelled tunnel, and nothing is sent through it.
    const late = await world.login(credential);
    const answer = await late.request(StreamType.startTunnelWithLabel, { Labels: { app: 'fenced' } });
    assert.equal(field(answer, 'Error'), '');
    const [waiting] = labelled();
    assert.equal(waiting?.open(visitor), null);
    heal();
    await eventually(async () => {
      const found = (await rows()).map(({ key, held_until }) => [
        String(key).replace(/_.*/, ''),
        held_until !== null,
      ]);
      assert.deepEqual(found, [
        ['kept.underpass.localhost', true],
        ['label:tn', false],
        ['session:ts', false],
      ]);
    });
    await eventually(() => assert.equal(waiting?.isFenced, false));
  });

  test('isolated, it ends all agents and takes none, and another daemon reports the end of their sessions', async (context) => {
    const { world, stopped, rows, cut, heal } = await start(context, {
      times: { leaseMs: 400, graceMs: 60_000 },
      isolation: {
        afterMs: 300,
        ask: async (heard) => heard({ agoMs: 0, steadyMs: 1_000_000 }),
        leave: async () => false,
        linked: async () => {},
      },
    });
    const credential = await world.credential(await world.account());
    const agent = await world.login(credential);
    await agent.bind({ Domain: 'isolated.underpass.localhost' });
    const waiting = await world.connect();
    await eventually(async () => assert.equal((await rows()).length, 2));
    await cut();
    for (const one of [agent, waiting]) assert.match((await one.closed).debug, /ERR_TEST_60851$/);
    const late = await world.connect();
    assert.match((await late.closed).debug, /ERR_TEST_60851$/);
    assert.equal(world.ingress.directory?.isolated.is, true);
    assert.deepEqual(stopped, [], 'the daemon that declares this one dead reports it');
    heal();
    await eventually(() => assert.equal(world.ingress.directory?.isolated.is, false));
    // No other daemon did so: the next life of this one does.
    assert.equal(stopped.length, 1);
    const back = await world.login(credential);
    await back.bind({ Domain: 'isolated.underpass.localhost' });
  });
});

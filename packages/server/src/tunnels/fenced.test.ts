import assert from 'node:assert/strict';
import { after, before, describe, type TestContext, test } from 'node:test';
import { field, StreamType } from '@underpass/wire';
import { eventually, Postgres, postgresMissing, Relay } from '../../../../test/harness/index.ts';
import { noPeers } from '../link/peers.ts';
import { DirectoryLink } from '../store/postgres/directory-link.ts';
import { prepare } from '../store/postgres/open.ts';
import { visitor, World } from './ingress.fixture.ts';

/** The fence falls after 850 ms. No other daemon declares it dead. */
const TIMES = { leaseMs: 400, graceMs: 600 };
const LABELS = new Map([['app', 'fenced']]);

describe('an ingress that cannot renew', { skip: postgresMissing }, () => {
  let server: Postgres;
  before(async () => {
    server = await Postgres.shared();
  });
  after(() => server.stop());

  async function start(context: TestContext) {
    const url = await server.database();
    await prepare(url);
    const relay = await Relay.start({ port: server.port, delayMs: () => 0 });
    const through = new URL(url);
    through.port = String(relay.port);
    const link = new DirectoryLink(through.href);
    const life = { previous: null, joined: () => {} };
    const directory = { link, facts: {}, times: TIMES, peers: noPeers, ...life };
    const world = await World.create({ directory });
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
    return { world, rows, cut, heal: () => relay.lead(server.port) };
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
});

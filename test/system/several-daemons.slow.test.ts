/**
 * Agents on several daemons of one database.
 * Invariant: two credentials never have one name, whatever daemons their agents are connected to.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, type TestContext, test } from 'node:test';
import type { Entry } from '../../packages/server/src/tunnels/directory/entry.ts';
import { type Credentials, type Json, StreamType } from '../agents/index.ts';
import {
  eventually,
  Platform,
  Postgres,
  postgresMissing,
  Relay,
  shareMasterKey,
  underpassd,
} from '../harness/index.ts';
import { addAccount } from './attacks.fixture.ts';
import { StockAgent } from './stock-agent.fixture.ts';

shareMasterKey();

const ONLINE = /ERR_SERVICE_334/;
const HELD = /ERR_SERVICE_60303/;

describe('agents on two daemons of one database', { skip: postgresMissing }, () => {
  let server: Postgres;
  let relay: Relay;
  let first: Platform;
  let second: Platform;
  let mine: string;
  let theirs: string;
  let theirKey: string;
  let database: string;

  before(async () => {
    server = await Postgres.shared();
    const url = await server.database();
    database = url;
    relay = await Relay.start({ port: server.port, delayMs: () => 0 });
    // The first one can be cut off from the database.
    const through = new URL(url);
    through.port = String(relay.port);
    first = await Platform.start({ args: ['--database', through.href] });
    second = await Platform.start({ args: ['--database', url] });
    assert.ok(existsSync(join(first.dataDir, 'bootstrap.json')));
    mine = first.bootstrap.authtoken;
    ({ authtoken: theirs, api_key: theirKey } = await addAccount(first, ['--database', url]));
  });
  after(async () => {
    await Promise.all([first?.stop(), second?.stop()]);
    await relay?.stop();
    await server?.stop();
  });

  /** An agent at a daemon, which responds to all requests alike. */
  async function agent(
    context: TestContext,
    { port, ca }: Platform,
    token: string,
    answer: string,
    earlier: Omit<Credentials, 'token'> = { clientId: '', cookie: '' },
  ): Promise<StockAgent> {
    const place = { port, ca, bootstrap: first.bootstrap };
    const one = await StockAgent.connect(place, (_, response) => response.end(answer), { token, earlier });
    context.after(() => one.stop());
    return one;
  }

  const visit = async (daemon: Platform, name: string) => {
    const { status, text } = await daemon.visit(name);
    return status === 200 ? text : status;
  };

  /** The row of a name that has one tunnel. */
  async function rowOf(key: string) {
    const rows = await server.query(database, `SELECT * FROM underpass.tunnels WHERE key = '${key}'`);
    assert.equal(rows.length, 1);
    const { facts } = rows[0] as { facts: Entry };
    return { facts };
  }

  /** The other account reserves a name at the second daemon. */
  async function reserve(name: string) {
    const url = new URL('/reserved_domains', `https://api.underpass.localhost:${second.port}`);
    const headers = {
      authorization: `Bearer ${theirKey}`,
      'service-version': '2',
      'content-type': 'application/json',
    };
    return await second.client.request(url, { method: 'POST', headers, body: JSON.stringify({ name }) });
  }

  test('a name of one account is refused to another one at every daemon, online and held', async (context) => {
    const name = 'one.underpass.localhost';
    const here = await agent(context, first, mine, 'mine');
    await here.bind({}, { Name: name });
    const there = await agent(context, second, theirs, 'theirs');
    assert.match(await there.refusal({}, { Name: name }), ONLINE);
    await here.stop();
    await eventually(async () => assert.match(await there.refusal({}, { Name: name }), HELD));
    const back = await agent(context, second, mine, 'back');
    await back.bind({}, { Name: name });
    assert.equal(await visit(second, name), 'back');
  });

  test('a name that was unbound is free at every daemon', async (context) => {
    const name = 'two.underpass.localhost';
    const here = await agent(context, first, mine, 'mine');
    const { id } = await here.bind({}, { Name: name });
    await here.unbind(id);
    const there = await agent(context, second, theirs, 'theirs');
    await eventually(async () => assert.equal(await there.refusal({}, { Name: name }), ''));
    assert.equal(await visit(second, name), 'theirs');
  });

  test('a name that is online at one daemon is not reserved by another account at another one', async (context) => {
    const here = await agent(context, first, mine, 'mine');
    const { id } = await here.bind({}, { Name: 'seven.underpass.localhost' });
    await eventually(async () => assert.equal((await reserve('seven')).json.error_code, 'ERR_SERVICE_430'));
    await here.unbind(id);
    await eventually(async () => assert.equal((await reserve('seven')).status, 201));
    await eventually(async () => {
      assert.match(await here.refusal({}, { Name: 'seven.underpass.localhost' }), /ERR_SERVICE_320/);
    });
  });

  test('of a bind and a reservation of one name at the same moment exactly one succeeds', async (context) => {
    const here = await agent(context, first, mine, 'mine');
    let reserved = 0;
    for (let round = 0; round < 200; round += 1) {
      const label = `meets${round}`;
      const name = `${label}.underpass.localhost`;
      const written = reserve(label);
      // The bind begins at another step of the reservation in each round.
      for (let step = 0; step < round % 10; step += 1) await here.session.call(StreamType.srvInfo, {});
      const refusal = await here.refusal({}, { Name: name, Id: label });
      const { status, text } = await written;
      if (refusal === '') {
        assert.equal(status, 409, `${round}: both have it: ${text}`);
        assert.equal(await visit(first, name), 'mine');
        await here.unbind(label);
      } else {
        assert.match(refusal, /ERR_SERVICE_320/);
        assert.equal(status, 201, `${round}: ${text}`);
        reserved += 1;
      }
    }
    assert.ok(reserved > 0 && reserved < 200, `each wins now and then: ${reserved}`);
  });

  test('an edge is not created at a name that is online at another daemon', async (context) => {
    const here = await agent(context, first, mine, 'mine');
    const call = async (daemon: Platform, path: string, body: object) => {
      const url = new URL(path, `https://api.underpass.localhost:${daemon.port}`);
      const authorization = `Bearer ${first.bootstrap.api_key}`;
      const headers = { authorization, 'service-version': '2', 'content-type': 'application/json' };
      return await daemon.client.request(url, { method: 'POST', headers, body: JSON.stringify(body) });
    };
    assert.equal((await call(first, '/reserved_domains', { name: 'edge' })).status, 201);
    await here.bind({}, { Name: 'edge.underpass.localhost', Id: 'edge' });
    const edge = { hostports: ['edge.underpass.localhost:443'] };
    const refused = await call(second, '/edges/https', edge);
    assert.equal(refused.json.error_code, 'ERR_SERVICE_7132', refused.text);
    await here.unbind('edge');
    await eventually(async () => assert.equal((await call(second, '/edges/https', edge)).status, 201));
    assert.match(await here.refusal({}, { Name: 'edge.underpass.localhost' }), /ERR_SERVICE_/);
  });

  test('a bind of the same credential at another daemon ends the tunnel, and its agent is notified', async (context) => {
    const name = 'three.underpass.localhost';
    const old = await agent(context, first, mine, 'old');
    await old.bind({}, { Name: name });
    assert.equal(await visit(first, name), 'old');
    const next = await agent(context, second, mine, 'next');
    await next.bind({}, { Name: name });
    assert.equal(await visit(second, name), 'next');
    // The answer to the bind came when the first daemon had ended the tunnel.
    assert.notEqual(await visit(first, name), 'old');
    await eventually(async () => assert.equal(await visit(first, name), 'next'));
  });

  test('a bind that is refused for another reason ends no tunnel at another daemon', async (context) => {
    const here = await agent(context, first, mine, 'here');
    await here.bind({}, { Name: 'eight.underpass.localhost' });
    const there = await agent(context, second, mine, 'there');
    await there.bind({}, { Name: 'nine.underpass.localhost', Id: 'same' });
    const refusal = await there.refusal({}, { Name: 'eight.underpass.localhost', Id: 'same' });
    assert.match(refusal, /ERR_SERVICE_60306/);
    // A change of the directory would have come to the first daemon before this one.
    await there.bind({}, { Name: 'ten.underpass.localhost' });
    const stranger = await agent(context, first, theirs, 'theirs');
    assert.match(await stranger.refusal({}, { Name: 'ten.underpass.localhost' }), ONLINE);
    for (let n = 0; n < 20; n += 1) assert.equal(await visit(first, 'eight.underpass.localhost'), 'here');
  });

  test('agents that share a name may be at several daemons', async (context) => {
    const name = 'four.underpass.localhost';
    for (const daemon of [first, second]) {
      const one = await agent(context, daemon, mine, `at ${daemon.port}`);
      await one.bind({}, { Name: name, PoolingEnabled: true });
    }
    for (const daemon of [first, second]) assert.equal(await visit(daemon, name), `at ${daemon.port}`);
  });

  test('a row describes the tunnel, and a digest stands for its secrets', async (context) => {
    const name = 'described.underpass.localhost';
    const here = await agent(context, first, mine, 'mine');
    const { id, tunnelId } = await here.bind(
      { BasicAuth: { credentials: [{ username: 'someone', cleartext_password: 'of-no-row-1' }] } },
      { Name: name, Metadata: 'for machines' },
    );
    const { facts } = await rowOf(name);
    assert.ok(facts.kind === 'tunnel');
    assert.deepEqual([facts.facts.id, facts.facts.bindId], [tunnelId, id]);
    assert.equal(facts.facts.metadata, 'for machines');
    assert.equal(facts.hasModules, true);
    assert.match(facts.behaviour, /^[\w-]{43}$/);
    assert.doesNotMatch(JSON.stringify(facts), /of-no-row-1|someone/);
  });

  test('a tunnel that serves otherwise does not share the name with one at another daemon', async (context) => {
    const name = 'alike.underpass.localhost';
    const here = await agent(context, first, mine, 'mine');
    await here.bind({}, { Name: name, PoolingEnabled: true });
    const there = await agent(context, second, mine, 'there');
    const compressed = { Compression: {} };
    const refusal = await there.refusal(compressed, { Name: name, PoolingEnabled: true });
    assert.match(refusal, /ERR_SERVICE_60480/);
    assert.equal(await visit(first, name), 'mine');
    await there.bind({}, { Name: name, PoolingEnabled: true });
    assert.equal(await visit(second, name), 'there');
  });

  const rowsLike = async (prefix: string) =>
    (await server.query(
      database,
      `SELECT key, client, session, over FROM underpass.tunnels WHERE key LIKE '${prefix}%' ORDER BY number`,
    )) as { key: string; client: string; session: string; over: boolean }[];
  const labelled = ({ session }: StockAgent, metadata = '') =>
    session.call(StreamType.startTunnelWithLabel, { Labels: { several: 'yes' }, Metadata: metadata });

  test('sessions and labelled tunnels have rows, which go with them', async (context) => {
    const here = await agent(context, first, mine, 'mine');
    await labelled(here);
    const { id } = here.session;
    const of = async (prefix: string) =>
      (await rowsLike(prefix)).filter(({ session }) => session === id).length;
    await eventually(async () => assert.deepEqual([await of('session:'), await of('label:')], [1, 1]));
    await here.stop();
    await eventually(async () => assert.deepEqual([await of('session:'), await of('label:')], [0, 0]));
  });

  test('while the database is away, labelled tunnels start, and those that have ended leave no row', async (context) => {
    const here = await agent(context, first, mine, 'mine');
    const gone = await agent(context, first, mine, 'gone');
    const ids = [here.session.id, gone.session.id];
    relay.lead(null);
    relay.cut();
    for (const one of [here, gone]) await labelled(one);
    await gone.stop();
    relay.lead(server.port);
    await eventually(async () => {
      const rows = [...(await rowsLike('label:')), ...(await rowsLike('session:'))];
      const found = rows.filter(({ session }) => ids.includes(session));
      assert.deepEqual(
        found.map(({ session }) => session),
        [ids[0], ids[0]],
      );
    });
  });

  test('an agent that connects to another daemon ends its session here, with its labelled tunnels', async (context) => {
    const here = await agent(context, first, mine, 'here');
    await labelled(here);
    const { clientId, cookie } = here.session;
    const rowsOf = async (prefix: string) =>
      (await rowsLike(prefix)).filter(({ client }) => client === clientId).map(({ session }) => session);
    await eventually(async () => assert.equal((await rowsOf('label:')).length, 1));
    const there = await agent(context, second, mine, 'there', { clientId, cookie });
    assert.equal(there.session.clientId, clientId);
    assert.match(await here.session.over, /has connected again/);
    await eventually(async () => {
      assert.deepEqual(await rowsOf('session:'), [there.session.id]);
      assert.deepEqual(await rowsOf('label:'), []);
    });
  });

  /** Facts of the tunnels of an agent, in the order of their binds. */
  async function tunnelsOf({ session: { clientId } }: StockAgent) {
    const rows = await server.query(
      database,
      `SELECT facts FROM underpass.tunnels
       WHERE client = '${clientId}' AND NOT over AND held_until IS NULL ORDER BY number`,
    );
    return (rows as { facts: Entry }[]).flatMap(({ facts }) => (facts.kind === 'tunnel' ? [facts] : []));
  }
  const metadataOf = async (one: StockAgent) =>
    (await tunnelsOf(one)).map(({ facts, bound }) => [facts.metadata, bound?.metadata ?? null]);
  const patch = ({ session }: StockAgent, id: string, change: Json) =>
    session.call(StreamType.patchTunnelState, { TunnelId: id, ...change });
  /** The id of the tunnel. */
  const startLabelled = async (one: StockAgent, metadata: string) =>
    String((await labelled(one, metadata)).Id);

  test('an agent that moves to another daemon has its tunnels there as it changed them', async (context) => {
    const Name = 'moves.underpass.localhost';
    const here = await agent(context, first, mine, 'here');
    const { clientId, cookie } = here.session;
    const { id, token } = await here.bind({}, { Name, Metadata: 'first' });
    const group = await startLabelled(here, 'first of group');
    await patch(here, id, { Metadata: 'second' });
    await patch(here, group, { Metadata: 'second of group' });
    const changed = [
      ['second', 'first'],
      ['second of group', 'first of group'],
    ];
    await eventually(async () => assert.deepEqual(await metadataOf(here), changed));
    // A bind at the other daemon is in the directory after all that came before it.
    await (await agent(context, second, mine, 'other')).bind({});
    await here.stop();
    const there = await agent(context, second, mine, 'there', { clientId, cookie });
    await there.bind({}, { Name, Id: id, Token: token, Metadata: 'first' });
    assert.equal(await startLabelled(there, 'first of group'), group);
    await eventually(async () => assert.deepEqual(await metadataOf(there), changed));
    // One that it ends, and starts at the first daemon, is another one.
    await there.unbind(group);
    await there.unbind(id);
    await eventually(async () => assert.deepEqual(await metadataOf(there), []));
    await (await agent(context, first, mine, 'other')).bind({});
    await there.stop();
    const back = await agent(context, first, mine, 'back', { clientId, cookie });
    await back.bind({}, { Name, Id: id, Token: token, Metadata: 'first' });
    assert.equal(await startLabelled(back, 'first of group'), group);
    await eventually(async () =>
      assert.deepEqual(await metadataOf(back), [
        ['first', null],
        ['first of group', null],
      ]),
    );
  });

  test('an agent with connections to two daemons changes and ends its tunnels in one of them', async (context) => {
    const Name = 'legs.underpass.localhost';
    const here = await agent(context, first, mine, 'here');
    const { clientId, cookie } = here.session;
    const { id, token } = await here.bind({}, { Name, Id: 'both', Metadata: 'first' });
    const there = await agent(context, second, mine, 'there', { clientId, cookie, leg: 1 });
    await there.bind({}, { Name, Id: id, Token: token, Metadata: 'first' });
    const groups = [await startLabelled(here, 'of group'), await startLabelled(there, 'of group')];
    assert.equal(groups[0], groups[1]);
    await eventually(async () => assert.equal((await metadataOf(here)).length, 4));
    const change = async (one: StockAgent, value: string) => {
      await patch(one, id, { Metadata: value });
      await patch(one, groups[0]!, { Metadata: `${value} of group` });
      const both = [value, value, `${value} of group`, `${value} of group`];
      await eventually(async () =>
        assert.deepEqual((await metadataOf(here)).map(([metadata]) => metadata).sort(), both.sort()),
      );
    };
    await change(here, 'second');
    await change(there, 'third');
    await there.unbind(id);
    await there.unbind(groups[0]!);
    await eventually(async () => assert.deepEqual(await tunnelsOf(here), []));
    // It is known as ended in the first connection, too.
    await here.unbind(id);
    await here.unbind(groups[0]!);
    assert.equal(await visit(first, Name), 404);
  });

  test('while the database is away, an agent that returns is described anew', async (context) => {
    const Name = 'anew.underpass.localhost';
    const here = await agent(context, first, mine, 'here');
    const { clientId, cookie } = here.session;
    const { id, token } = await here.bind({}, { Name, Metadata: 'first' });
    relay.lead(null);
    relay.cut();
    await patch(here, id, { Metadata: 'second' });
    await here.stop();
    const back = await agent(context, first, mine, 'back', { clientId, cookie });
    const { tunnelId } = await back.bind({}, { Name, Id: id, Token: token, Metadata: 'first' });
    relay.lead(server.port);
    await eventually(async () => {
      const [only] = await tunnelsOf(back);
      const { facts } = only!;
      assert.deepEqual([facts.id, facts.session, facts.metadata], [tunnelId, back.session.id, 'second']);
    });
  });

  test('of two accounts that bind one name at the same moment exactly one has it', async (context) => {
    const [here, there] = await Promise.all([
      agent(context, first, mine, 'mine'),
      agent(context, second, theirs, 'theirs'),
    ]);
    for (let round = 0; round < 20; round += 1) {
      const Name = `race${round}.underpass.localhost`;
      const refusals = await Promise.all([here.refusal({}, { Name }), there.refusal({}, { Name })]);
      assert.equal(refusals.filter((refusal) => refusal === '').length, 1, refusals.join());
    }
  });

  test('wrong passwords at all daemons together are as many as at one', async (context) => {
    const there = await agent(context, second, mine, 'let in');
    const Name = 'guessed.underpass.localhost';
    const credentials = [{ username: 'user', cleartext_password: 'the right one' }];
    await there.bind({ BasicAuth: { credentials } }, { Name });
    const log = async (daemon: Platform, password: string) => {
      const authorization = `Basic ${btoa(`user:${password}`)}`;
      const { status } = await daemon.visit(Name, { headers: { authorization } });
      return status;
    };
    // Each knows the other one, because the first leads visitors to the second.
    for (const daemon of [first, second])
      await eventually(async () => assert.equal(await log(daemon, 'the right one'), 200));
    let guesses = 0;
    for (const daemon of [first, second])
      while ((await log(daemon, `guess ${guesses}`)) === 401) guesses += 1;
    assert.ok(guesses >= 20 && guesses <= 24, `${guesses} guesses`);
    for (const daemon of [first, second]) assert.equal(await log(daemon, 'the right one'), 200);
  });

  test('underpassd nodes lists the daemons with their tunnels', async (context) => {
    const here = await agent(context, first, mine, 'mine');
    await here.bind({}, { Name: 'listed.underpass.localhost' });
    const { code, stdout, stderr } = await underpassd(['nodes', '--database', database]);
    assert.equal(code, 0, stderr);
    const [head, ...rows] = stdout.trimEnd().split('\n');
    assert.match(head ?? '', /^NAME +STATE +MACHINE +REGION +VERSION +AGENTS +TUNNELS +STARTED +LINK$/);
    assert.equal(rows.length, 2);
    for (const row of rows)
      assert.match(row, /^\S+:\d+ +ready +\S+ +us +\d+\.\d+\.\d+\S* +\d+ +\d+ +\d+ s ago$/);
    const { json } = await underpassd(['nodes', '--json', '--database', database]);
    const tunnels = (json.nodes as { tunnels: number }[]).map((node) => node.tunnels);
    assert.ok(Math.max(...tunnels) >= 1);
  });

  test('while the database is away, tunnels are served, and an agent that returns has its name again', async (context) => {
    const name = 'five.underpass.localhost';
    const here = await agent(context, first, mine, 'mine');
    const { id, token } = await here.bind({}, { Name: name });
    relay.lead(null);
    relay.cut();
    assert.equal(await visit(first, name), 'mine');
    const { clientId, cookie } = here.session;
    await here.stop();
    const back = await agent(context, first, mine, 'back', { clientId, cookie });
    await back.bind({}, { Name: name, Id: id, Token: token });
    assert.equal(await visit(first, name), 'back');
    relay.lead(server.port);
    const there = await agent(context, second, theirs, 'theirs');
    await eventually(async () => assert.match(await there.refusal({}, { Name: name }), ONLINE));
    assert.equal(await visit(first, name), 'back');
  });

  test('after a crash agents have their names at another daemon at once, and other accounts do not', async (context) => {
    const name = 'six.underpass.localhost';
    const here = await agent(context, second, mine, 'mine');
    await here.bind({}, { Name: name });
    await second.killAndRestart(async () => {
      const there = await agent(context, first, theirs, 'theirs');
      assert.match(await there.refusal({}, { Name: name }), ONLINE);
      const back = await agent(context, first, mine, 'back');
      await back.bind({}, { Name: name });
      assert.equal(await visit(first, name), 'back');
    });
    const there = await agent(context, second, theirs, 'theirs');
    assert.match(await there.refusal({}, { Name: name }), ONLINE);
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { field, StreamType } from '@underpass/wire';
import {
  codeOf,
  domain,
  hostname,
  numberIn,
  pattern,
  type TestAgent,
  type TestCredential,
  until,
  World,
} from './ingress.fixture.ts';

type Answer = Record<string, unknown>;

describe('an agent that comes back', () => {
  let world: World;
  let account: string;
  let credential: TestCredential;

  before(async () => {
    world = await World.create();
    account = await world.account();
    credential = await world.credential(account);
  });
  after(() => world.stop());

  const at = (name: string) => world.ingress.online.byName(pattern(name));

  /** A session that bound these names, and what it was answered. */
  async function hadBefore(names: readonly string[], as = credential) {
    const agent = await world.connect();
    const hello = await agent.auth(as.token);
    const binds: Answer[] = [];
    for (const Domain of names) binds.push(await agent.bind({ Domain }, {}, { Id: `id-${Domain}` }));
    agent.socket.destroy();
    await until(() => names.every((name) => at(name) === undefined), 'the first session is lost');
    return { hello, binds };
  }

  async function back(hello: Answer, as = credential): Promise<TestAgent> {
    const agent = await world.connect();
    const earlier = { ClientId: hello.ClientId };
    assert.equal(codeOf(await agent.auth(as.token, { Cookie: field(hello.Extra, 'Cookie') }, earlier)), '');
    return agent;
  }

  /** Binds again as agents do: the options of the response, with id and proof. */
  const rebind = (agent: TestAgent, { Id, Opts, Proto, Extra }: Answer) =>
    agent.bind(Opts as Answer, { Token: field(Extra, 'Token') }, { Id, Proto });

  test('and may no longer have one of its names keeps the others: it is answered, and then told why', async (t) => {
    await world.reserve(account, 'kept.example.com');
    const reservation = await world.reserve(account, 'gone.example.com');
    const names = ['gone.example.com', 'kept.example.com'];
    const { hello, binds } = await hadBefore(names);
    await world.remove(reservation);

    const agent = await back(hello);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const [gone, kept] = await Promise.all(binds.map((bind) => rebind(agent, bind)));
    for (const [was, is] of [
      [binds[0], gone],
      [binds[1], kept],
    ] as const) {
      assert.deepEqual([is?.Error, is?.Id, is?.URL, is?.Proto], ['', was?.Id, was?.URL, was?.Proto]);
      assert.deepEqual(is?.Opts, was?.Opts);
      assert.match(String(field(is?.Extra, 'TunnelID')), /^tn_\w{27}$/);
      assert.equal(field(is?.Extra, 'Token'), field(was?.Extra, 'Token'));
    }
    assert.equal(at('gone.example.com'), undefined, 'it never serves a byte');
    assert.equal(agent.stopped.length, 0, 'agents know a tunnel only some time after the answer');
    t.mock.timers.tick(1_000);
    await until(() => agent.stopped.length === 1, 'it is told');
    const { Id, Message = '', ErrorCode } = agent.stopped[0] ?? {};
    assert.deepEqual([Id, numberIn(Message), ErrorCode], [gone?.Id, '319', 'ERR_TEST_319']);
    assert.equal(at('kept.example.com')?.session, [...world.ingress.online.sessions(account)].at(-1)?.id);
    assert.deepEqual(
      [...world.ingress.online.tunnels(account)].map(({ endpoint }) => endpoint?.hostname),
      ['kept.example.com'],
    );
    agent.socket.destroy();
  });

  test('is answered so whatever the reason is: rules, an edge, another account, another credential, a module', async () => {
    const ruled = await world.credential(account);
    const names = ['rules', 'edge', 'reserved', 'online', 'module'].map((label) => `${label}.${domain}`);
    const { hello, binds } = await hadBefore(names, ruled);
    const [rules = '', edge = '', reserved = '', online = ''] = names;
    await world.setRules(
      ruled,
      names.slice(1).map((name) => `bind:${name}`),
    );
    await world.reserve(account, edge);
    await world.edge(account, [edge]);
    await world.reserve(await world.account('other'), reserved);
    world.ingress.claims.releaseLeases(({ name }) => name === online);
    const sibling = await world.login(credential);
    assert.equal(codeOf(await sibling.bind({ Domain: online })), '');

    const agent = await back(hello, ruled);
    const opts = { ...(binds[4]?.Opts as Answer), Shield: { strength: 9 } };
    for (const bind of [...binds.slice(0, 4), { ...binds[4], Opts: opts }])
      assert.equal(codeOf(await rebind(agent, bind)), '', String(bind.Id));
    await until(() => agent.stopped.length === 5, 'it is told of each');
    const told = agent.stopped.map(({ Id, Message }) => [Id, numberIn(Message)]);
    assert.deepEqual(
      told.sort(),
      [
        [`id-${edge}`, '381'],
        [`id-module.${domain}`, '60307'],
        [`id-${online}`, '334'],
        [`id-${reserved}`, '320'],
        [`id-${rules}`, '316'],
      ].sort(),
    );
    assert.notEqual(at(online)?.facts.credential, ruled.id);
    assert.equal(
      codeOf(await agent.bind({ Domain: `fresh.${domain}` })),
      '316',
      'a new bind is refused as ever',
    );
    for (const one of [agent, sibling]) one.socket.destroy();
  });

  test('is refused as ever where nothing is proven', async () => {
    const reservation = await world.reserve(account, 'proof.example.com');
    const { hello, binds } = await hadBefore(['proof.example.com']);
    const [bind = {}] = binds;
    await world.remove(reservation);
    const Token = field(bind.Extra, 'Token');
    const fresh = await world.login(credential);
    assert.equal(codeOf(await rebind(fresh, bind)), '319', 'a session that is new');
    const agent = await back(hello);
    const Domain = 'proof.example.com';
    for (const [what, code, opts, extra, top] of [
      ['no proof', '319', { Domain }, {}, { Id: 'x' }],
      ['a forged proof', '60304', { Domain }, { Token: 'AAAA.BBBB' }, { Id: 'x' }],
      ['no id', '319', { Domain }, { Token }, {}],
      ['the proof of another name', '319', { Domain: 'other.example.com' }, { Token }, { Id: 'x' }],
      ['options of a wrong type', '301', 'x' as never, { Token }, { Id: 'x' }],
    ] as const)
      assert.equal(codeOf(await agent.bind(opts, extra, top)), code, what);
    const name = `held.${domain}`;
    assert.equal(codeOf(await agent.bind({ Domain: name }, {}, { Id: bind.Id })), '');
    assert.equal(codeOf(await rebind(agent, bind)), '319', 'an id that the session has given away');
    assert.equal(agent.stopped.length, 0);
    for (const one of [agent, fresh]) one.socket.destroy();
  });

  test('and may no longer have its labels is answered too, and told', async () => {
    const ruled = await world.credential(account);
    const first = await world.connect();
    const hello = await first.auth(ruled.token);
    assert.equal(codeOf(await first.label({ app: 'web' })), '');
    first.socket.destroy();
    await until(() => [...world.ingress.online.tunnels(account)].length === 0, 'the first session is lost');
    await world.setRules(ruled, ['bind:app=other']);
    const agent = await back(hello, ruled);
    const answer = await agent.label({ app: 'web' });
    assert.equal(codeOf(answer), '');
    assert.deepEqual(world.ingress.online.matching(account, new Map([['app', 'web']])), []);
    await until(() => agent.stopped.length === 1, 'it is told');
    assert.deepEqual([agent.stopped[0]?.Id, agent.stopped[0]?.ErrorCode], [answer.Id, 'ERR_TEST_399']);
    assert.equal(codeOf(await agent.label({})), '394', 'what never was possible is refused');
    agent.socket.destroy();
  });

  test('has its labelled tunnels under the ids that they had, each under its own, and ends them by those', async () => {
    const first = await world.connect();
    const hello = await first.auth(credential.token);
    const tunnels = [{ app: 'a' }, { app: 'a' }, { app: 'b', rev: '1' }];
    const ids: unknown[] = [];
    for (const labels of tunnels) ids.push((await first.label(labels)).Id);
    assert.equal(new Set(ids).size, 3);
    first.socket.destroy();
    await world.restart();

    const agent = await back(hello);
    const again: unknown[] = [];
    for (const labels of [{ app: 'a' }, { rev: '1', app: 'b' }, { app: 'a' }])
      again.push((await agent.label(labels)).Id);
    assert.deepEqual(again, [ids[0], ids[2], ids[1]]);
    for (const Id of ids) assert.equal(codeOf(await agent.request(StreamType.unbind, { Id })), '');
    assert.deepEqual([...world.ingress.online.tunnels(account)], []);

    const stranger = await world.login(credential);
    assert.ok(!ids.includes((await stranger.label({ app: 'a' })).Id), 'an agent of its own');
    for (const one of [agent, stranger]) one.socket.destroy();
  });

  test('changes and ends a tunnel by the ids of its first bind, as programs know no others', async () => {
    const first = await world.connect();
    const hello = await first.auth(credential.token);
    const bind = await first.bind({ Subdomain: 'patched' });
    first.socket.destroy();
    await world.restart();

    const agent = await back(hello);
    const other = await agent.bind({ Subdomain: 'beside' });
    const second = await rebind(agent, bind);
    const TunnelId = field(bind.Extra, 'TunnelID');
    assert.notEqual(field(second.Extra, 'TunnelID'), TunnelId, 'it is another generation');
    const patch = { TunnelId, Description: 'changed' };
    assert.equal(codeOf(await agent.request(StreamType.patchTunnelState, patch)), '');
    assert.equal(at(`patched.${domain}`)?.facts.endpoint?.description, 'changed');
    assert.equal(at(`beside.${domain}`)?.facts.endpoint?.description, '');
    assert.equal(codeOf(await agent.request(StreamType.unbind, { Id: other.Id })), '');
    assert.ok(at(`patched.${domain}`) !== undefined);
    assert.equal(codeOf(await agent.request(StreamType.unbind, { Id: bind.Id })), '');
    assert.equal(at(`patched.${domain}`), undefined);
    agent.socket.destroy();
  });

  test('ends without an error what it was told of, or may not have understood, and so does it once it is back', async () => {
    const agent = await world.connect();
    const hello = await agent.auth(credential.token);
    const rival = await world.login(credential);
    for (const Id of ['taken', 'gone']) {
      await agent.bind({ Subdomain: Id }, {}, { Id });
      await rival.bind({ Subdomain: Id });
    }
    const unbind = async (from: TestAgent, Id: string) =>
      codeOf(await from.request(StreamType.unbind, { Id }));
    for (const _ of ['when it is told', 'when its user wants it'])
      assert.equal(await unbind(agent, 'taken'), '');
    await agent.bind({ Subdomain: 'own' }, {}, { Id: 'own' });
    for (const code of ['', '60308'])
      assert.equal(await unbind(agent, 'own'), code, 'what it has ended itself');
    const again = await back(hello);
    assert.equal(await unbind(again, 'gone'), '');
    assert.notEqual(at(`gone.${domain}`), undefined, 'what has the name now goes on');
    for (const one of [agent, rival, again]) one.socket.destroy();
  });

  test('and binds an id anew before it is told is not told', async () => {
    const agent = await world.login(credential);
    const rival = await world.login(credential);
    const names = [`quick-a.${domain}`, `quick-b.${domain}`];
    await agent.bind({ Domain: names[0] }, {}, { Id: 'q' });
    await rival.bind({ Domain: names[0] });
    assert.equal(codeOf(await agent.bind({ Domain: names[1] }, {}, { Id: 'q' })), '');
    await agent.bind({ Domain: `other.${domain}` }, {}, { Id: 'z' });
    await rival.bind({ Domain: `other.${domain}` });
    await until(() => agent.stopped.length === 1, 'it is told of the later one');
    assert.equal(agent.stopped[0]?.Id, 'z');
    assert.ok(at(names[1] ?? '')?.closed.aborted === false);
    for (const one of [agent, rival]) one.socket.destroy();
  });
});

test('an agent that comes back keeps its names under the ports of today, and what it has under a shared domain of yesterday ends alone', async () => {
  const world = await World.create({ plainPort: 8080 });
  try {
    const credential = await world.credential(await world.account());
    const first = await world.connect();
    const hello = await first.auth(credential.token);
    const plain = await first.bind({ URL: 'http://' }, {}, { Proto: 'http' });
    const named = await first.bind({ Subdomain: 'named' });
    const back = async () => {
      const agent = await world.connect();
      const cookie = { Cookie: field(hello.Extra, 'Cookie') };
      await agent.auth(credential.token, cookie, { ClientId: hello.ClientId });
      return agent;
    };
    const rebind = (agent: TestAgent, { Id, Opts, Proto, Extra }: Answer) =>
      agent.bind(Opts as Answer, { Token: field(Extra, 'Token') }, { Id, Proto });

    await world.restart({ plainPort: 8081 });
    const again = await back();
    const answer = await rebind(again, plain);
    const host = field(plain.Opts, 'Hostname');
    assert.deepEqual([answer.Error, answer.URL], ['', `http://${host}:8081`]);
    assert.equal(field(answer.Opts, 'URL'), answer.URL, 'it is told the new one');
    assert.equal(world.ingress.online.byPlainName(pattern(String(host)))?.facts.endpoint?.url, answer.URL);
    assert.equal(codeOf(await again.bind({ URL: plain.URL }, {}, { Proto: 'http' })), '9030', 'unproven');
    again.socket.destroy();

    await world.restart({ sharedDomain: hostname('elsewhere.localhost') });
    const moved = await back();
    for (const bind of [plain, named]) assert.deepEqual((await rebind(moved, bind)).Error, '');
    assert.equal(codeOf(await moved.bind({ Subdomain: 'fresh' })), '');
    await until(() => moved.stopped.length === 2, 'it is told that both are over');
    assert.deepEqual(moved.stopped.map(({ Id }) => Id).sort(), [plain.Id, named.Id].sort());
    assert.equal(moved.mux.isClosed, false);
    moved.socket.destroy();
  } finally {
    await world.stop();
  }
});

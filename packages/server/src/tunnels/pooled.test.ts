import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { field, StreamType } from '@underpass/wire';
import {
  codeOf,
  domain,
  pattern,
  type TestAgent,
  type TestCredential,
  until,
  World,
} from './ingress.fixture.ts';

const pooled = { PoolingEnabled: true };

describe('a name that agents share', () => {
  let world: World;
  let credential: TestCredential;
  let sibling: TestCredential;
  let stranger: TestCredential;

  before(async () => {
    world = await World.create();
    const account = await world.account();
    credential = await world.credential(account);
    sibling = await world.credential(account);
    stranger = await world.credential(await world.account('stranger'));
  });
  after(() => world.stop());

  const at = (label: string) => world.ingress.online.byName(pattern(`${label}.${domain}`));
  const sessionsAt = (label: string) => (at(label)?.pool?.tunnels ?? []).map(({ session }) => session);
  const end = async (label: string, ...agents: TestAgent[]) => {
    for (const agent of agents) agent.socket.destroy();
    await until(() => at(label) === undefined, `${label} goes offline`);
  };

  test('is there while one of them is, in several sessions, credentials and binds of one session', async () => {
    const [one, two] = [await world.login(credential), await world.login(sibling)];
    assert.equal(codeOf(await one.bind({ Subdomain: 'both' }, pooled, { Id: 'a' })), '');
    assert.equal(codeOf(await one.bind({ Subdomain: 'both' }, pooled, { Id: 'b' })), '');
    const answer = await two.bind({ Subdomain: 'both' }, pooled);
    assert.deepEqual([answer.Error, field(answer.Extra, 'Notice')], ['', undefined]);
    const [first, , third] = at('both')!.pool!.tunnels;
    assert.deepEqual(sessionsAt('both'), [first!.session, first!.session, third!.session]);

    assert.equal(
      codeOf(await one.bind({ Subdomain: 'both' }, pooled, { Id: 'b' })),
      '',
      'its own id once more',
    );
    assert.equal(sessionsAt('both').length, 3);
    assert.equal(codeOf(await one.request(StreamType.unbind, { Id: 'a' })), '');
    one.socket.destroy();
    await until(() => sessionsAt('both').length === 1, 'the session of the others ends');
    assert.equal(at('both'), third);
    assert.deepEqual([one.stopped, two.stopped], [[], []], 'nobody lost anything to another');
    await end('both', two);
  });

  test('is shared by those alone that ask for it, and never by another account', async () => {
    const [one, two, rival] = [
      await world.login(credential),
      await world.login(sibling),
      await world.login(stranger),
    ];
    await one.bind({ Subdomain: 'mine' }, pooled);
    assert.equal(codeOf(await two.bind({ Subdomain: 'mine' })), '334', 'one that does not ask for it');
    assert.equal(codeOf(await rival.bind({ Subdomain: 'mine' }, pooled)), '334');
    await one.bind({ Subdomain: 'alone' }, {});
    assert.equal(
      codeOf(await two.bind({ Subdomain: 'alone' }, pooled)),
      '334',
      'one that did not ask for it',
    );
    assert.equal(sessionsAt('mine').length, 1);

    const later = await world.login(credential);
    assert.equal(codeOf(await later.bind({ Subdomain: 'mine' })), '', 'the credential takes its name back');
    assert.equal(sessionsAt('mine').length, 1);
    await until(() => one.stopped.length === 1, 'the former one is told');
    await end('mine', one, two, rival, later);
  });

  test('is taken by its credential from all its own that share it, and not while another has a part', async () => {
    const [one, two] = [await world.login(credential), await world.login(sibling)];
    for (const agent of [one, two]) await agent.bind({ Subdomain: 'part' }, pooled, { Id: 'p' });
    assert.equal(codeOf(await one.bind({ Subdomain: 'part' }, {}, { Id: 'q' })), '334');
    assert.equal(codeOf(await one.bind({ Subdomain: 'part' }, {}, { Id: 'p' })), '334');
    assert.equal(sessionsAt('part').length, 2, 'a refusal changes nothing');
    await two.request(StreamType.unbind, { Id: 'p' });
    assert.equal(codeOf(await one.bind({ Subdomain: 'part' }, {}, { Id: 'q' })), '');
    assert.equal(sessionsAt('part').length, 1);
    await end('part', one, two);
  });

  test('serves visitors alike: others with other modules, or another protocol, are refused by name', async () => {
    const [one, two] = [await world.login(credential), await world.login(sibling)];
    const guarded = { Subdomain: 'alike', IPRestriction: { allow_cidrs: ['192.0.2.0/24'] } };
    const login = { credentials: [{ username: 'u', cleartext_password: 'long enough' }] };
    const both = { ...guarded, BasicAuth: login };
    assert.equal(codeOf(await one.bind(both, pooled)), '');
    for (const [what, opts, top] of [
      ['a module less', guarded, {}],
      ['another value', { ...both, IPRestriction: { allow_cidrs: ['0.0.0.0/0'] } }, {}],
      [
        'another password',
        {
          ...both,
          BasicAuth: { credentials: [{ ...login.credentials[0], cleartext_password: 'another one' }] },
        },
        {},
      ],
      ['another protocol', both, { Proto: 'http' }],
      ['the PROXY protocol', { ...both, ProxyProto: 2 }, {}],
    ] as const)
      assert.equal(codeOf(await two.bind(opts, pooled, top)), '60480', what);
    assert.equal(codeOf(await two.bind(both, pooled)), '');
    assert.equal(sessionsAt('alike').length, 2);
    await end('alike', one, two);
  });

  test('is held for all of them when the last one is lost', async () => {
    const [one, two] = [await world.login(credential), await world.login(sibling)];
    for (const agent of [one, two]) await agent.bind({ Subdomain: 'lost' }, pooled);
    one.socket.destroy();
    await until(() => sessionsAt('lost').length === 1, 'the first one is lost');
    await end('lost', two);
    const [back, alone, rival] = [
      await world.login(credential),
      await world.login(credential),
      await world.login(stranger),
    ];
    assert.equal(codeOf(await rival.bind({ Subdomain: 'lost' }, pooled)), '60303');
    assert.equal(codeOf(await alone.bind({ Subdomain: 'lost' })), '60303', 'one that would not share it');
    assert.equal(codeOf(await back.bind({ Subdomain: 'lost' }, pooled)), '');
    await end('lost', back, alone, rival);
  });

  test('is opened to others, and closed to more of them, while it is online', async () => {
    const [one, two, three] = [
      await world.login(credential),
      await world.login(sibling),
      await world.login(sibling),
    ];
    const { Extra } = await one.bind({ Subdomain: 'patched' });
    const patch = (change: object) =>
      one.request(StreamType.patchTunnelState, { TunnelId: field(Extra, 'TunnelID'), ...change });
    assert.equal(codeOf(await two.bind({ Subdomain: 'patched' }, pooled)), '334');
    assert.equal(codeOf(await patch(pooled)), '');
    assert.equal(codeOf(await patch({ Metadata: 'm', PoolingEnabled: null })), '', 'null changes nothing');
    assert.equal(codeOf(await two.bind({ Subdomain: 'patched' }, pooled)), '');
    assert.equal(codeOf(await patch({ PoolingEnabled: false })), '');
    assert.equal(sessionsAt('patched').length, 2, 'who is there stays');
    assert.equal(codeOf(await three.bind({ Subdomain: 'patched' }, pooled)), '334');
    await end('patched', one, two, three);
  });

  const back = async (hello: Record<string, unknown>, leg = 0) => {
    const agent = await world.connect();
    const proof = { Cookie: field(hello.Extra, 'Cookie'), LegNumber: leg };
    assert.equal(codeOf(await agent.auth(credential.token, proof, { ClientId: hello.ClientId })), '');
    return agent;
  };
  const open = (agent: TestAgent, bound: Record<string, unknown>, change: object = pooled) =>
    agent.request(StreamType.patchTunnelState, { TunnelId: field(bound.Extra, 'TunnelID'), ...change });
  const rebind = (agent: TestAgent, { Id, Opts, Extra }: Record<string, unknown>, extra: object = {}) =>
    agent.bind(Opts as Record<string, unknown>, { Token: field(Extra, 'Token'), ...extra }, { Id });

  for (const [whose, of] of [
    ['of its own credential', () => credential],
    ['of another one', () => sibling],
  ] as const)
    test(`stays with who joined an agent ${whose} that opened it, was lost and binds as it did at first`, async () => {
      const [first, joined] = [await world.connect(), await world.login(of())];
      const hello = await first.auth(credential.token);
      const bound = await first.bind({ Subdomain: 'opened' }, { Description: 'd', Name: 'n' });
      await open(first, bound, { ...pooled, Name: 'other', Metadata: 'm' });
      assert.equal(codeOf(await joined.bind({ Subdomain: 'opened' }, pooled)), '');
      const [, other] = sessionsAt('opened');
      first.socket.destroy();
      await until(() => sessionsAt('opened').length === 1, 'the first one is lost');

      const again = await back(hello);
      const answer = await rebind(again, bound, { Description: 'new', Name: 'n' });
      assert.deepEqual([codeOf(answer), answer.URL], ['', bound.URL]);
      assert.deepEqual([sessionsAt('opened').length, sessionsAt('opened')[0]], [2, other]);
      const [, tunnel] = at('opened')!.pool!.tunnels;
      const { metadata, endpoint } = tunnel!.facts;
      const { name, description } = endpoint!;
      assert.deepEqual({ name, description, metadata }, { name: 'other', description: 'new', metadata: 'm' });
      assert.deepEqual(joined.stopped, []);

      await open(again, answer, { PoolingEnabled: false });
      again.socket.destroy();
      await until(() => sessionsAt('opened').length === 1, 'it is lost once more');
      await end('opened', joined);
    });

  test('is closed again when who opened it has ended its tunnel, and binds it anew', async () => {
    const [first, rival] = [await world.connect(), await world.login(sibling)];
    const hello = await first.auth(credential.token);
    const bound = await first.bind({ Subdomain: 'anew' });
    await open(first, bound);
    await first.request(StreamType.unbind, { Id: bound.Id });
    assert.equal(codeOf(await rebind(first, bound)), '');
    assert.equal(codeOf(await rival.bind({ Subdomain: 'anew' }, pooled)), '334');
    await open(first, bound);
    first.socket.destroy();
    await until(() => at('anew') === undefined, 'it is lost');
    const other = await world.login(credential);
    assert.equal(codeOf(await rebind(other, bound)), '', 'another agent, which knows the proof');
    assert.equal(codeOf(await rival.bind({ Subdomain: 'anew' }, pooled)), '334');
    const again = await back(hello);
    assert.equal(codeOf(await rebind(again, bound)), '');
    assert.equal(codeOf(await rival.bind({ Subdomain: 'anew' }, pooled)), '');
    await end('anew', other, again, rival);
  });

  test('is opened by an agent of several connections in one of them, and stays with all who have it', async () => {
    const first = await world.connect();
    const hello = await first.auth(credential.token);
    const [second, joined] = [await back(hello, 1), await world.login(sibling)];
    const bound = await first.bind({ Subdomain: 'wide' }, {}, { Id: 'w' });
    assert.equal(codeOf(await rebind(second, bound)), '');
    await open(first, bound);
    assert.equal(codeOf(await joined.bind({ Subdomain: 'wide' }, pooled)), '');
    const third = await back(hello, 2);
    assert.equal(codeOf(await rebind(third, bound)), '', 'a connection that comes later');
    assert.equal(new Set(sessionsAt('wide')).size, 4);
    await end('wide', first, second, third, joined);
  });

  test('is served by all connections of one agent, which binds the same on each', async () => {
    const first = await world.connect();
    const hello = await first.auth(credential.token);
    const second = await world.connect();
    const leg = { Cookie: field(hello.Extra, 'Cookie'), LegNumber: 1 };
    await second.auth(credential.token, leg, { ClientId: hello.ClientId });
    const bound = await first.bind({ Subdomain: 'legs' }, {}, { Id: 'l' });
    const again = await second.bind(
      bound.Opts as Record<string, unknown>,
      { Token: field(bound.Extra, 'Token') },
      { Id: 'l' },
    );
    assert.deepEqual([again.Error, again.URL, again.Id], ['', bound.URL, 'l']);
    assert.equal(new Set(sessionsAt('legs')).size, 2);
    const [, other] = at('legs')!.pool!.tunnels;
    first.socket.destroy();
    await until(() => sessionsAt('legs').length === 1, 'one connection is lost');
    assert.equal(at('legs'), other);
    await end('legs', second);
  });

  test("is nobody's any more when an agent of several connections ends it in one, with or without labels", async () => {
    const first = await world.connect();
    const hello = await first.auth(credential.token);
    const second = await world.connect();
    const leg = { Cookie: field(hello.Extra, 'Cookie'), LegNumber: 1 };
    await second.auth(credential.token, leg, { ClientId: hello.ClientId });
    for (const agent of [first, second]) await agent.bind({ Subdomain: 'ends' }, {}, { Id: 'e' });
    const [{ Id }, { Id: sameId }] = [
      await first.label({ app: 'ends' }),
      await second.label({ app: 'ends' }),
    ];
    assert.equal(Id, sameId);
    const labelled = () => world.ingress.online.matching(credential.account, new Map([['app', 'ends']]));
    assert.deepEqual([sessionsAt('ends').length, labelled().length], [2, 2]);
    for (const id of ['e', Id]) assert.equal(codeOf(await first.request(StreamType.unbind, { Id: id })), '');
    assert.deepEqual([sessionsAt('ends').length, labelled().length], [0, 0]);
    assert.equal(codeOf(await second.request(StreamType.unbind, { Id })), '', 'or in each of them');
    for (const agent of [first, second]) agent.socket.destroy();
  });

  test('comes back to an agent that is back while its former connection is half-dead', async () => {
    const [old, other] = [await world.connect(), await world.login(sibling)];
    const hello = await old.auth(credential.token);
    for (const agent of [old, other]) await agent.bind({ Subdomain: 'half' }, pooled, { Id: 'h' });
    old.socket.pause();
    const back = await world.connect();
    const cookie = { Cookie: field(hello.Extra, 'Cookie') };
    await back.auth(credential.token, cookie, { ClientId: hello.ClientId });
    assert.equal(codeOf(await back.bind({ Subdomain: 'half' }, pooled, { Id: 'h' })), '');
    const [session] = sessionsAt('half');
    assert.deepEqual(sessionsAt('half').length, 2, 'nothing of the half-dead one is left');
    assert.equal(
      session,
      [...world.ingress.online.tunnels(sibling.account)].find(({ credential: id }) => id === sibling.id)
        ?.session,
    );
    await end('half', back, other);
    old.socket.destroy();
  });
});

test('a port is listened on while one of those that share it is there', async () => {
  const world = await World.create();
  try {
    const account = await world.account();
    const [one, two] = [
      await world.login(await world.credential(account)),
      await world.login(await world.credential(account)),
    ];
    const bound = await one.bind({}, pooled, { Proto: 'tcp' });
    const Addr = field(bound.Opts, 'Addr') as string;
    const port = Number(Addr.split(':')[1]);
    assert.equal(codeOf(await two.bind({ Addr }, {}, { Proto: 'tcp' })), '307');
    assert.equal(codeOf(await two.bind({ Addr }, pooled, { Proto: 'tcp' })), '');
    const { online } = world.ingress;
    assert.equal(online.byPort(port)?.pool?.tunnels.length, 2);
    await one.request(StreamType.unbind, { Id: bound.Id });
    assert.ok(online.ports.has(port));
    two.socket.destroy();
    await until(() => !online.ports.has(port), 'nobody has it any more');
  } finally {
    await world.stop();
  }
});

test('a name is shared with TLS and without it, each by those that bind it so', async () => {
  const world = await World.create({ plainPort: 80 });
  try {
    const account = await world.account();
    const credentials = [await world.credential(account), await world.credential(account)];
    const [one, two] = await Promise.all(credentials.map((credential) => world.login(credential)));
    for (const agent of [one!, two!])
      for (const Proto of ['http', 'https'])
        assert.equal(codeOf(await agent.bind({ Subdomain: 'twice' }, pooled, { Proto })), '', Proto);
    const name = pattern(`twice.${domain}`);
    const { online } = world.ingress;
    for (const tunnel of [online.byName(name), online.byPlainName(name)])
      assert.equal(tunnel?.pool?.tunnels.length, 2);
    assert.equal(codeOf(await two!.bind({ Subdomain: 'twice' }, {}, { Proto: 'http' })), '334');
  } finally {
    await world.stop();
  }
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  codeOf,
  domain,
  numberIn,
  pattern,
  type TestCredential,
  until,
  visitor,
  World,
} from './ingress.fixture.ts';

describe('a change through the API takes effect on what is online', () => {
  let world: World;
  let account: string;
  let credential: TestCredential;
  let bystander: TestCredential;

  before(async () => {
    world = await World.create();
    account = await world.account();
    credential = await world.credential(account);
    bystander = await world.credential(account);
  });
  after(() => world.stop());

  const at = (name: string) => world.ingress.online.byName(pattern(name));

  test('a deleted credential ends its sessions, frees its names, and logs in no more', async () => {
    const doomed = await world.credential(account);
    const agent = await world.login(doomed);
    const observer = await world.login(bystander);
    await agent.bind({ Subdomain: 'doomed' });
    await agent.label({ app: 'doomed' });
    const tunnel = at(`doomed.${domain}`)!;
    await world.remove(doomed.id);
    assert.equal(numberIn((await agent.closed).debug), '300');
    assert.ok(tunnel.closed.aborted);
    assert.equal(tunnel.open(visitor), null);
    assert.equal(world.ingress.counts.tunnels, 0);
    assert.equal(codeOf(await (await world.connect()).auth(doomed.token)), '107');
    assert.equal(
      codeOf(await observer.bind({ Subdomain: 'doomed' })),
      '',
      'nobody can come back to the name',
    );
    observer.socket.destroy();
  });

  test('a credential that is deleted while an agent logs in never gets a session', async () => {
    for (let round = 0; round < 10; round++) {
      const doomed = await world.credential(account);
      const agent = await world.connect();
      const [answer] = await Promise.all([
        agent.auth(doomed.token).catch(() => null),
        world.remove(doomed.id),
      ]);
      const code = answer === null ? '' : codeOf(answer);
      assert.ok(code === '' || code === '107', code);
      await agent.closed;
    }
    const ours = [...world.ingress.online.sessions(account)].filter(
      (session) => session.credential !== bystander.id,
    );
    assert.deepEqual(ours, []);
  });

  for (const [kind, prefix, body] of [
    ['user', 'usr', { name: 'u', email: '', role: 'member', active: true }],
    ['bot_user', 'bot', { name: 'ci', active: true }],
  ] as const) {
    test(`a ${kind} that is made inactive loses its sessions and names at once, and comes back when active`, async () => {
      const owner = await world.insert(kind, prefix, account, body);
      const doomed = await world.credential(account, [], owner);
      const agent = await world.login(doomed);
      const observer = await world.login(bystander);
      await agent.bind({ Subdomain: `owned-${prefix}` });
      const lost = await world.login(doomed);
      await lost.bind({ Subdomain: `held-${prefix}` });
      lost.socket.destroy();
      await until(() => at(`held-${prefix}.${domain}`) === undefined, 'the second session is lost');
      const tunnel = at(`owned-${prefix}.${domain}`)!;
      await world.replace(owner, (now) => ({ ...now, name: 'another' }));
      assert.ok(!tunnel.closed.aborted, 'other changes of an owner change nothing');

      await world.replace(owner, (now) => ({ ...now, active: false }));
      assert.equal(numberIn((await agent.closed).debug), '60141');
      assert.equal(tunnel.open(visitor), null);
      assert.equal(codeOf(await (await world.connect()).auth(doomed.token)), '60141');
      for (const name of [`owned-${prefix}`, `held-${prefix}`]) {
        const taken = await observer.bind({ Subdomain: name }, {}, { Id: name });
        assert.equal(codeOf(taken), '', `${name} is held for nobody`);
      }
      await world.replace(owner, (now) => ({ ...now, active: true }));
      const back = await world.login(doomed);
      assert.equal(codeOf(await back.bind({ Subdomain: 'again' })), '');

      await world.remove(owner);
      assert.equal(numberIn((await back.closed).debug), '60141', 'nobody answers for it any more');
      observer.socket.destroy();
    });
  }

  test('an owner that is made inactive while an agent logs in leaves no session', async () => {
    for (let round = 0; round < 10; round++) {
      const owner = await world.insert('bot_user', 'bot', account, { name: 'ci', active: true });
      const doomed = await world.credential(account, [], owner);
      const agent = await world.connect();
      const [answer] = await Promise.all([
        agent.auth(doomed.token).catch(() => null),
        world.replace(owner, (now) => ({ ...now, active: false })),
      ]);
      const code = answer === null ? '' : codeOf(answer);
      assert.ok(code === '' || code === '60141', code);
      await agent.closed;
    }
  });

  test('narrower bind rules stop what they no longer permit, and nothing else', async () => {
    const agent = await world.login(credential);
    await agent.bind({ Subdomain: 'stays' }, {}, { Id: 's' });
    await agent.bind({ Subdomain: 'goes' }, {}, { Id: 'g' });
    const label = await agent.label({ app: 'goes' });
    await agent.label({ app: 'stays' });
    const goes = at(`goes.${domain}`)!;
    const stays = at(`stays.${domain}`)!;
    await world.setRules(credential, [`bind:stays.${domain}`, 'bind:app=stays']);
    await until(() => agent.stopped.length === 2, 'the agent is told');
    assert.deepEqual(
      agent.stopped.map(({ Id: id, Message: message }) => [id, numberIn(message)]).sort(),
      [
        ['g', '316'],
        [label.Id, '399'],
      ].sort(),
    );
    assert.equal(goes.open(visitor), null);
    assert.ok(!stays.closed.aborted);
    assert.equal(at(`stays.${domain}`), stays);
    assert.equal(world.ingress.counts.tunnels, 2);
    assert.equal(
      codeOf(await agent.bind({ Subdomain: 'goes' })),
      '316',
      'the new rules hold for the next bind',
    );
    await world.setRules(credential, []);
    assert.equal(codeOf(await agent.bind({ Subdomain: 'goes' })), '', 'and wider rules too');
    agent.socket.destroy();
  });

  test('a domain that is taken away stops its tunnels, and so does one that its wildcard covered', async () => {
    const exact = await world.reserve(account, 'gone.example.com');
    const wildcard = await world.reserve(account, '*.wild.example.com');
    const agent = await world.login(credential);
    for (const name of ['gone.example.com', '*.wild.example.com', 'a.b.wild.example.com']) {
      assert.equal(codeOf(await agent.bind({ Domain: name }, {}, { Id: name })), '', name);
    }
    await agent.bind({ Subdomain: 'unrelated' });
    await world.remove(exact);
    await until(() => agent.stopped.length === 1, 'the first is stopped');
    assert.equal(numberIn(agent.stopped[0]?.Message ?? ''), '319');
    assert.equal(at('gone.example.com'), undefined);
    await world.remove(wildcard);
    await until(() => agent.stopped.length === 3, 'both are stopped');
    assert.equal(world.ingress.counts.tunnels, 1);
    agent.socket.destroy();
  });

  test('a name that is attached to an edge, or reserved by another account, is taken from its tunnel', async () => {
    const agent = await world.login(credential);
    await world.reserve(account, `edge.${domain}`);
    await agent.bind({ Subdomain: 'edge' }, {}, { Id: 'e' });
    await agent.bind({ Subdomain: 'lost' }, {}, { Id: 'l' });
    const edge = await world.edge(account, [`edge.${domain}`]);
    await until(() => agent.stopped.length === 1, 'the edge has the name now');
    assert.deepEqual([agent.stopped[0]?.Id, numberIn(agent.stopped[0]?.Message ?? '')], ['e', '381']);
    assert.equal(codeOf(await agent.bind({ Subdomain: 'edge' })), '381');
    await world.replace(edge, (body) => ({ ...body, hostports: [] }));
    assert.equal(codeOf(await agent.bind({ Subdomain: 'edge' })), '', 'detached, it can be bound again');
    const httpsEdge = await world.httpsEdge(account, [`https.${domain}`]);
    assert.equal(codeOf(await agent.bind({ Subdomain: 'https' })), '381');
    await world.remove(httpsEdge);
    assert.equal(codeOf(await agent.bind({ Subdomain: 'https' })), '');
    await world.reserve(await world.account('other'), `lost.${domain}`);
    await until(() => agent.stopped.length === 2, 'the other account has the name now');
    assert.deepEqual([agent.stopped[1]?.Id, numberIn(agent.stopped[1]?.Message ?? '')], ['l', '320']);
    agent.socket.destroy();
  });

  test('an owner that is made inactive bars its credentials after a restart too', async () => {
    const owner = await world.insert('bot_user', 'bot', account, { name: 'ci', active: true });
    const doomed = await world.credential(account, [], owner);
    await world.restart();
    const agent = await world.login(doomed);
    await world.replace(owner, (now) => ({ ...now, active: false }));
    assert.equal(numberIn((await agent.closed).debug), '60141');
  });

  test('what changed while the service was down holds when it is back', async () => {
    await world.reserve(account, 'before.example.com');
    await world.restart();
    const agent = await world.login(credential);
    assert.equal(codeOf(await agent.bind({ Domain: 'before.example.com' })), '');
    agent.socket.destroy();
  });
});

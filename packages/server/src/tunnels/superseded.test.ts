import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { field, noopHandler } from '@underpass/wire';
import type { HostPattern } from '../core/names/hostname.ts';
import {
  codeOf,
  domain,
  numberIn,
  pattern,
  type TestAgent,
  type TestCredential,
  until,
  visitor,
  World,
} from './ingress.fixture.ts';
import { suspend } from './registry.fixture.ts';

const minute = 60_000;

describe('a name', () => {
  let world: World;
  let account: string;
  let credential: TestCredential;
  let sibling: TestCredential;
  let stranger: TestCredential;
  let now = 0;

  before(async () => {
    world = await World.create({ uptime: () => now });
    account = await world.account();
    credential = await world.credential(account);
    sibling = await world.credential(account);
    stranger = await world.credential(await world.account('stranger'));
  });
  after(() => world.stop());

  const at = (name: string) => world.ingress.online.byName(pattern(name));
  const lose = async (agent: TestAgent, name: string) => {
    agent.socket.destroy();
    await until(() => at(name) === undefined, `${name} goes offline`);
  };

  test('comes back to its credential at once while the old connection is half-dead', async () => {
    const old = await world.login(credential);
    await old.bind({ Subdomain: 'half' });
    const former = at(`half.${domain}`)!;
    const inFlight = former.open(visitor)!;
    let closed = false;
    inFlight.handler = noopHandler;
    const seen: unknown[] = [];
    former.closed.addEventListener('abort', () => {
      closed = true;
      seen.push(at(`half.${domain}`));
    });
    old.socket.pause();

    const fresh = await world.login(credential);
    assert.equal(codeOf(await fresh.bind({ Subdomain: 'half' })), '');
    const current = at(`half.${domain}`)!;
    assert.notEqual(current.id, former.id);
    assert.ok(closed);
    assert.deepEqual(seen, [undefined], 'the old generation is closed before the new one is visible');
    assert.equal(former.open(visitor), null, 'an old generation never delivers again');
    old.socket.resume();
    await until(() => old.stopped.length === 1, 'the old session is told when it can hear');
    assert.equal(numberIn(old.stopped[0]?.Message ?? ''), '60316');
    assert.equal(old.stopped[0]?.ErrorCode, 'ERR_TEST_60316');
    assert.equal(at(`half.${domain}`), current);
    await lose(fresh, `half.${domain}`);
    old.socket.destroy();
  });

  test('that another agent takes over is said to both, with who the other one is, in text that is safe to print', async () => {
    const hostile = 'a\u001b[31m\u202e\nERR_TEST_1\u2028"';
    const old = await world.login(credential, { Hostname: 'rack-7' });
    assert.equal(field((await old.bind({ Subdomain: 'moves' }, {}, { Id: 'm' })).Extra, 'Notice'), undefined);
    const fresh = await world.login(credential, { Hostname: hostile, OS: 'bsd\u0007' });
    const bound = await fresh.bind({ Subdomain: 'moves' });
    const notice = String(field(bound.Extra, 'Notice'));
    const session = '\\(linux, version 1\\.2\\.3, session ts_\\w{27}\\) from 127\\.0\\.0\\.1';
    assert.match(
      notice,
      new RegExp(`^The name moves\\.${domain} was taken over from the agent on "rack-7" ${session}, `),
    );
    await until(() => old.stopped.length === 1, 'the one that lost it is told');
    const { Id: id, Message: message = '' } = old.stopped[0] ?? {};
    assert.equal(id, 'm');
    assert.match(
      message,
      /by the agent on "a\?\[31m\?\?ERR_TEST_1\?"" \(bsd\?, version 1\.2\.3, session ts_\w{27}\) from 127/,
    );
    assert.equal(numberIn(message), '60316');
    const again = await fresh.bind({ Subdomain: 'moves' });
    assert.equal(field(again.Extra, 'Notice'), undefined, 'nobody else had it');
    await until(() => fresh.stopped.length === 1, 'its own former tunnel of the name is stopped');
    assert.match(fresh.stopped[0]?.Message ?? '', / by this agent, /);
    for (const agent of [old, fresh]) agent.socket.destroy();
    await until(() => at(`moves.${domain}`) === undefined, 'both are gone');
  });

  test('that an agent lost is said to it, and a stream on which it never answers is not waited for without end', async (t) => {
    const agent = await world.login(credential);
    agent.answersStops = false;
    await agent.bind({ Subdomain: 'mute' });
    await agent.bind({ Subdomain: 'other' });
    const resting = agent.mux.streamCount;
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const fresh = await world.login(credential);
    await fresh.bind({ Subdomain: 'mute' });
    // Agents know a tunnel only some time after the answer to its bind.
    t.mock.timers.tick(1_000);
    await until(() => agent.stopped.length === 1, 'it is told');
    assert.equal(agent.mux.streamCount, resting + 1);
    t.mock.timers.tick(10_000);
    await until(() => agent.mux.streamCount === resting, 'the stream is reset');
    t.mock.timers.reset();
    assert.equal(codeOf(await agent.bind({ Subdomain: 'again' })), '', 'the session lives');
    assert.ok(at(`other.${domain}`) !== undefined);
    for (const one of [agent, fresh]) one.socket.destroy();
    await until(() => at(`mute.${domain}`) === undefined, 'both are gone');
  });

  test('does not leave its newest tunnel when an older session of it ends', async () => {
    const old = await world.login(credential);
    await old.bind({ Subdomain: 'kept' });
    const fresh = await world.login(credential);
    await fresh.bind({ Subdomain: 'kept' });
    const current = at(`kept.${domain}`);
    old.socket.destroy();
    await until(() => [...world.ingress.online.sessions(account)].length === 1, 'the old session ends');
    assert.equal(at(`kept.${domain}`), current);
    assert.equal([...world.ingress.online.tunnels(account)].length, 1);
    const rival = await world.login(stranger);
    assert.equal(codeOf(await rival.bind({ Subdomain: 'kept' })), '334');
    await lose(fresh, `kept.${domain}`);
    rival.socket.destroy();
  });

  test('is never taken over by another credential, online or in the grace time', async () => {
    const agent = await world.login(credential);
    await agent.bind({ Subdomain: 'held' });
    const rivals = [await world.login(stranger), await world.login(sibling)];
    for (const rival of rivals) assert.equal(codeOf(await rival.bind({ Subdomain: 'HELD' })), '334');
    await lose(agent, `held.${domain}`);
    for (const rival of rivals) assert.equal(codeOf(await rival.bind({ Subdomain: 'held' })), '60303');
    now += 5 * minute - 1;
    for (const rival of rivals) assert.equal(codeOf(await rival.bind({ Subdomain: 'held' })), '60303');
    now += 1;
    assert.equal(codeOf(await rivals[0]!.bind({ Subdomain: 'held' })), '');
    const back = await world.login(credential);
    assert.equal(codeOf(await back.bind({ Subdomain: 'held' })), '334');
    for (const rival of rivals) rival.socket.destroy();
    back.socket.destroy();
  });

  test('that is held is given to nobody, whatever is reserved meanwhile by whom', async () => {
    const agent = await world.login(credential);
    for (const Subdomain of ['waiting', 'own']) await agent.bind({ Subdomain });
    await lose(agent, `waiting.${domain}`);
    const { online } = world.ingress;
    const rival = await world.login(stranger);
    const name = pattern(`waiting.${domain}`);
    for (const taken of [name, pattern(`*.${domain}`)])
      assert.equal(online.occupied(taken, stranger.account), 'held');
    assert.equal(online.occupied(name, account), null);
    assert.equal(online.occupied(pattern(`*.waiting.${domain}`), stranger.account), null);
    // By another daemon, which does not know what is held here.
    const reservation = await world.reserve(stranger.account, name);
    assert.equal(online.heldFor(name), account);
    assert.equal(codeOf(await rival.bind({ Domain: name })), '60303');
    await world.remove(reservation);
    const back = await world.login(credential);
    assert.equal(codeOf(await back.bind({ Domain: name })), '');
    await lose(back, name);
    const own = await world.reserve(account, `own.${domain}`);
    assert.equal(online.heldFor(`own.${domain}` as HostPattern), account);
    await world.remove(own);
    now += 5 * minute;
    assert.equal(online.occupied(name, stranger.account), null);
    rival.socket.destroy();
  });

  test('that somebody is reserving is bound by others only when that is over, and as it then is', async () => {
    const { online } = world.ingress;
    const owner = await world.login(credential);
    const rival = await world.login(stranger);
    for (const outcome of ['reserved', 'refused'] as const) {
      const name = pattern(`${outcome}.${domain}`);
      const resume = suspend(online, name, account);
      const bound = rival.bind({ Domain: name });
      assert.equal(codeOf(await owner.bind({ Domain: name }, {}, { Id: outcome })), '');
      await owner.request(2, { Id: outcome });
      assert.equal(
        codeOf(await rival.bind({ Subdomain: `beside-${outcome}` })),
        '',
        'other names do not wait',
      );
      assert.equal(at(name), undefined);
      if (outcome === 'reserved') await world.reserve(account, name);
      resume();
      assert.equal(codeOf(await bound), outcome === 'reserved' ? '320' : '');
    }
    const resume = suspend(online, pattern(`gone.${domain}`), account);
    const never = rival.bind({ Subdomain: 'gone' }).catch(() => null);
    rival.socket.destroy();
    await until(() => [...online.sessions(stranger.account)].length === 0, 'the session ends');
    resume();
    await never;
    assert.equal(at(`gone.${domain}`), undefined, 'a session that is over binds nothing');
    owner.socket.destroy();
  });

  test('of a reserved domain is held for less, and one that was unbound not at all', async () => {
    await world.reserve(account, 'grace.example.com');
    const agent = await world.login(credential);
    const other = await world.login(sibling);
    await agent.bind({ Domain: 'grace.example.com' });
    await agent.bind({ Subdomain: 'given-up' }, {}, { Id: 'g' });
    await agent.request(2, { Id: 'g' });
    assert.equal(codeOf(await other.bind({ Subdomain: 'given-up' })), '');
    await lose(agent, 'grace.example.com');
    assert.equal(codeOf(await other.bind({ Domain: 'grace.example.com' })), '60303');
    now += minute;
    assert.equal(codeOf(await other.bind({ Domain: 'grace.example.com' })), '');
    other.socket.destroy();
  });

  test('is held no longer when its credential is removed, or the owner of it is inactive', async () => {
    const other = await world.login(stranger);
    const heldFor = (name: string) => world.ingress.online.heldFor(pattern(name));
    for (const end of ['removed', 'inactive'] as const) {
      const name = `owner-${end}.${domain}`;
      const user = { name: 'u', email: 'u@example.com', role: 'admin', active: true };
      const owner = await world.insert('user', 'usr', account, user);
      const own = await world.credential(account, [], owner);
      const agent = await world.login(own);
      assert.equal(codeOf(await agent.bind({ Domain: name })), '');
      await lose(agent, name);
      assert.equal(heldFor(name), account);
      if (end === 'removed') await world.remove(own.id);
      else await world.replace(owner, (body) => ({ ...body, active: false }));
      await until(() => heldFor(name) === undefined, `${name} is free`);
      assert.equal(codeOf(await other.bind({ Domain: name })), '');
    }
    other.socket.destroy();
  });

  test('that was random comes back by its URL, by its token alone, and by what the bind answered', async () => {
    const agent = await world.login(credential);
    const first = await agent.bind();
    const name = String(field(first.Opts, 'Hostname'));
    const token = field(first.Extra, 'Token');
    await lose(agent, name);
    for (const [opts, extra] of [
      [{ URL: first.URL }, {}],
      [{}, { Token: token }],
      [first.Opts as Record<string, unknown>, { Token: token }],
    ] as const) {
      const back = await world.login(credential);
      const again = await back.bind(opts, extra, { Id: first.Id });
      assert.equal(again.Error, '');
      assert.deepEqual([again.Id, again.URL], [first.Id, first.URL]);
      await lose(back, name);
    }
    const thief = await world.login(sibling);
    for (const opts of [{}, { URL: first.URL }]) {
      assert.equal(
        codeOf(await thief.bind(opts, { Token: token })),
        '60304',
        'the proof is of another credential',
      );
    }
    thief.socket.destroy();
  });

  test('that was random comes back after a restart of the service too', async () => {
    const agent = await world.login(credential);
    const first = await agent.bind();
    const token = field(first.Extra, 'Token');
    await world.restart();
    await agent.closed;
    const back = await world.login(credential);
    const again = await back.bind({}, { Token: token });
    assert.equal(again.URL, first.URL);
    back.socket.destroy();
  });

  test('comes back to a whole session that proves its earlier id, labelled tunnels included', async () => {
    const agent = await world.connect();
    const hello = await agent.auth(credential.token);
    await agent.bind({ Subdomain: 'again' }, {}, { Id: 'a' });
    await agent.label({ app: 'web' });
    const labels = new Map([['app', 'web']]);
    const [former] = world.ingress.online.matching(account, labels);
    agent.socket.pause();

    const back = await world.connect();
    await back.auth(credential.token, { Cookie: field(hello.Extra, 'Cookie') }, { ClientId: hello.ClientId });
    assert.deepEqual(
      world.ingress.online.matching(account, labels),
      [],
      'nothing is sent to the half-dead connection',
    );
    assert.equal(former?.open(visitor), null);
    assert.equal(codeOf(await back.bind({ Subdomain: 'again' }, {}, { Id: 'a' })), '');
    assert.equal(codeOf(await back.label({ app: 'web' })), '');
    assert.equal(world.ingress.online.matching(account, labels).length, 1);
    agent.socket.destroy();
    back.socket.destroy();
  });

  test('stays where it is when two agents with one credential rebind it in turn: the newest has it', async () => {
    const agents = await Promise.all([world.login(credential), world.login(credential)]);
    for (let turn = 0; turn < 10; turn++) {
      const agent = agents[turn % 2]!;
      const response = await agent.bind({ Subdomain: 'turns' }, {}, { Id: `t${turn}` });
      assert.equal(codeOf(response), '');
      assert.equal(at(`turns.${domain}`)?.id, field(response.Extra, 'TunnelID'));
    }
    assert.equal([...world.ingress.online.tunnels(account)].length, 1);
    for (const agent of agents) agent.socket.destroy();
  });
});

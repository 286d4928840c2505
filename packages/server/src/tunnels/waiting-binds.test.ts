import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { field, StreamType } from '@underpass/wire';
import type { HostPattern } from '../core/names/hostname.ts';
import {
  codeOf,
  domain,
  numberIn,
  pattern,
  type TestAgent,
  type TestCredential,
  until,
  World,
} from './ingress.fixture.ts';
import { emptyRegistry, suspend } from './registry.fixture.ts';

describe('a bind that waits for its name', () => {
  let world: World;
  let account: string;
  let credential: TestCredential;
  let other: string;
  let agent: TestAgent;
  let count = 0;

  before(async () => {
    world = await World.create();
    account = await world.account();
    credential = await world.credential(account);
    other = await world.account('other');
    agent = await world.login(credential);
  });
  after(() => world.stop());

  const at = (name: HostPattern) => world.ingress.online.byName(name);

  /** A name that binds wait for, because another account is about to reserve it, until `resume`. */
  function suspended(): { readonly name: HostPattern; readonly resume: () => Promise<void> } {
    const name = pattern(`waits${++count}.${domain}`);
    return { name, resume: suspend(world.ingress.online, name, other) };
  }

  /** The agent's requests are answered in order, so that what came before this one has begun. */
  async function arrived(from: TestAgent): Promise<void> {
    await from.request(StreamType.srvInfo, {});
  }

  test('keeps nobody else waiting', async () => {
    const { name, resume } = suspended();
    const bound = agent.bind({ Domain: name });
    assert.equal(codeOf(await agent.bind({})), '');
    assert.equal(at(name), undefined);
    resume();
    assert.equal(codeOf(await bound), '');
  });

  test('with another of the same credential: both are answered, and the later one has it', async () => {
    const { name, resume } = suspended();
    const second = await world.login(credential);
    const binds = [agent.bind({ Domain: name }, {}, { Id: 'first' })];
    await arrived(agent);
    binds.push(second.bind({ Domain: name }));
    await arrived(second);
    resume();
    const [first, later] = await Promise.all(binds);
    assert.deepEqual([codeOf(first), codeOf(later)], ['', '']);
    assert.equal(at(name)?.id, field(later?.Extra, 'TunnelID'));
    await until(() => agent.stopped.some(({ Id }) => Id === 'first'), 'the first is told');
    second.socket.destroy();
  });

  test('with another of another credential: exactly one gets it', async () => {
    const { name, resume } = suspended();
    const sibling = await world.login(await world.credential(account));
    const binds = [agent.bind({ Domain: name }), sibling.bind({ Domain: name })];
    await Promise.all([arrived(agent), arrived(sibling)]);
    resume();
    assert.deepEqual((await Promise.all(binds)).map(codeOf).sort(), ['', '334']);
    sibling.socket.destroy();
  });

  test('comes to nothing when its session ends, and leaves the name to others', async () => {
    const { name, resume } = suspended();
    const gone = await world.login(credential);
    const never = gone.bind({ Domain: name }).catch(() => null);
    await arrived(gone);
    gone.socket.destroy();
    await until(() => [...world.ingress.online.sessions(account)].length === 1, 'the session ends');
    resume();
    await never;
    const sibling = await world.login(await world.credential(account));
    assert.equal(codeOf(await sibling.bind({ Domain: name })), '', 'it is neither online nor held');
    sibling.socket.destroy();
  });

  test('comes to nothing when its credential is revoked', async () => {
    const { name, resume } = suspended();
    const doomed = await world.credential(account);
    const revoked = await world.login(doomed);
    const never = revoked.bind({ Domain: name }).catch(() => null);
    await arrived(revoked);
    await world.remove(doomed.id);
    resume();
    assert.equal(numberIn((await revoked.closed).debug), '300');
    await never;
    assert.equal(codeOf(await agent.bind({ Domain: name })), '');
  });

  for (const [what, code, change] of [
    ['another account reserves the name', '320', (name: string) => world.reserve(other, name)],
    ['the account makes an edge on it', '381', (name: string) => world.edge(account, [name])],
    ['the bind rules change', '316', () => world.setRules(credential, ['bind:elsewhere.example.com'])],
  ] as const) {
    test(`is refused when, meanwhile, ${what}`, async () => {
      const { name, resume } = suspended();
      const bound = agent.bind({ Domain: name });
      await arrived(agent);
      await change(name);
      resume();
      const answered = codeOf(await bound);
      await world.setRules(credential, []);
      assert.equal(answered, code);
    });
  }

  test('is withdrawn by an Unbind with its id', async () => {
    const { name, resume } = suspended();
    const bound = agent.bind({ Domain: name }, {}, { Id: 'withdrawn' });
    await arrived(agent);
    const unbound = await agent.request(StreamType.unbind, { Id: 'withdrawn' });
    assert.equal(unbound.Error, '');
    resume();
    assert.equal(codeOf(await bound), '60400');
    assert.equal(at(name), undefined);
    assert.equal(codeOf(await agent.request(StreamType.unbind, { Id: 'withdrawn' })), '60308');
  });

  test('of an id that two ask for at once gets it once', async () => {
    const one = suspended();
    const two = suspended();
    const binds = [one, two].map(({ name }) => agent.bind({ Domain: name }, {}, { Id: 'twice' }));
    await arrived(agent);
    for (const { resume } of [one, two]) resume();
    assert.deepEqual((await Promise.all(binds)).map(codeOf), ['', '60306']);
  });
});

test('a name that is claimed counts as online for other accounts until it is released', async () => {
  const { claims } = emptyRegistry();
  const name = pattern('claimed.example.com');
  const at = { session: 'ts_1', clientId: 'ts_1', isPooled: false, bindId: '', endpoint: null };
  const ours = { account: 'ac_1', credential: 'cr_1', ...at };
  const theirs = { account: 'ac_2', credential: 'cr_2', ...at };
  const first = await claims.claim(name, ours);
  const second = await claims.claim(name, ours);
  for (const asked of [name, pattern('*.example.com')]) {
    assert.equal(claims.occupied(asked, theirs.account), 'online');
    assert.equal(claims.occupied(asked, ours.account), null);
  }
  for (const generation of [first, first, second]) {
    await assert.rejects(claims.claim(name, theirs), { code: 'bindNameOnline' });
    claims.release(generation);
  }
  assert.equal(claims.occupied(name, theirs.account), null);
  await claims.claim(name, theirs);
});

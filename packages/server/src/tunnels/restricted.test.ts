import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { codeOf, domain, numberIn, pattern, type TestCredential, visitor, World } from './ingress.fixture.ts';

describe('an IP restriction of agents', () => {
  let world: World;
  let account: string;
  let credential: TestCredential;
  let restriction: string;
  let policies = 0;
  let policy = '';

  before(async () => {
    world = await World.create();
    account = await world.account();
    credential = await world.credential(account);
    restriction = await world.insert('ip_restriction', 'ipx', account, {
      description: '',
      metadata: '',
      enforced: false,
      type: 'agent',
      ip_policy_ids: [],
    });
  });
  after(() => world.stop());

  function rule(action: string, cidr: string): Promise<string> {
    const body = { description: '', metadata: '', ip_policy_id: policy, action, cidr };
    return world.insert('ip_policy_rule', 'ipr', account, body);
  }

  /** A fresh policy with one rule, for the restriction. Answers the rule. */
  async function restrict(action: string, cidr: string, enforced = true): Promise<string> {
    policies += 1;
    policy = `ipp_${policies}`;
    const id = await rule(action, cidr);
    await world.replace(restriction, (body) => ({ ...body, enforced, ip_policy_ids: [policy] }));
    return id;
  }

  test('an agent from an address that is not allowed is refused at Auth, and told why', async () => {
    await restrict('allow', '10.0.0.0/8');
    const agent = await world.connect();
    const answer = await agent.auth(credential.token);
    assert.equal(codeOf(answer), '115');
    assert.match(String(answer.Error), /127\.0\.0\.1/);
    assert.equal(numberIn((await agent.closed).debug), '115');
    assert.equal(world.ingress.counts.sessions, 0);
  });

  test('a token that is not valid is told so, not what the address may', async () => {
    await restrict('allow', '10.0.0.0/8');
    assert.equal(codeOf(await (await world.connect()).auth(`${credential.token}x`)), '107');
  });

  test('an agent from an allowed address comes in, and those of other accounts from anywhere', async () => {
    await restrict('allow', '127.0.0.0/8');
    const agent = await world.login(credential);
    await restrict('allow', '10.0.0.0/8');
    const foreign = await world.login(await world.credential(await world.account('other')));
    await agent.closed;
    assert.equal(codeOf(await foreign.bind({ Subdomain: 'foreign' })), '');
    foreign.socket.destroy();
  });

  test('P4: sessions end as soon as a rule or the restriction no longer allows them, and deliver nothing more', async () => {
    const shutOut: [string, () => Promise<unknown>][] = [
      ['its rule deleted', () => world.remove(allowed)],
      ['its rule changed', () => world.replace(allowed, (body) => ({ ...body, cidr: '10.0.0.0/8' }))],
      ['a deny rule added', () => rule('deny', '127.0.0.1/32')],
      ['another policy', () => restrict('deny', '0.0.0.0/0')],
    ];
    let allowed = '';
    for (const [what, change] of shutOut) {
      allowed = await restrict('allow', '127.0.0.0/8');
      const agent = await world.login(credential);
      assert.equal(codeOf(await agent.bind({ Subdomain: 'inside' })), '', what);
      const tunnel = world.ingress.online.byName(pattern(`inside.${domain}`))!;
      await change();
      assert.equal(tunnel.open(visitor), null, what);
      assert.equal(numberIn((await agent.closed).debug), '115', what);
      assert.equal(world.ingress.online.byName(pattern(`inside.${domain}`)), undefined, what);
    }
  });

  test('P4: enforcing a restriction ends the sessions that it refuses, and a session outlives all other changes', async () => {
    await restrict('allow', '127.0.0.0/8');
    const agent = await world.login(credential);
    const other = await rule('deny', '10.0.0.0/8');
    await world.remove(other);
    const allowed = await restrict('allow', '127.0.0.1/32', false);
    await world.remove(allowed);
    assert.equal(codeOf(await agent.bind({ Subdomain: 'outlives' })), '');
    await world.replace(restriction, (body) => ({ ...body, enforced: true }));
    assert.equal(numberIn((await agent.closed).debug), '115');
  });

  test('an address that loses its permission while an agent logs in never has a session', async () => {
    for (let round = 0; round < 10; round++) {
      const allowed = await restrict('allow', '127.0.0.0/8');
      const agent = await world.connect();
      const [answer] = await Promise.all([
        agent.auth(credential.token).catch(() => null),
        world.remove(allowed),
      ]);
      const code = answer === null ? '' : codeOf(answer);
      assert.ok(code === '' || code === '115', code);
      await agent.closed;
    }
    assert.deepEqual([...world.ingress.online.sessions(account)], []);
  });

  test('a restriction that is not enforced lets agents in, and a warning says whom it would refuse', async () => {
    await restrict('allow', '10.0.0.0/8', false);
    world.warnings.length = 0;
    const agent = await world.login(credential);
    const [warning, ...more] = world.warnings.map((line) => JSON.parse(line));
    assert.deepEqual(more, []);
    assert.equal(warning.msg, 'agent would have been refused: the IP restriction is not enforced');
    assert.deepEqual([warning.account, warning.credential], [account, credential.id]);
    assert.equal(warning.ip, '127.0.0.1');
    agent.socket.destroy();
  });
});

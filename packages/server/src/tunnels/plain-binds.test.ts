import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { StreamType } from '@underpass/wire';
import {
  codeOf,
  domain,
  pattern,
  type TestAgent,
  type TestCredential,
  until,
  World,
} from './ingress.fixture.ts';

describe('an agent that binds plain HTTP', () => {
  let world: World;
  let account: string;
  let credential: TestCredential;
  let agent: TestAgent;
  let rival: TestAgent;

  before(async () => {
    world = await World.create({ plainPort: 8080 });
    account = await world.account();
    credential = await world.credential(account);
    agent = await world.login(credential);
    rival = await world.login(await world.credential(await world.account('rival')));
  });
  after(() => world.stop());

  const bind = (from: TestAgent, Proto: 'http' | 'https', opts: Record<string, unknown>, Id = '') =>
    from.bind(opts, {}, { Proto, Id });
  const plainAt = (label: string) => world.ingress.online.byPlainName(pattern(`${label}.${domain}`));
  const securedAt = (label: string) => world.ingress.online.byName(pattern(`${label}.${domain}`));

  test('is answered the URL without TLS, and may send that back', async () => {
    const url = `http://shop.${domain}:8080`;
    for (const opts of [{ Subdomain: 'shop' }, { URL: url }, { URL: `http://shop.${domain}:80` }]) {
      const answer = await bind(agent, 'http', opts, 'shop');
      assert.deepEqual([answer.Error, answer.URL, answer.Proto], ['', url, 'http']);
      const again = await bind(agent, 'http', answer.Opts as Record<string, unknown>, 'shop');
      assert.deepEqual([again.Error, again.URL], ['', url]);
    }
    assert.deepEqual([plainAt('shop')?.facts.endpoint?.url, securedAt('shop')], [url, undefined]);
    await agent.request(StreamType.unbind, { Id: 'shop' });
    assert.equal(plainAt('shop'), undefined);
  });

  test('may have the name with TLS, too, and ends one without the other', async () => {
    await bind(agent, 'http', { Subdomain: 'both' }, 'plain');
    await bind(agent, 'https', { Subdomain: 'both' }, 'secured');
    assert.equal(codeOf(await bind(agent, 'https', { Subdomain: 'both' }, 'plain')), '60306');
    assert.deepEqual(
      [plainAt('both')?.facts.endpoint?.proto, securedAt('both')?.facts.endpoint?.proto],
      ['http', 'https'],
    );
    await agent.request(StreamType.unbind, { Id: 'secured' });
    assert.deepEqual([plainAt('both')?.facts.endpoint?.proto, securedAt('both')], ['http', undefined]);
    await agent.request(StreamType.unbind, { Id: 'plain' });
  });

  test('has the name alone, whichever way others ask for it, and for a while after it is lost', async () => {
    const lost = await world.login(credential);
    await bind(lost, 'http', { Subdomain: 'own' });
    const both = ['http', 'https'] as const;
    for (const proto of both) assert.equal(codeOf(await bind(rival, proto, { Subdomain: 'own' })), '334');
    for (const asked of [`own.${domain}`, `*.${domain}`])
      assert.equal(world.ingress.online.occupied(pattern(asked), 'ac_rival'), 'online');
    lost.socket.destroy();
    await until(() => plainAt('own') === undefined, 'it is lost');
    for (const proto of both) assert.equal(codeOf(await bind(rival, proto, { Subdomain: 'own' })), '60303');
    assert.equal(codeOf(await bind(agent, 'https', { Subdomain: 'own' })), '');
  });

  test('loses the name to a reservation of another account', async () => {
    await bind(agent, 'http', { Subdomain: 'goes' }, 'goes');
    await world.reserve(await world.account('owner'), `goes.${domain}`);
    assert.equal(plainAt('goes'), undefined);
  });

  test('gets an error, because no certificate can be shown there', async () => {
    const MutualTLSCA = { mutual_tls_ca: Buffer.from(world.authorityPem).toString('base64') };
    assert.equal(codeOf(await bind(agent, 'http', { MutualTLSCA })), '60405');
    assert.equal(codeOf(await bind(agent, 'https', { MutualTLSCA })), '');
  });
});

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { field, StreamType } from '@underpass/wire';
import { selfSigned } from '../../../../test/harness/make-certificate.ts';
import { codeOf, domain, pattern, type TestAgent, World } from './ingress.fixture.ts';

describe('an agent that binds TLS', () => {
  let world: World;
  let agent: TestAgent;
  let cert: string;
  let key: string;

  before(async () => {
    world = await World.create();
    agent = await world.login(await world.credential(await world.account()));
    ({ pem: cert, key } = selfSigned('db.example.com'));
  });
  after(() => world.stop());

  const bind = (opts: Record<string, unknown>, top: Record<string, unknown> = {}) =>
    agent.bind(opts, {}, { Proto: 'tls', ...top });
  const terminationAt = (name: string) => world.ingress.online.byName(pattern(name))?.termination;

  test('gets the name that it asks for in any way, or a random one, and what some agents need in the answer', async () => {
    const always = { Subdomain: '', ProxyProto: 0, MutualTLSAtAgent: false };
    const name = `raw.${domain}`;
    const url = `tls://${name}:8443`;
    for (const [sent, answered] of [
      [{ URL: `tls://${name}` }, { ...always, URL: url, Hostname: name }],
      [
        { URL: url, TLSTermination: null },
        { ...always, URL: url, Hostname: name, TLSTermination: null },
      ],
      [{ Domain: name }, { ...always, Domain: name, Hostname: name }],
      [{ Subdomain: 'raw' }, { ...always, Subdomain: 'raw', Hostname: name }],
    ] as const) {
      const answer = await bind(sent, { Id: 'raw' });
      assert.deepEqual([answer.Error, answer.URL, answer.Proto, answer.Opts], ['', url, 'tls', answered]);
      const again = await agent.bind(answer.Opts as Record<string, unknown>, {}, { Id: 'raw', Proto: 'tls' });
      assert.deepEqual([again.Error, again.Opts], ['', answered], 'what was answered can be sent again');
    }
    const random = await bind({ URL: 'tls://' });
    assert.match(String(random.URL), /^tls:\/\/[0-9a-f]{12}\.underpass\.localhost:8443$/);
    const token = { Token: field(random.Extra, 'Token') };
    await agent.request(StreamType.unbind, { Id: random.Id });
    const back = await agent.bind({}, token, { Proto: 'tls' });
    assert.equal(back.URL, random.URL);
  });

  test('has TLS ended by an empty object, by one with a certificate, and not by null', async () => {
    const pem = { cert: base64(cert), key: base64(key) };
    for (const [module, expected] of [
      [null, null],
      [undefined, null],
      [{}, { certificate: null }],
      [{ cert: '', key: null }, { certificate: null }],
      [pem, { certificate: { cert } }],
      [{ CERT: pem.cert, Key: pem.key }, { certificate: { cert } }],
    ] as const) {
      const answer = await bind({ Subdomain: 'ends', TLSTermination: module }, { Id: 'ends' });
      assert.equal(codeOf(answer), '');
      const termination = terminationAt(`ends.${domain}`);
      assert.partialDeepStrictEqual({ termination }, { termination: expected });
      assert.deepEqual(field(answer.Opts, 'TLSTermination'), module);
    }
  });

  test('is told what is wrong with a certificate or an option, and gets nothing', async () => {
    const { key: otherKey } = selfSigned('db.example.com');
    for (const [code, opts] of [
      ['1901', { TLSTermination: { cert: base64(cert) } }],
      ['1922', { TLSTermination: { key: base64(key) } }],
      ['1922', { TLSTermination: { cert: base64('no PEM'), key: base64(key) } }],
      ['1923', { TLSTermination: { cert: base64(cert), key: base64(otherKey) } }],
      ['1921', { TLSTermination: { cert: base64('x'.repeat(70_000)), key: base64(key) } }],
      ['301', { TLSTermination: { cert: 1, key: base64(key) } }],
      ['301', { TLSTermination: true }],
      ['9029', { URL: `https://wrong.${domain}` }],
      ['60307', { MutualTLSAtAgent: true }],
      ['60705', { Compression: {} }],
      ['60705', { MutualTLSCA: { mutual_tls_ca: base64(cert) } }],
      ['60401', { MutualTLSAtEdge: { mutual_tls_ca: base64(cert) } }],
    ] as const) {
      const answer = await bind({ Subdomain: 'wrong', ...opts });
      assert.equal(codeOf(answer), code, JSON.stringify(Object.keys(opts)));
    }
    assert.equal(terminationAt(`wrong.${domain}`), undefined);
    const http = await agent.bind({ TLSTermination: { cert: 'eA==', key: 'eA==' } });
    assert.equal(codeOf(http), '60705', 'HTTP has no such option');
    assert.match(
      String(http.Error),
      /^TLSTermination is not for tunnels of the protocol https, only for tls\./,
    );
  });
});

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

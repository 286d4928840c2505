/** Facts of what is online are plain data, so that they can be sent to another daemon, and they contain no secret. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { field, StreamType } from '@underpass/wire';
import { selfSigned } from '../../../../test/harness/make-certificate.ts';
import type { SessionFacts } from '../online/session.ts';
import type { TunnelFacts } from '../online/tunnel-facts.ts';
import { codeOf, domain, pattern, World } from './ingress.fixture.ts';

/** The type itself if it has only what JSON keeps; otherwise one that no value has. */
type Plain<T> = T extends string | number | boolean | null
  ? T
  : T extends (...parameters: never[]) => unknown
    ? never
    : T extends object
      ? { [Key in keyof T]: Plain<T[Key]> }
      : never;

/** Accepts only types of plain data, and fails for values that a copy would not equal. */
function assertPlain<Facts>(facts: Facts & Plain<Facts>): void {
  assert.deepStrictEqual(structuredClone(facts), facts);
  assert.deepStrictEqual(JSON.parse(JSON.stringify(facts)), facts);
}

let world: World;
before(async () => {
  world = await World.create();
});
after(() => world.stop());

test('facts of a session are plain data without its authtoken and its cookie', async () => {
  const account = await world.account();
  const credential = await world.credential(account);
  const agent = await world.connect();
  const response = await agent.auth(credential.token, { Metadata: 'rack 7' });
  const cookie = String(field(field(response, 'Extra'), 'Cookie'));
  const [facts] = world.ingress.online.sessions(account);
  assert.ok(facts);
  assertPlain<SessionFacts>(facts);
  const text = JSON.stringify(facts);
  assert.ok(text.includes('rack 7') && cookie !== '');
  for (const secret of [credential.token, cookie]) assert.ok(!text.includes(secret), text);
});

test('facts of tunnels are plain data without what their modules keep secret, also after changes', async () => {
  const account = await world.account();
  const credential = await world.credential(account);
  const agent = await world.login(credential);
  const { pem, key } = selfSigned('db.example.com');
  const password = 'a-password-of-visitors';
  const signing = 'a-secret-of-webhooks';
  const modules = {
    BasicAuth: { credentials: [{ username: 'ann', cleartext_password: password }] },
    WebhookVerification: { provider: 'github', secret: signing },
  };
  const base64 = (text: string) => Buffer.from(text).toString('base64');
  const termination = { cert: base64(pem), key: base64(key) };
  const binds = [
    await agent.bind({ Subdomain: 'facts', ...modules }, { Metadata: 'm' }, { Id: 'one' }),
    await agent.bind({ Subdomain: 'tls', TLSTermination: termination }, {}, { Id: 'two', Proto: 'tls' }),
    await agent.bind({}, {}, { Id: 'three', Proto: 'tcp' }),
    await agent.label({ ['__proto__']: 'x', app: 'web', zone: 'a' }),
  ];
  assert.deepEqual(binds.map(codeOf), ['', '', '', '']);
  const { online } = world.ingress;
  const [before] = [...online.tunnels(account)];
  const changes = { TunnelId: 'one', Metadata: 'changed', Name: 'n', PoolingEnabled: true };
  assert.equal(codeOf(await agent.request(StreamType.patchTunnelState, changes)), '');
  const all = [...online.tunnels(account)];
  assert.deepEqual(
    all.map(({ endpoint, metadata, isPooled }) => [endpoint?.proto, metadata, isPooled]),
    [
      ['https', 'changed', true],
      ['tls', '', false],
      ['tcp', '', false],
      [undefined, 'm', false],
    ],
  );
  assert.deepEqual([before?.metadata, before?.isPooled], ['m', false], 'a change replaces the facts');
  for (const facts of all) assertPlain<TunnelFacts>(facts);
  const text = JSON.stringify(all);
  const tokens = binds.slice(0, 3).map(({ Extra }) => String(field(Extra, 'Token')));
  const [, keyLine = assert.fail()] = key.split('\n');
  for (const secret of [password, signing, keyLine, credential.token, ...tokens])
    assert.ok(secret.length > 10 && !text.includes(secret), secret);
  const [first, second] = ['facts', 'tls'].map((label) => online.byName(pattern(`${label}.${domain}`)));
  assert.deepEqual(Object.keys(first?.modules ?? {}).sort(), ['basic_auth', 'webhook_verification']);
  assert.notEqual(second?.termination, null);
});

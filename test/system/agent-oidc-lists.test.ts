/** Lists of e-mail addresses and domains of our agent's `--oidc`, as visitors meet them whose provider states this or that about them. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  ClientCertificates,
  Platform,
  Process,
  StatingProvider,
  startUpstream,
  type Upstream,
} from '../harness/index.ts';

const AGENT = fileURLToPath(import.meta.resolve('../../packages/agent/bin/underpass.js'));
const certificates = new ClientCertificates();
let platform: Platform;
let provider: StatingProvider;
let upstream: Upstream;

before(async () => {
  const identity = certificates.make('localhost', undefined, {
    extensions: ['subjectAltName=DNS:localhost'],
  });
  platform = await Platform.start({
    args: ['--allow-private', '127.0.0.0/8', '--allow-private', '::1/128'],
    through: ['env', `NODE_EXTRA_CA_CERTS=${identity.pemFile}`],
  });
  provider = await StatingProvider.start(identity);
  upstream = await startUpstream((request, response) =>
    response.end(`hello ${request.headers['underpass-auth-user-email'] ?? 'you'}`),
  );
});
after(async () => {
  await platform.stop();
  await provider?.stop();
  await upstream?.stop();
  certificates.remove();
});

async function tunnel(...flags: readonly string[]): Promise<string> {
  const { issuer, clientId, clientSecret } = provider;
  const env = { UNDERPASS_OIDC_CLIENT_ID: clientId, UNDERPASS_OIDC_CLIENT_SECRET: clientSecret };
  return (await platform.agent(['http', String(upstream.port), '--oidc', issuer, ...flags], { env })).url;
}

const cookiesOf = (headers: Readonly<Record<string, unknown>>): string =>
  [headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ');

/** The page that the user sees after the login, or the status of the refusal. */
async function seen(url: string, userinfo: Readonly<Record<string, unknown>>): Promise<string | number> {
  provider.userinfo = userinfo;
  const begun = await platform.visit(url, { headers: { accept: 'text/html' } });
  assert.equal(begun.status, 302, begun.text);
  const at = new URL(String(begun.headers.location));
  assert.equal(at.origin, provider.issuer);
  provider.nonce = at.searchParams.get('nonce') ?? '';
  const back = new URL(at.searchParams.get('redirect_uri') ?? '');
  back.searchParams.set('state', at.searchParams.get('state') ?? '');
  back.searchParams.set('code', 'c');
  const finished = await platform.visit(back.href, { headers: { cookie: cookiesOf(begun.headers) } });
  if (finished.status !== 302) return finished.status;
  const page = await platform.visit(url, { headers: { cookie: cookiesOf(finished.headers) } });
  return page.status === 200 ? page.text : page.status;
}

test('R16: lists let in an address that is verified, and with the flag others', async () => {
  const email = 'ada@example.com';
  const listed = await tunnel('--oidc-allow-email', 'Ada@Example.com', '--oidc-allow-domain', 'example.org');
  assert.equal(await seen(listed, { email, email_verified: true }), `hello ${email}`);
  assert.equal(await seen(listed, { email, email_verified: 'true' }), `hello ${email}`);
  assert.equal(
    await seen(listed, { email: 'bob@example.org', email_verified: true }),
    'hello bob@example.org',
  );
  for (const claims of [
    ...[{ email }, { email, email_verified: false }, { email, email_verified: 1 }, { email_verified: true }],
    ...['@example.org', 'a@b@example.org', 'a@x.example.org', 'ada@example.\u212aom', 'a@example.org.'].map(
      (other) => ({ email: other, email_verified: true }),
    ),
  ])
    assert.equal(await seen(listed, claims), 403, JSON.stringify(claims));
  const lifted = await tunnel('--oidc-allow-email', email, '--oidc-allow-unverified-email');
  for (const stated of [{}, { email_verified: false }, { email_verified: true }])
    assert.equal(await seen(lifted, { email, ...stated }), `hello ${email}`, JSON.stringify(stated));
  assert.equal(await seen(lifted, { email: 'bob@example.com' }), 403);
  const open = await tunnel();
  assert.equal(await seen(open, { email }), `hello ${email}`);
  assert.equal(await seen(open, { email, email_verified: false }), 'hello you');
});

test('R16: an issuer of every tenant is refused with lists, and the agent says why', async () => {
  const { authtoken, ca_file, connect_addr } = platform.bootstrap;
  const common = 'https://login.microsoftonline.com/common/v2.0';
  const args = [
    ...['http', '1', '--oidc', common, '--oidc-client-id', 'a', '--oidc-client-secret', 'b'],
    ...['--oidc-allow-domain', 'example.com', '--json', '--inspect=false'],
    ...['--server', connect_addr, '--ca', ca_file, '--authtoken', authtoken],
  ];
  const agent = Process.node(AGENT, args);
  assert.equal((await agent.exited).code, 1, agent.output);
  assert.match(agent.output, /serves every tenant.*ERR_SERVICE_60755.*issuer of your own tenant/);
});

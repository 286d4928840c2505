/** Issuers that the metadata of their provider contradicts, at the API of a daemon. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { ClientCertificates, Platform } from '../harness/index.ts';

const certificates = new ClientCertificates();
let platform: Platform;
let provider: Server;
let origin: string;
/** Paths of the modules: of a route, and of an endpoint configuration. */
let carriers: readonly string[];

before(async () => {
  const extensions = ['subjectAltName=DNS:localhost'];
  const identity = certificates.make('localhost', undefined, { extensions });
  platform = await Platform.start({
    args: ['--allow-private', '127.0.0.0/8', '--allow-private', '::1/128'],
    through: ['env', `NODE_EXTRA_CA_CERTS=${identity.pemFile}`],
  });
  provider = createServer(
    { key: readFileSync(identity.keyFile), cert: identity.pem },
    (request, response) => {
      const [, name = ''] = /^\/(\w+)\/\.well-known\/openid-configuration$/.exec(request.url ?? '') ?? [];
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ ...right(), ...(documents[name]?.() ?? {}) }));
    },
  );
  provider.listen(0, '127.0.0.1');
  await once(provider, 'listening');
  origin = `https://localhost:${(provider.address() as AddressInfo).port}`;
  await create('/reserved_domains', { name: 'issuer.underpass.localhost' });
  const edge = await create('/edges/https', { hostports: ['issuer.underpass.localhost:443'] });
  const route = await create(`/edges/https/${edge}/routes`, { match_type: 'path_prefix', match: '/' });
  const configuration = await create('/endpoint_configurations', { type: 'https' });
  carriers = [`/edges/https/${edge}/routes/${route}/oidc`, `/endpoint_configurations/${configuration}/oidc`];
});
after(async () => {
  await platform.stop();
  await new Promise<void>((done) => provider.close(() => done()));
  certificates.remove();
});

/** Changes to the right metadata, by the name in the path. */
const documents: Record<string, () => Readonly<Record<string, unknown>>> = {
  auk: () => ({ issuer: `${origin}/auk/` }),
  slash: () => ({ issuer: `${origin}/slash` }),
  plain: () => ({ issuer: `${origin}/plain`, token_endpoint: 'http://localhost/token' }),
  implicit: () => ({ issuer: `${origin}/implicit`, response_types_supported: ['id_token'] }),
  good: () => ({ issuer: `${origin}/good` }),
};

function right(): Readonly<Record<string, unknown>> {
  const endpoints = { authorization_endpoint: 'a', token_endpoint: 't', jwks_uri: 'j' };
  return Object.fromEntries(Object.entries(endpoints).map(([name, path]) => [name, `${origin}/${path}`]));
}

async function create(at: string, body: object): Promise<string> {
  const { status, json } = await platform.api('POST', at, body);
  assert.equal(status, 201, JSON.stringify(json));
  return json.id as string;
}

test('an issuer is refused if its metadata states another one, or permits no login', async () => {
  const put = async (carrier: string, path: string) =>
    await platform.api('PUT', carrier, { issuer: `${origin}${path}`, client_id: 'a', client_secret: 'b' });
  for (const carrier of carriers) {
    for (const [given, stated] of [
      ['/auk', '/auk/'],
      ['/slash/', '/slash'],
    ] as const) {
      const { status, text } = await put(carrier, given);
      assert.equal(status, 400, text);
      for (const part of [`\\"${origin}${given}\\"`, `\\"${origin}${stated}\\"`, '_60784'])
        assert.ok(text.includes(part), `${part} in ${text}`);
    }
    for (const [path, reason] of [
      ['/plain', /token_endpoint .* is no https URL/],
      ['/implicit', /response_types_supported has no/],
    ] as const) {
      const { status, text } = await put(carrier, path);
      assert.equal(status, 400, text);
      assert.match(text, reason);
    }
    assert.equal((await platform.api('GET', carrier)).status, 404, 'nothing was written');
    for (const path of ['/auk/', '/slash', '/good'])
      assert.equal((await put(carrier, path)).status, 200, path);
  }
});

test('an issuer that cannot be reached is accepted', async () => {
  const body = { issuer: 'https://nobody.invalid', client_id: 'a', client_secret: 'b' };
  for (const carrier of carriers) assert.equal((await platform.api('PUT', carrier, body)).status, 200);
});

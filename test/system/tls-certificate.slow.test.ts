/**
 * Certificates that were uploaded, and the TLS that visitors get with them. Never a version or suite that the edge does not
 * allow.
 */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeChain } from '../../packages/server/src/pki/certificates.fixture.ts';
import { negotiatedSuite, offeredSuites, opensslMissing, Platform, Visitor } from '../harness/index.ts';

const NAME = 'shop.example.com';
const chain = makeChain(NAME);
let platform: Platform;

before(async () => {
  platform = await Platform.shared();
});
after(() => platform.stop());

async function call(method: string, path: string, body?: object) {
  const answer = await platform.api(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.text === '' ? null : answer.json;
}

/** Reserves the name and serves a text, with TLS by the edge. */
async function serve(name: string, termination: object = {}) {
  const domain = await call('POST', '/reserved_domains', { name });
  const backend = await call('POST', '/backends/http_response', { body: 'shop' });
  await call('POST', '/edges/tls', {
    hostports: [`${name}:443`],
    backend: { backend_id: backend.id },
    tls_termination: { terminate_at: 'edge', ...termination },
  });
  return domain;
}

/** Returns the signer of the certificate that a visitor gets that trusts this CA. */
async function shown(ca: string): Promise<string> {
  const visitor = await Visitor.connect({ port: platform.port, servername: NAME, ca });
  const signer = visitor.certifiedBy;
  assert.equal((await visitor.get()).status, 200);
  visitor.close();
  return signer;
}

test('a domain is served with the certificate that was uploaded for it, from the moment that it is set until it is removed', async () => {
  const pair = { certificate_pem: chain.leaf + chain.intermediate, private_key_pem: chain.key };
  const certificate = await call('POST', '/tls_certificates', pair);
  const domain = await serve(NAME);
  const local = await shown(platform.ca);
  assert.notEqual(local, 'Test Intermediate');

  const patched = await call('PATCH', `/reserved_domains/${domain.id}`, { certificate_id: certificate.id });
  assert.deepEqual(patched.certificate, { id: certificate.id, uri: certificate.uri });
  assert.equal(await shown(chain.root), 'Test Intermediate');
  assert.equal((await platform.api('DELETE', `/tls_certificates/${certificate.id}`)).status, 409);
  assert.ok(!(await platform.grepDataDir(chain.key.split('\n')[1]!)), 'the key is sealed');

  await platform.killAndRestart();
  // Made for two days.
  await platform.daemon.line(new RegExp(`"certificate":"${certificate.id}".*expires soon`));
  assert.equal(await shown(chain.root), 'Test Intermediate');
  await call('DELETE', `/reserved_domains/${domain.id}/certificate`);
  assert.equal(await shown(platform.ca), local);
  assert.equal((await platform.api('DELETE', `/reserved_domains/${domain.id}/certificate`)).status, 404);
  await call('DELETE', `/tls_certificates/${certificate.id}`);
});

test('a certificate is replaced without a dropped connection', async () => {
  const other = makeChain('swap.example.com');
  const upload = async ({ leaf, intermediate, key }: typeof chain) =>
    (await call('POST', '/tls_certificates', { certificate_pem: leaf + intermediate, private_key_pem: key }))
      .id;
  const [former, next] = [await upload(makeChain('swap.example.com')), await upload(other)];
  const domain = await serve('swap.example.com');
  const replace = (id: string) => call('PATCH', `/reserved_domains/${domain.id}`, { certificate_id: id });
  await replace(next);
  const visitor = await Visitor.connect({
    port: platform.port,
    servername: 'swap.example.com',
    ca: other.root,
  });
  const refused = async () =>
    assert.rejects(Visitor.connect({ port: platform.port, servername: 'swap.example.com', ca: other.root }));
  assert.equal((await visitor.get()).status, 200);
  await replace(former);
  await refused();
  assert.equal((await visitor.get()).status, 200, 'on the connection of before');
  await replace(next);
  assert.equal((await visitor.get()).status, 200, 'on the connection of before');
  visitor.close();
});

test('TLS 1.2 has only suites with forward secrecy and authenticated encryption, with every type of key', {
  skip: opensslMissing,
}, async () => {
  const places: [name: string, suites: readonly string[]][] = [];
  const suitesOf = (type: string) =>
    ['AES128-GCM-SHA256', 'AES256-GCM-SHA384', 'CHACHA20-POLY1305'].map((name) => `ECDHE-${type}-${name}`);
  for (const [key, type] of [
    ['rsa', 'RSA'],
    ['ec', 'ECDSA'],
    ['ed25519', 'ECDSA'],
  ] as const) {
    const name = `${key}.example.com`;
    const { leaf, key: private_key_pem } = makeChain(name, { key });
    const certificate = await call('POST', '/tls_certificates', { certificate_pem: leaf, private_key_pem });
    const domain = await serve(name);
    await call('PATCH', `/reserved_domains/${domain.id}`, { certificate_id: certificate.id });
    places.push([name, suitesOf(type)]);
  }
  await serve('local.underpass.localhost');
  for (const label of ['local', 'api', 'connect', 'nobody'])
    places.push([`${label}.underpass.localhost`, suitesOf('ECDSA')]);
  const everything = await offeredSuites();
  assert.ok(everything.length > 50, everything.join());
  await call('POST', '/reserved_domains', { name: 'nobody.underpass.localhost' });
  for (const [name, suites] of places) {
    const offer = (list: readonly string[]) =>
      negotiatedSuite(platform, name, ['-tls1_2', '-cipher', `${list.join(':')}:@SECLEVEL=0`]);
    const weak = everything.filter((suite) => !suites.includes(suite));
    const [refused, ...accepted] = await Promise.all([offer(weak), ...suites.map((suite) => offer([suite]))]);
    assert.equal(refused, null, name);
    assert.deepEqual(accepted, suites, name);
  }
});

test('an edge that takes TLS 1.0 takes what is best of it, and newer clients get what they would elsewhere', {
  skip: opensslMissing,
}, async () => {
  const name = 'old.underpass.localhost';
  await serve(name, { min_version: '1.0' });
  const offer = (...options: string[]) => negotiatedSuite(platform, name, options);
  assert.equal(await offer('-tls1', '-cipher', 'ALL:@SECLEVEL=0'), 'ECDHE-ECDSA-AES128-SHA');
  assert.equal(await offer('-tls1_2', '-cipher', 'ALL:@SECLEVEL=0'), 'ECDHE-ECDSA-AES128-GCM-SHA256');
  assert.equal(await offer('-tls1_2', '-cipher', 'AES128-SHA256:AES128-SHA:@SECLEVEL=0'), null);
});

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { makeChain } from '../../packages/server/src/pki/certificates.fixture.ts';
import { Platform, Visitor } from '../harness/index.ts';

const NAME = 'shop.example.com';
const chain = makeChain(NAME);
let platform: Platform;

before(async () => {
  platform = await Platform.start();
});
after(() => platform.stop());

async function call(method: string, path: string, body?: object) {
  const answer = await platform.api(method, path, body);
  assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`);
  return answer.text === '' ? null : answer.json;
}

/** Who signed what a visitor is shown that trusts this CA. */
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
  const domain = await call('POST', '/reserved_domains', { name: NAME });
  const backend = await call('POST', '/backends/http_response', { body: 'shop' });
  await call('POST', '/edges/tls', {
    hostports: [`${NAME}:443`],
    backend: { backend_id: backend.id },
    tls_termination: { terminate_at: 'edge' },
  });
  const local = await shown(platform.ca);
  assert.notEqual(local, 'Test Intermediate');

  const patched = await call('PATCH', `/reserved_domains/${domain.id}`, { certificate_id: certificate.id });
  assert.deepEqual(patched.certificate, { id: certificate.id, uri: certificate.uri });
  assert.equal(await shown(chain.root), 'Test Intermediate');
  assert.equal((await platform.api('DELETE', `/tls_certificates/${certificate.id}`)).status, 409);
  assert.ok(!(await platform.grepDataDir(chain.key.split('\n')[1]!)), 'the key is sealed');

  await platform.killAndRestart();
  assert.equal(await shown(chain.root), 'Test Intermediate');
  await call('DELETE', `/reserved_domains/${domain.id}/certificate`);
  assert.equal(await shown(platform.ca), local);
  assert.equal((await platform.api('DELETE', `/reserved_domains/${domain.id}/certificate`)).status, 404);
  await call('DELETE', `/tls_certificates/${certificate.id}`);
});

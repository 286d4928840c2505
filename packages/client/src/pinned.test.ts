/** A client that knows its server by the fingerprint of the authority. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { freePorts } from '../../../test/harness/free-ports.ts';
import { isAuthority, makeCertificate } from '../../../test/harness/make-certificate.ts';
import { fingerprintOf } from './fingerprint.ts';
import { Client, ConnectionError } from './index.ts';
import { topAuthority } from './pinned-authority.ts';
import { answer, ScriptedServer } from './scripted-server.fixture.ts';

const HOST = 'api.underpass.localhost';
const authority = makeCertificate({ subject: '/CN=Test CA', extensions: isAuthority });
const leaf = leafOf(authority);
const pin = fingerprintOf(new X509Certificate(authority.pem));

function leafOf(signer: { readonly pem: string; readonly key: string }) {
  return makeCertificate({ subject: `/CN=${HOST}`, extensions: [`subjectAltName=DNS:${HOST}`], signer });
}

async function serverWith(t: TestContext, chain: readonly string[], key = leaf.key): Promise<ScriptedServer> {
  const server = await ScriptedServer.start({ cert: chain.join(''), key });
  t.after(() => server.stop());
  server.script(answer(204, null));
  return server;
}

function clientOf(t: TestContext, port: number, caFingerprint: string): Client {
  const retry = { attempts: 2, baseDelayMs: 1 };
  const client = new Client({ baseUrl: `https://${HOST}:${port}`, apiKey: 'key', caFingerprint, retry });
  t.after(() => client.close());
  return client;
}

test('the authority is found once, and each connection is verified by it', async (t) => {
  const server = await serverWith(t, [leaf.pem, authority.pem]);
  const client = clientOf(t, server.port, pin.toUpperCase());
  await client.reservedDomains.delete('rd_1');
  await client.reservedDomains.delete('rd_2');
  assert.deepEqual([server.seen.length, server.connections], [2, 2]);
});

test('a wrong fingerprint, and a chain that the authority did not sign, get no request and no second try', async (t) => {
  const mallory = makeCertificate({ subject: '/CN=Test CA', extensions: isAuthority });
  const forged = leafOf(mallory);
  const cases = [
    [
      await serverWith(t, [leaf.pem, authority.pem]),
      `sha256:${'0'.repeat(64)}`,
      'ERR_CA_FINGERPRINT_MISMATCH',
    ],
    [await serverWith(t, [leaf.pem]), pin, 'ERR_CA_FINGERPRINT_MISMATCH'],
    [
      await serverWith(t, [leaf.pem]),
      fingerprintOf(new X509Certificate(leaf.pem)),
      'ERR_CA_FINGERPRINT_LEAF',
    ],
    [await serverWith(t, [forged.pem, authority.pem], forged.key), pin, 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ] as const;
  for (const [server, fingerprint, code] of cases) {
    const client = clientOf(t, server.port, fingerprint);
    await assert.rejects(
      () => client.reservedDomains.delete('rd_1'),
      (error) => error instanceof ConnectionError && error.code === code && !error.wasSent,
    );
    assert.equal(server.seen.length, 0);
    assert.ok(server.connections <= 2, 'it was not tried again');
  }
});

test('a server that is away is tried again, and an abort ends the wait', async (t) => {
  const [port = 0] = await freePorts(1);
  const client = clientOf(t, port, pin);
  await assert.rejects(
    () => client.reservedDomains.list().page(),
    (error) => error instanceof ConnectionError && error.code === 'ECONNREFUSED',
  );
  const reason = new Error('enough');
  await assert.rejects(
    () => client.reservedDomains.delete('rd_1', { signal: AbortSignal.abort(reason) }),
    reason,
  );
});

test('the authority of a chain is the issuer of all, whatever the order and whatever else is there', () => {
  const middle = makeCertificate({ subject: '/CN=Middle', extensions: isAuthority, signer: authority });
  const other = makeCertificate({ subject: '/CN=Other', extensions: isAuthority });
  const below = leafOf(middle);
  const top = (...chain: readonly { readonly pem: string }[]) =>
    topAuthority(chain.map(({ pem }) => new X509Certificate(pem)))?.subject;
  assert.equal(top(below, other, authority, middle), 'CN=Test CA');
  assert.equal(top(below, middle, other), 'CN=Middle');
  assert.equal(top(below, other), undefined);
  assert.equal(top(authority), 'CN=Test CA');
  assert.equal(top(), undefined);
});

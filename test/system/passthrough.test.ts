/**
 * TLS that passes through to the upstream.
 * Invariant: the edge presents no certificate of its own.
 */
import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:https';
import { after, before, test } from 'node:test';
import { Client, eventually, Platform } from '../harness/index.ts';
import { selfSigned } from '../harness/make-certificate.ts';

const NAME = 'secret.underpass.localhost';
let platform: Platform;
let upstream: Server;
let visitor: Client;
let edgeId: string;

before(async () => {
  const { pem: cert, key } = selfSigned(NAME);
  upstream = createServer({ key, cert }, (request, response) => {
    response.end(`${request.url} from behind`);
  });
  await new Promise<void>((done) => upstream.listen(0, '127.0.0.1', done));
  platform = await Platform.shared();
  visitor = new Client(platform.port, cert);
  const { id: backend_id } = (
    await platform.api('POST', '/backends/tunnel_group', { labels: { tls: 'raw' } })
  ).json;
  await platform.api('POST', '/reserved_domains', { name: 'secret' });
  const edge = await platform.api('POST', '/edges/tls', {
    hostports: [`${NAME}:443`],
    backend: { backend_id },
  });
  edgeId = edge.json.id;
  const { port } = upstream.address() as { port: number };
  await platform.agent(['http', `127.0.0.1:${port}`, '--label', 'tls=raw']);
});
after(async () => {
  await visitor.close();
  await platform.stop();
  upstream.closeAllConnections();
  upstream.close();
});

test('an edge without TLS termination passes TLS through: the visitor meets the certificate of the upstream', async () => {
  const answer = await visitor.request(new URL(`https://${NAME}:${platform.port}/path`));
  assert.equal(answer.text, '/path from behind');
});

test('an edge that accepts no certificate serves nothing, and passes TLS through again without its modules', async () => {
  const path = `/edges/tls/${edgeId}`;
  await platform.api('PUT', `${path}/tls_termination`, { terminate_at: 'edge' });
  const put = await platform.api('PUT', `${path}/mutual_tls`, { certificate_authority_ids: [] });
  assert.equal(put.status, 200);
  await assert.rejects(platform.visit(NAME), 'a TLS edge carries bytes: it has no words for a visitor');
  assert.equal((await platform.api('DELETE', `${path}/mutual_tls`)).status, 204);
  assert.equal((await platform.api('DELETE', `${path}/tls_termination`)).status, 204);
  await eventually(async () => {
    const answer = await visitor.request(new URL(`https://${NAME}:${platform.port}/again`));
    assert.equal(answer.text, '/again from behind');
  });
});

test('deleting the edge closes the connections that pass through it', async () => {
  const socket = await visitor.tls(NAME);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  assert.equal((await platform.api('DELETE', `/edges/tls/${edgeId}`)).status, 204);
  await closed;
  // The name is still reserved, and the platform responds itself; a kept connection gets 421.
  await eventually(async () => {
    assert.equal((await platform.visit(NAME)).headers['underpass-error-code'], 'ERR_SERVICE_3200');
  });
});

/**
 * TLS tunnels of real agents: terminated by the edge, or passed through.
 * Invariant: the agent's choice is kept.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { connect as connectTls, createServer as createTlsServer, type Server as TlsServer } from 'node:tls';
import { eventually, Platform } from '../harness/index.ts';
import { selfSigned } from '../harness/make-certificate.ts';

let platform: Platform;
let dir: string;
/** Ends TLS itself. */
let secured: TlsServer;
/** Speaks no TLS. */
let plain: Server;

const keyOf = (name: string) => join(dir, `${name}.key.pem`);
const certificateOf = (name: string) => join(dir, `${name}.pem`);

before(async () => {
  dir = mkdtempSync(join(tmpdir(), 'underpass-tls-'));
  for (const name of ['behind', 'given']) writeCertificate(name);
  secured = createTlsServer(
    { key: readFileSync(keyOf('behind')), cert: readFileSync(certificateOf('behind')) },
    (socket) => socket.on('error', () => {}).end('from behind TLS'),
  );
  plain = createServer((socket) => socket.on('error', () => {}).end('from behind'));
  for (const server of [secured, plain]) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  platform = await Platform.shared();
});
after(async () => {
  await platform.stop();
  secured.close();
  plain.close();
  rmSync(dir, { recursive: true });
});

function writeCertificate(name: string): void {
  const { pem, key } = selfSigned(name);
  writeFileSync(certificateOf(name), pem);
  writeFileSync(keyOf(name), key);
}

const portOf = (server: Server) => String((server.address() as { port: number }).port);

/** Returns a visitor's response, and the issuer of the certificate. */
async function visit(url: string): Promise<{ readonly text: string; readonly issuer: string | undefined }> {
  const { hostname: servername } = new URL(url.replace('tls:', 'https:'));
  const target = { host: '127.0.0.1', port: platform.port, servername, rejectUnauthorized: false };
  const socket = connectTls(target);
  await once(socket, 'secureConnect');
  const issuer = socket.getPeerCertificate().issuer.CN;
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'end');
  return { text, issuer: Array.isArray(issuer) ? issuer[0] : issuer };
}

test('TLS passes through to the service behind, which keeps its own certificate', async () => {
  const { url } = await platform.agent(['tls', portOf(secured), '--domain', 'raw.underpass.localhost']);
  assert.equal(url, `tls://raw.underpass.localhost:${platform.port}`);
  assert.deepEqual(await visit(url), { text: 'from behind TLS', issuer: 'behind' });
  const { endpoints } = (await platform.api('GET', '/endpoints')).json;
  assert.deepEqual([endpoints[0].proto, endpoints[0].public_url], ['tls', url]);
});

test('the service ends TLS where it is asked to, with its own certificate or with the one that it is given', async () => {
  const own = await platform.agent(['tls', portOf(plain), '--terminate']);
  assert.match(own.url, /^tls:\/\/[0-9a-f]{12}\.underpass\.localhost:/);
  const seen = await visit(own.url);
  assert.equal(seen.text, 'from behind');
  assert.match(seen.issuer ?? '', /Underpass/);

  const files = ['--certificate', certificateOf('given'), '--key', keyOf('given')];
  const given = await platform.agent(['tls', portOf(plain), ...files]);
  assert.deepEqual(await visit(given.url), { text: 'from behind', issuer: 'given' });

  await platform.killAndRestart();
  await eventually(async () => {
    const { tunnels } = (await platform.api('GET', '/tunnels')).json;
    assert.ok(tunnels.some(({ public_url }: { public_url: string }) => public_url === given.url));
  });
  assert.deepEqual(await visit(given.url), { text: 'from behind', issuer: 'given' }, 'after a restart too');
});

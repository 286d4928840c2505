/** Handshakes of certificate authorities (RFC 8737), at the front door. */
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';
import { before, type TestContext, test } from 'node:test';
import tls from 'node:tls';
import type { Hostname } from '../../core/names/hostname.ts';
import type { LocalAuthority } from '../../pki/local-authority.ts';
import { makeValidationCertificate } from '../../pki/validation-certificate.ts';
import type { AcmeChallenges } from './acme-challenges.ts';
import { everything, openAuthority, openDoor, rawClient } from './front-door.fixture.ts';

const asked = 'asked.example.com' as Hostname;
const validation = { ALPNProtocols: ['acme-tls/1'], rejectUnauthorized: false };
let authority: LocalAuthority;
let challenges: AcmeChallenges;

before(async () => {
  authority = await openAuthority();
  const certificate = { name: 'proof', ...(await makeValidationCertificate(asked, 'token.key', Date.now())) };
  challenges = {
    httpAnswer: () => null,
    validationCertificate: (name) => (name === asked ? Promise.resolve(certificate) : null),
  };
});

test('the handshake for a name that is asked for is the answer, and the connection is over with it', async (t) => {
  const { connect, handed } = await openDoor(t, { authority, challenges });
  const socket = connect(asked, validation);
  await once(socket, 'secureConnect');
  assert.equal(socket.alpnProtocol, 'acme-tls/1');
  const { raw } = socket.getPeerCertificate();
  assert.equal(new X509Certificate(raw).subjectAltName, `DNS:${asked}`);
  assert.equal((await everything(socket)).length, 0);
  assert.equal(handed.length, 0);
});

test('who asks for another name, or for anything else besides, is a visitor', async (t) => {
  const { connect } = await openDoor(t, { authority, challenges });
  for (const [name, alpn] of [
    ['nobody.example.com', ['acme-tls/1']],
    [asked, ['acme-tls/1', 'http/1.1']],
    [asked, ['http/1.1']],
  ] as const) {
    const socket = connect(name, { ...validation, ALPNProtocols: [...alpn] });
    await assert.rejects(once(socket, 'secureConnect'), /unrecognized name/);
  }
});

test('one that stands still in the middle of the handshake is closed in time', async (t) => {
  const { port } = await openDoor(t, {
    authority,
    challenges,
    limits: { helloMs: 1_000, handshakeMs: 1_000 },
  });
  const hello = await firstFlight(t);
  const socket = rawClient(t, port);
  socket.write(hello);
  const said = await everything(socket);
  assert.ok(said.length > 0, 'it was answered, and then closed');
});

/** Returns the first bytes of a real client. */
async function firstFlight(t: TestContext): Promise<Buffer> {
  const server = net.createServer().listen(0, '127.0.0.1');
  t.after(() => void server.close());
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  const client = tls.connect({ port, host: '127.0.0.1', servername: asked, ALPNProtocols: ['acme-tls/1'] });
  client.on('error', () => {});
  const [socket] = (await once(server, 'connection')) as [net.Socket];
  const [hello] = (await once(socket, 'data')) as [Buffer];
  client.destroy();
  return hello;
}

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConnectionOptions } from 'node:tls';
import { call } from '@underpass/wire';
import { eventually } from '../../../../test/harness/index.ts';
import type { Hostname } from '../core/names/hostname.ts';
import type { IssuedCertificate, LocalAuthority } from '../pki/local-authority.ts';
import { dial } from './dial.ts';
import { LinkIdentity } from './identity.ts';
import {
  clientOver,
  nodeOf,
  onOtherMachine,
  openAuthority,
  overTls,
  startLinks,
  toAddress,
  up,
} from './links.fixture.ts';
import { LinkStream } from './peers.ts';

const uri = (incarnation: number): string => `urn:underpass:node:${incarnation}`;
const asClient = ({ certificatePem: cert, privateKeyPem: key }: IssuedCertificate): ConnectionOptions => ({
  ...{ cert, key },
});

/** Certificates that must not pass as that of the incarnation 2. */
const strangers: readonly (readonly [
  string,
  (authority: LocalAuthority, other: LocalAuthority) => Promise<IssuedCertificate>,
])[] = [
  ['for a host name', (authority) => authority.issue('a.underpass.localhost' as Hostname)],
  ['of another incarnation', (authority) => authority.issueNode(uri(3))],
  ['of another authority', (_authority, other) => other.issueNode(uri(2))],
  ['with a longer name', (authority) => authority.issueNode(`${uri(2)}:x`)],
  ['with a quoted name', (authority) => authority.issueNode(`${uri(2)}, URI:${uri(2)}`)],
];

for (const [name, issue] of strangers) {
  test(`a client with a certificate ${name} is not served`, async (context) => {
    const authority = await openAuthority(context);
    const other = await openAuthority(context);
    const one = await startLinks(context, 1, overTls(authority));
    one.links.answer(LinkStream.ask, () => assert.fail('it was served'));
    const socket = toAddress(one.node, asClient(await issue(authority, other)));
    const { session, codes } = clientOver(context, socket);
    await assert.rejects(async () => {
      assert.notEqual(await call(session, LinkStream.hello, { version: 1, oldest: 1, incarnation: 2 }), null);
    });
    await assert.rejects(call(session, LinkStream.ask, {}));
    await eventually(() => assert.equal(codes.length, 1));
  });

  test(`a server with a certificate ${name} is not used`, async (context) => {
    const authority = await openAuthority(context);
    const other = await openAuthority(context);
    const issueNode = () => issue(authority, other);
    const stranger = await startLinks(context, 2, {
      ...overTls(authority),
      authority: () => Promise.resolve({ certificatePem: authority.certificatePem, issueNode }),
    });
    const real = await startLinks(context, 2, overTls(authority));
    const identity = new LinkIdentity(() => Promise.resolve(authority), Date.now);
    const { signal } = new AbortController();
    const options = { identity, incarnation: 1, timeoutMs: 5_000, signal };
    // A listener has its certificate a moment after its start.
    await eventually(() => assert.rejects(dial(onOtherMachine(stranger.node), options), /certificate/));
    await eventually(async () => {
      const { socket } = await dial(onOtherMachine(real.node), options);
      socket.destroy();
    });
  });
}

test('a client without a certificate, or with TLS 1.2, is not served', async (context) => {
  const authority = await openAuthority(context);
  const one = await startLinks(context, 1, overTls(authority));
  const proper = asClient(await authority.issueNode(uri(2)));
  for (const options of [{}, { ...proper, maxVersion: 'TLSv1.2' as const }]) {
    const { session, codes } = clientOver(context, toAddress(one.node, options));
    await assert.rejects(call(session, LinkStream.hello, { version: 1, oldest: 1, incarnation: 2 }));
    await eventually(() => assert.equal(codes.length, 1));
  }
  const { session } = clientOver(context, toAddress(one.node, proper));
  const hello = await call<object>(session, LinkStream.hello, { version: 1, oldest: 1, incarnation: 2 });
  assert.deepEqual(hello, { version: 1, oldest: 1, incarnation: 1 });
});

test('a socket in a folder that others may use is not dialled', async (context) => {
  const { chmod, mkdtemp, rm } = await import('node:fs/promises');
  const { createServer } = await import('node:net');
  const { tmpdir } = await import('node:os');
  const folder = await mkdtemp(`${tmpdir()}/links-`);
  await chmod(folder, 0o755);
  const server = createServer(() => assert.fail('it was dialled')).listen(`${folder}/link.sock`);
  context.after(async () => {
    server.close();
    await rm(folder, { recursive: true });
  });
  const authority = await openAuthority(context);
  const one = await startLinks(context, 1, overTls(authority));
  const two = await startLinks(context, 2, overTls(authority));
  one.links.follow([nodeOf(2, { socket: `${folder}/link.sock`, address: two.node.link.address })]);
  await up(one.links, 2);
  assert.equal(one.links.get(2)?.isOnThisMachine, false);
});

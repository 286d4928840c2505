import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import type { Hostname, HostPattern } from '../../core/names/hostname.ts';
import { CertificateBudgetError, type CertificateSource } from '../../pki/certificate-source.ts';
import { Sealer } from '../../pki/seal.ts';
import { ownTicketKeys } from '../../pki/ticket-keys.fixture.ts';
import { TicketKeys } from '../../pki/ticket-keys.ts';
import type { TlsPolicy } from '../sites/site.ts';
import { openAuthority } from './front-door.fixture.ts';
import { SecureContexts } from './secure-contexts.ts';

const policy: TlsPolicy = { key: 'endpoint', minVersion: 'TLSv1.2', clientAuthorities: null };
const termination = { policy, ticketKey: '' };
const { certificatePem: cert, privateKeyPem: key } = await (await openAuthority()).issue(
  '*.example.com' as HostPattern,
);

/** A source with one certificate for each parent name, of which some are replaced. */
function sourceOf(replaced: Set<string>): CertificateSource {
  const certificates = new Map<string, { name: string; cert: string; key: string }>();
  return {
    async certificateFor(hostname) {
      const name = `*${hostname.slice(hostname.indexOf('.'))}`;
      let certificate = certificates.get(name);
      if (certificate === undefined || replaced.delete(name)) {
        certificate = { name, cert, key };
        certificates.set(name, certificate);
      }
      return certificate;
    },
  };
}

const served = (hostname: string, account = 'ac_1') => ({ hostname: hostname as Hostname, account });

test('names that an account serves alike share a context while their certificate is the same', async () => {
  const replaced = new Set<string>();
  const contexts = new SecureContexts(sourceOf(replaced), ownTicketKeys());
  const first = await contexts.contextFor(served('a.example.com'), termination);
  assert.equal(await contexts.contextFor(served('b.example.com'), termination), first);
  for (const [name, how] of [
    [served('a.example.com', 'ac_2'), termination],
    [served('a.example.com'), { ...termination, policy: { ...policy, key: 'edgtls_1' } }],
    [served('a.deep.example.com'), termination],
  ] as const)
    assert.notEqual(await contexts.contextFor(name, how), first);
  replaced.add('*.example.com');
  const next = await contexts.contextFor(served('a.example.com'), termination);
  assert.notEqual(next, first);
  assert.equal(await contexts.contextFor(served('b.example.com'), termination), next);
});

test('a context goes when the name that used it last is terminated otherwise', async () => {
  const contexts = new SecureContexts(sourceOf(new Set()), ownTicketKeys());
  const first = await contexts.contextFor(served('a.example.com'), termination);
  await contexts.contextFor(served('b.example.com'), termination);
  contexts.retain((hostname) => (hostname === 'b.example.com' ? 'endpoint' : undefined));
  assert.equal(await contexts.contextFor(served('a.example.com'), termination), first);
  contexts.retain((hostname) => (hostname === 'b.example.com' ? 'endpoint' : undefined));
  assert.notEqual(await contexts.contextFor(served('a.example.com'), termination), first);
});

test('names that visitors make up push out no other account’s context', async () => {
  const contexts = new SecureContexts(sourceOf(new Set()), ownTicketKeys(), 8);
  const quiet = await contexts.contextFor(served('a.quiet.example', 'ac_2'), termination);
  for (let at = 0; at < 30; at += 1) await contexts.contextFor(served(`a.n${at}.example`), termination);
  assert.equal(await contexts.contextFor(served('a.quiet.example', 'ac_2'), termination), quiet);
});

test('without a certificate there is no context, and the reason is the source’s', async () => {
  const later: CertificateSource = {
    certificateFor: () => Promise.reject(new CertificateBudgetError('later')),
  };
  const contexts = new SecureContexts(later, ownTicketKeys());
  await assert.rejects(contexts.contextFor(served('a.example.com'), termination), CertificateBudgetError);
});

test('each day has a context of its own, and yesterday’s is made for who has a ticket of it', async () => {
  let now = 0;
  const keys = ownTicketKeys(() => now);
  const contexts = new SecureContexts(sourceOf(new Set()), keys);
  const name = served('a.example.com');
  const first = await contexts.contextFor(name, termination);
  const ticketKey = keys.keyOf('ac_1 endpoint *.example.com', 0).name;
  assert.equal(await contexts.contextFor(name, { policy, ticketKey }), first);
  now += 86_400_000;
  const next = await contexts.contextFor(name, termination);
  assert.notEqual(next, first);
  const former = await contexts.contextFor(name, { policy, ticketKey });
  assert.deepEqual(former.context.getTicketKeys(), first.context.getTicketKeys());
  assert.equal(await contexts.contextFor(name, { policy, ticketKey }), former);
  now += 86_400_000;
  const last = await contexts.contextFor(name, { policy, ticketKey });
  assert.notDeepEqual(last.context.getTicketKeys(), first.context.getTicketKeys());
});

test('when the master key is replaced no ticket is made under the old one any more', async () => {
  const sealer = new Sealer(randomBytes(32));
  const contexts = new SecureContexts(sourceOf(new Set()), new TicketKeys({ sealer, now: () => 86_400_000 }));
  const name = served('a.example.com');
  const before = await contexts.contextFor(name, termination);
  sealer.use(randomBytes(32));
  const after = await contexts.contextFor(name, termination);
  assert.notDeepEqual(after.context.getTicketKeys(), before.context.getTicketKeys());
  assert.equal(await contexts.contextFor(name, termination), after);
});

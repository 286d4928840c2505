import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Hostname, HostPattern } from '../../core/hostname.ts';
import { CertificateBudgetError, type CertificateSource } from '../../pki/certificate-source.ts';
import type { TlsPolicy } from '../sites/site.ts';
import { openAuthority } from './front-door.fixture.ts';
import { SecureContexts } from './secure-contexts.ts';

const termination: TlsPolicy = { key: 'endpoint', minVersion: 'TLSv1.2', clientAuthorities: null };
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
  const contexts = new SecureContexts(sourceOf(replaced));
  const first = await contexts.contextFor(served('a.example.com'), termination);
  assert.equal(await contexts.contextFor(served('b.example.com'), termination), first);
  for (const [name, how] of [
    [served('a.example.com', 'ac_2'), termination],
    [served('a.example.com'), { ...termination, key: 'edgtls_1' }],
    [served('a.deep.example.com'), termination],
  ] as const)
    assert.notEqual(await contexts.contextFor(name, how), first);
  replaced.add('*.example.com');
  const next = await contexts.contextFor(served('a.example.com'), termination);
  assert.notEqual(next, first);
  assert.equal(await contexts.contextFor(served('b.example.com'), termination), next);
});

test('a context goes when the name that used it last is terminated otherwise', async () => {
  const contexts = new SecureContexts(sourceOf(new Set()));
  const first = await contexts.contextFor(served('a.example.com'), termination);
  await contexts.contextFor(served('b.example.com'), termination);
  contexts.retain((hostname) => (hostname === 'b.example.com' ? 'endpoint' : undefined));
  assert.equal(await contexts.contextFor(served('a.example.com'), termination), first);
  contexts.retain((hostname) => (hostname === 'b.example.com' ? 'endpoint' : undefined));
  assert.notEqual(await contexts.contextFor(served('a.example.com'), termination), first);
});

test('names that visitors make up push out no other account’s context', async () => {
  const contexts = new SecureContexts(sourceOf(new Set()), 8);
  const quiet = await contexts.contextFor(served('a.quiet.example', 'ac_2'), termination);
  for (let at = 0; at < 30; at += 1) await contexts.contextFor(served(`a.n${at}.example`), termination);
  assert.equal(await contexts.contextFor(served('a.quiet.example', 'ac_2'), termination), quiet);
});

test('without a certificate there is no context, and the reason is the source’s', async () => {
  const contexts = new SecureContexts({
    certificateFor: () => Promise.reject(new CertificateBudgetError('later')),
  });
  await assert.rejects(contexts.contextFor(served('a.example.com'), termination), CertificateBudgetError);
});

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { isAuthority, makeCertificate } from '../../../../test/harness/make-certificate.ts';
import { fingerprintOf, pinOf } from './pinned-authority.ts';

const root = makeCertificate({ subject: '/CN=Root', extensions: isAuthority });
const middle = makeCertificate({ subject: '/CN=Middle', extensions: isAuthority, signer: root });
const leaf = makeCertificate({
  subject: '/CN=leaf',
  extensions: ['subjectAltName=DNS:a.example'],
  signer: middle,
});
const pin = ({ pem }: { readonly pem: string }) => fingerprintOf(new X509Certificate(pem));
const of = (chain: readonly { readonly pem: string }[], known: readonly { readonly pem: string }[] = []) =>
  pinOf(
    { cert: chain.map(({ pem }) => pem).join('') },
    known.map(({ pem }) => new X509Certificate(pem)),
  );

test('the root of a chain is pinned, else its last intermediate, and nothing that machines trust', () => {
  assert.equal(of([leaf, middle, root]), pin(root));
  assert.equal(of([leaf, root, middle]), pin(root));
  assert.equal(of([leaf, middle]), pin(middle));
  assert.equal(of([leaf]), null);
  assert.equal(of([leaf, middle, root], [root]), null);
  assert.equal(of([leaf, middle], [root]), null);
  assert.equal(
    of([leaf, middle, root], [makeCertificate({ subject: '/CN=Else', extensions: isAuthority })]),
    pin(root),
  );
});

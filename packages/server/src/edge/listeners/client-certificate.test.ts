import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, test } from 'node:test';
import { ClientCertificates } from '../../../../../test/harness/client-certificates.ts';
import { subjectOf } from './client-certificate.ts';

const made = new ClientCertificates();
after(() => made.remove());

const subject = (name: string, names: string, subj = `/CN=${name}`) => {
  const extensions = names === '' ? [] : [`subjectAltName=${names}`];
  return subjectOf(new X509Certificate(made.make(name, undefined, { subject: subj, extensions }).pem));
};

test('what a certificate says is listed by kind', () => {
  const { serialNumber, ...said } = subject(
    'ada',
    'DNS:a.example,email:a@example.com,URI:x://y,DNS:*.b.example,IP:10.0.0.1',
  );
  assert.match(serialNumber, /^[0-9a-f]+$/);
  assert.deepEqual(said, {
    commonName: 'ada',
    dnsNames: ['a.example', '*.b.example'],
    emailAddresses: ['a@example.com'],
  });
  const { dnsNames, emailAddresses } = subject('ada', '');
  assert.deepEqual([dnsNames, emailAddresses], [[], []]);
  assert.equal(subject('none', '', '/O=Example').commonName, '');
  assert.equal(subject('two', '', '/CN=Example/CN=Ada').commonName, 'Ada');
});

test('no value passes for two, or for another kind', () => {
  // As long as `aaaaaaaaaaaaaaaa`, so that it fits in its place. The signature is not checked here.
  for (const [kind, spoof] of [
    ['DNS', 'a, DNS:root.test'],
    ['email', 'a, DNS:root.test'],
    ['URI', 'x", DNS:root.tes'],
    ['DNS', 'a,root.test.cccc'],
    ['DNS', 'a\nDNS:root.testt'.slice(0, 16)],
  ] as const) {
    const marker = 'aaaaaaaaaaaaaaaa';
    const { pem } = made.make('x', undefined, { extensions: [`subjectAltName=${kind}:${marker}`] });
    const der = Buffer.from(new X509Certificate(pem).raw);
    der.write(spoof, der.indexOf(marker), 'latin1');
    const { dnsNames, emailAddresses } = subjectOf(new X509Certificate(der));
    assert.deepEqual([dnsNames, emailAddresses], [[], []], spoof);
  }
});

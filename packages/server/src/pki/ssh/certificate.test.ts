import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type CertificateContent, issueCertificate } from './certificate.ts';
import { fingerprint, isKeyFault, parsePublicKey } from './public-key.ts';
import { generateSigningKey, type KeyChoice, openSigningKey, type SigningKey } from './signing-key.ts';
import { algorithms, Keys, newKeyLine, sshKeygenMissing } from './ssh-keygen.fixture.ts';

const keys = new Keys();
after(() => keys.remove());

const choices: readonly { readonly choice: KeyChoice; readonly signs: string }[] = [
  { choice: { type: 'ed25519' }, signs: 'ssh-ed25519' },
  { choice: { type: 'ecdsa', curve: 'nistp256' }, signs: 'ecdsa-sha2-nistp256' },
  { choice: { type: 'ecdsa', curve: 'nistp384' }, signs: 'ecdsa-sha2-nistp384' },
  { choice: { type: 'ecdsa', curve: 'nistp521' }, signs: 'ecdsa-sha2-nistp521' },
  { choice: { type: 'rsa', bits: 2048 }, signs: 'rsa-sha2-512' },
  { choice: { type: 'rsa', bits: 4096 }, signs: 'rsa-sha2-512' },
];
const authorities: SigningKey[] = [];
before(async () => {
  for (const pem of await Promise.all(choices.map(({ choice }) => generateSigningKey(choice)))) {
    authorities.push(openSigningKey(pem));
  }
});

const host: CertificateContent = {
  role: 'host',
  serial: 0xffff_ffff_ffff_fffen,
  keyId: 'shcrt_0ujtsYcgvSTl8PAuAdqWYSMnLOv',
  principals: ['host.example.com', '192.0.2.1', '2001:db8::1'],
  validAfter: Date.UTC(2030, 0, 2, 3, 4, 5) / 1000,
  validBefore: Date.UTC(2031, 0, 2, 3, 4, 5) / 1000,
  criticalOptions: {},
  extensions: {},
};
const user: CertificateContent = {
  ...host,
  role: 'user',
  serial: 1n,
  keyId: 'sucrt_0ujtsYcgvSTl8PAuAdqWYSMnLOv',
  principals: ['alice', 'Bob-ü'],
  criticalOptions: { 'source-address': '192.0.2.0/24,2001:db8::/32', 'force-command': 'echo "a b"' },
  extensions: { 'permit-pty': '', 'permit-X11-forwarding': '', 'note@example.com': 'any text' },
};

function subjectOf(line: string) {
  const key = parsePublicKey(line);
  assert.ok(!isKeyFault(key));
  return key;
}

/** The lines of `ssh-keygen -L` after the name of the file, without indentation. */
function listed(certificate: string): string[] {
  return keys
    .read(['-L'], certificate)
    .split('\n')
    .slice(1)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

for (const algorithm of algorithms) {
  const subject = subjectOf(newKeyLine(algorithm));
  for (const [index, { choice, signs }] of choices.entries()) {
    test(`${algorithm} signed with ${JSON.stringify(choice)}: OpenSSH verifies it and reads what was put in`, {
      skip: sshKeygenMissing,
    }, () => {
      const authority = authorities[index] as SigningKey;
      const certificate = issueCertificate(subject, host, authority);
      assert.match(certificate, new RegExp(`^${algorithm}-cert-v01@openssh.com \\S+ ${host.keyId}$`));
      const lines = listed(certificate);
      assert.equal(lines[0], `Type: ${algorithm}-cert-v01@openssh.com host certificate`);
      assert.match(lines[1] as string, new RegExp(`^Public key: \\S+-CERT ${quoted(fingerprint(subject))}$`));
      const signing = `^Signing CA: \\S+ ${quoted(fingerprint(authority.publicKey))} \\(using ${signs}\\)$`;
      assert.match(lines[2] as string, new RegExp(signing));
      assert.deepEqual(lines.slice(3), [
        `Key ID: "${host.keyId}"`,
        `Serial: ${host.serial}`,
        'Valid: from 2030-01-02T03:04:05 to 2031-01-02T03:04:05',
        'Principals:',
        ...host.principals,
        'Critical Options: (none)',
        'Extensions: (none)',
      ]);
    });
  }
}

test('a user certificate has its options in the order of their names, each with its value', {
  skip: sshKeygenMissing,
}, () => {
  const subject = subjectOf(newKeyLine('ssh-ed25519'));
  const lines = listed(issueCertificate(subject, user, authorities[0] as SigningKey));
  assert.equal(lines[0], 'Type: ssh-ed25519-cert-v01@openssh.com user certificate');
  const options = lines.slice(lines.indexOf('Principals:'));
  assert.match(options[2] as string, /^Bob-/);
  assert.deepEqual(options.slice(3, 7), [
    'Critical Options:',
    'force-command echo "a b"',
    'source-address 192.0.2.0/24,2001:db8::/32',
    'Extensions:',
  ]);
  assert.match(options[7] as string, /^note@example\.com UNKNOWN OPTION/);
  assert.deepEqual(options.slice(8), ['permit-X11-forwarding', 'permit-pty']);
});

test('without principals it says that it is for all', { skip: sshKeygenMissing }, () => {
  const subject = subjectOf(newKeyLine('ssh-ed25519'));
  const lines = listed(issueCertificate(subject, { ...host, principals: [] }, authorities[0] as SigningKey));
  assert.ok(lines.includes('Principals: (none)'));
});

test('OpenSSH refuses a certificate of which a bit was changed', { skip: sshKeygenMissing }, () => {
  const subject = subjectOf(newKeyLine('ssh-ed25519'));
  for (const authority of authorities) {
    const [algorithm, base64 = ''] = issueCertificate(subject, host, authority).split(' ');
    const bytes = Buffer.from(base64, 'base64');
    const at = bytes.indexOf('host.example.com');
    bytes[at] = (bytes[at] as number) ^ 1;
    assert.throws(() => keys.read(['-L'], `${algorithm} ${bytes.toString('base64')}`));
  }
});

test('two certificates over the same content differ, because of what nobody can guess', () => {
  const subject = subjectOf(newKeyLine('ssh-ed25519'));
  const one = issueCertificate(subject, host, authorities[0] as SigningKey);
  assert.notEqual(issueCertificate(subject, host, authorities[0] as SigningKey), one);
});

function quoted(text: string): string {
  return text.replace(/[+.]/g, '\\$&');
}

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { isKeyFault, parsePublicKey, toKeyObject } from './public-key.ts';
import { parsePublicKeyText } from './public-key-text.ts';
import { algorithms, Keys, keyTypes, newKeyLine, sshKeygenMissing } from './ssh-keygen.fixture.ts';

const keys = new Keys();
after(() => keys.remove());

function keyOf(line: string) {
  const key = parsePublicKey(line);
  assert.ok(!isKeyFault(key));
  return key;
}

function reasonOf(text: string): string {
  const key = parsePublicKeyText(text);
  assert.ok(isKeyFault(key), text.slice(0, 100));
  return key.reason;
}

describe('keys as ssh-keygen -e prints them', { skip: sshKeygenMissing }, () => {
  for (const algorithm of algorithms) {
    test(`${algorithm} is read from RFC 4716`, () => {
      const { line } = keys.make(keyTypes[algorithm]);
      const text = keys.read(['-e'], line);
      assert.match(text, /^---- BEGIN SSH2 PUBLIC KEY ----\nComment: /);
      assert.deepEqual(parsePublicKeyText(text), keyOf(line));
      assert.deepEqual(parsePublicKeyText(text.replaceAll('\n', '\r\n')), keyOf(line));
      const longer = text.replace('\n', '\nSubject: a value that \\\ngoes on: here\nx-note: "y"\n');
      assert.deepEqual(parsePublicKeyText(longer), keyOf(line));
    });
  }
});

test('a key is read from a line with what editors and files leave around it', () => {
  const line = newKeyLine('ssh-ed25519');
  for (const text of [
    `\uFEFF${line}`,
    `# of the laptop\n\n${line}\n`,
    `${line.split(' ').slice(0, 2).join(' ')} DOMAIN\\nick@pc`,
    `\t${line}\r\n`,
  ])
    assert.deepEqual(parsePublicKeyText(text), keyOf(line), text);
});

test('a key is read from PEM with what shells and configuration files make of it', () => {
  const line = newKeyLine('ssh-rsa');
  const object = toKeyObject(keyOf(line));
  for (const type of ['spki', 'pkcs1'] as const) {
    const pem = object.export({ type, format: 'pem' }) as string;
    for (const text of [
      pem,
      pem.trim(),
      pem.replaceAll('\n', '\r\n'),
      `\uFEFF${pem}`,
      pem.replaceAll('\n', '\\n'),
      pem.replaceAll(/^/gm, '    '),
      pem.replaceAll('\n', ' '),
    ])
      assert.deepEqual(parsePublicKeyText(text), keyOf(line), JSON.stringify(text));
  }
});

test('other texts are refused with the command that makes the key', () => {
  const line = newKeyLine('ssh-ed25519');
  const { privateKey } = generateKeyPairSync('ed25519');
  const pem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }) as string;
  const cases: readonly (readonly [string, RegExp])[] = [
    ['PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n', /"puttygen FILE -O public-openssh"/],
    [privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, /"ssh-keygen -y -f FILE"/],
    [
      '-----BEGIN OPENSSH PRIVATE KEY-----\nQUJD\n-----END OPENSSH PRIVATE KEY-----\n',
      /"ssh-keygen -y -f FILE"/,
    ],
    ['-----BEGIN CERTIFICATE-----\nQUJD\n-----END CERTIFICATE-----\n', /"openssl x509 .*-pubkey"/],
    [`from="192.0.2.1",no-pty ${line}`, /options of "authorized_keys".*begin with "ssh-ed25519 AAAA/],
    [`host.example.com ${line}`, /the name of a host.*begin with "ssh-ed25519 AAAA/],
    [`${line}\n${newKeyLine('ssh-ed25519')}`, /not one line/],
    [pem + pem, /more than one PEM block/],
    [pem.slice(0, -10), /not complete/],
    ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n', /does not begin .* and end/],
    ['---- BEGIN SSH2 PUBLIC KEY ----\n---- END SSH2 PUBLIC KEY ----', /no key in base64/],
    ['---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n---- END SSH2 PUBLIC KEY ----', /cut off/],
  ];
  for (const [text, reason] of cases) assert.match(reasonOf(text), reason);
});

test('the key that ssh-keygen makes of a private key is taken', { skip: sshKeygenMissing }, () => {
  const { path, line } = keys.make(keyTypes['ssh-ed25519']);
  const made = execFileSync('ssh-keygen', ['-y', '-f', path.replace(/\.pub$/, '')], { encoding: 'utf8' });
  assert.deepEqual(parsePublicKeyText(made), keyOf(line));
});

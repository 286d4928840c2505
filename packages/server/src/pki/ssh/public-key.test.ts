import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync } from 'node:crypto';
import { after, describe, test } from 'node:test';
import fc from 'fast-check';
import {
  encodePublicKey,
  fingerprint,
  formatPublicKey,
  isKeyFault,
  type PublicKey,
  parsePublicKey,
} from './public-key.ts';
import { parsePublicKeyText } from './public-key-text.ts';
import {
  type Algorithm,
  algorithms,
  Keys,
  keyTypes,
  newKeyLine,
  sshKeygenMissing,
} from './ssh-keygen.fixture.ts';
import { mpint, string } from './wire.ts';

const keys = new Keys();
after(() => keys.remove());

const made = new Map(algorithms.map((algorithm) => [algorithm, newKeyLine(algorithm)]));

function parsed(text: string): PublicKey {
  const key = parsePublicKey(text);
  assert.ok(!isKeyFault(key), isKeyFault(key) ? key.reason : '');
  return key;
}

function fault(text: string): string {
  const key = parsePublicKey(text);
  assert.ok(isKeyFault(key), text.slice(0, 200));
  assert.ok(key.reason.length > 10);
  return key.fault;
}

function line(algorithm: string, ...fields: Buffer[]): string {
  return `${algorithm} ${Buffer.concat([string(algorithm), ...fields]).toString('base64')}`;
}

for (const algorithm of algorithms) {
  describe(`${algorithm}, as ssh-keygen has it`, { skip: sshKeygenMissing }, () => {
    test('a key is read, with the fingerprint that ssh-keygen prints', () => {
      const text = keys.make(keyTypes[algorithm]).line;
      const key = parsed(text);
      assert.equal(key.algorithm, algorithm);
      assert.equal(formatPublicKey(key), text.split(' ').slice(0, 2).join(' '));
      assert.equal(fingerprint(key), keys.read(['-l'], text).split(' ')[1]);
      assert.deepEqual(parsed(formatPublicKey(key)), key, 'without a comment');
      assert.deepEqual(parsed(`  ${text}\r\n`), key, 'with white space around it');
    });

    test('the same key is the same from PEM', () => {
      const text = keys.make(keyTypes[algorithm]).line;
      for (const format of ['PKCS8', ...(algorithm === 'ssh-rsa' ? ['PEM'] : [])]) {
        // OpenSSH of this age does not export Ed25519 as PEM.
        const pem =
          algorithm === 'ssh-ed25519'
            ? pemOfEd25519(parsed(text))
            : keys.read(['-e', '-m', format], text).trim();
        assert.deepEqual(parsePublicKeyText(pem), parsed(text), format);
      }
    });
  });
}

for (const [algorithm, text] of made) {
  test(`${algorithm}: a key that is cut off, longer, or changed in its frame is refused`, () => {
    const [name = '', base64 = ''] = text.split(' ');
    const blob = Buffer.from(base64, 'base64');
    for (let length = 0; length < blob.length; length++) {
      assert.equal(fault(`${name} ${blob.subarray(0, length).toString('base64')}`), 'malformed');
    }
    assert.equal(fault(`${name} ${Buffer.concat([blob, Buffer.of(0)]).toString('base64')}`), 'malformed');
    for (const other of Object.keys(keyTypes).filter((one) => one !== name)) {
      assert.equal(fault(`${other} ${base64}`), 'malformed');
    }
  });
}

function pemOfEd25519(key: PublicKey): string {
  const x = key.fields.subarray(4).toString('base64url');
  const object = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return object.export({ format: 'pem', type: 'spki' }) as string;
}

test('what is not one plain line is refused', () => {
  const text = made.get('ssh-ed25519') ?? '';
  const [name, base64 = ''] = text.split(' ');
  for (const wrong of [
    '',
    'ssh-ed25519',
    base64,
    `${name} `,
    `${name} ${base64.slice(0, -1)}`,
    `${name} ${base64}=`,
    `${name} ${base64.replace('A', '-')}`,
    `${name} ${base64.slice(0, 20)} ${base64.slice(20)}`,
    `no-pty ${name} ${base64}`,
    `command="true" ${name} ${base64}`,
    `${name} ${base64} comment\nssh-ed25519 ${base64}`,
    `${name}\n${base64}`,
    `# ${name} ${base64}`,
    `${name} ${base64} ${'x'.repeat(9000)}`,
  ]) {
    assert.equal(fault(wrong), 'malformed');
  }
});

test('base64 with bits that stand for nothing is refused, so that a key has one text', () => {
  const point = Buffer.alloc(65);
  const blob = Buffer.concat([string('ssh-ed25519'), string(point.subarray(0, 32))]);
  const base64 = blob.toString('base64');
  assert.equal(blob.length % 3, 0);
  const padded = Buffer.concat([blob, Buffer.of(0)]).toString('base64');
  assert.equal(fault(`ssh-ed25519 ${padded.replace('AA==', 'AB==')}`), 'malformed');
  parsed(`ssh-ed25519 ${base64}`);
});

test('keys of other types are told from broken ones', () => {
  const application = string('ssh:');
  for (const text of [
    line('ssh-dss', mpint(Buffer.alloc(128, 1))),
    line('webauthn-sk-ecdsa-sha2-nistp256@openssh.com', string('nistp256'), application),
    line('ssh-ed25519-cert-v01@openssh.com', string(Buffer.alloc(32, 1))),
    line('rsa-sha2-512', mpint(Buffer.of(1, 0, 1)), mpint(Buffer.alloc(256, 255))),
  ]) {
    assert.equal(fault(text), 'unsupported');
  }
});

test('RSA keys below 2048 bits are weak; numbers that are none of RSA are refused', () => {
  const exponent = mpint(Buffer.of(1, 0, 1));
  const modulus = Buffer.alloc(256, 255);
  parsed(line('ssh-rsa', exponent, mpint(modulus)));
  const short = Buffer.from(modulus);
  short[0] = 0x7f;
  assert.equal(fault(line('ssh-rsa', exponent, mpint(short))), 'weak');
  assert.equal(fault(line('ssh-rsa', exponent, mpint(Buffer.alloc(128, 255)))), 'weak');
  assert.equal(fault(line('ssh-rsa', exponent, mpint(Buffer.alloc(2049, 255)))), 'malformed');
  const even = Buffer.concat([modulus.subarray(1), Buffer.of(254)]);
  for (const [e, n] of [
    [exponent, mpint(even)],
    [mpint(Buffer.of(1)), mpint(modulus)],
    [mpint(Buffer.of(0)), mpint(modulus)],
    [mpint(Buffer.of(2)), mpint(modulus)],
    [mpint(Buffer.alloc(9, 255)), mpint(modulus)],
    [string(Buffer.of(0, 1, 0, 1)), mpint(modulus)],
    [string(Buffer.of(0x81)), mpint(modulus)],
    [exponent, string(Buffer.concat([Buffer.of(0, 0), modulus]))],
    [exponent, string(modulus)],
  ] as const) {
    assert.equal(fault(line('ssh-rsa', e, n)), 'malformed');
  }
});

test('ECDSA points are uncompressed, on the curve, and of the curve that is named', () => {
  const key = parsed(made.get('ecdsa-sha2-nistp256') ?? '');
  const point = Buffer.from(key.fields.subarray(-65));
  const named = (curve: string, bytes: Buffer) => line('ecdsa-sha2-nistp256', string(curve), string(bytes));
  parsed(named('nistp256', point));
  const compressed = Buffer.concat([Buffer.of(2 + ((point[64] as number) & 1)), point.subarray(1, 33)]);
  const off = Buffer.from(point);
  off[64] = (off[64] as number) ^ 1;
  for (const text of [
    named('nistp384', point),
    named('nistp256', compressed),
    named('nistp256', off),
    named('nistp256', Buffer.alloc(65)),
    named('nistp256', Buffer.of(0)),
    named('nistp256', Buffer.concat([Buffer.of(4), Buffer.alloc(64)])),
  ]) {
    assert.equal(fault(text), 'malformed');
  }
});

test('PEM that is no public key of ours is refused', () => {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { publicKey: x25519 } = generateKeyPairSync('x25519');
  const { publicKey: koblitz } = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const pem = (key: typeof x25519) => key.export({ format: 'pem', type: 'spki' }) as string;
  const faults = [
    privateKey.export({ format: 'pem', type: 'pkcs8' }) as string,
    '-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n',
    pem(x25519),
    pem(koblitz),
  ].map((text) => (parsePublicKeyText(text) as { fault: string }).fault);
  assert.deepEqual(faults, ['malformed', 'malformed', 'unsupported', 'unsupported']);
});

test('no text makes the parser throw, and what it takes is written back as it was read', () => {
  const names = [...Object.keys(keyTypes), 'x'] as (Algorithm | 'x')[];
  const blobs = fc.tuple(
    fc.constantFrom(...names),
    fc.array(fc.uint8Array({ maxLength: 80 }), { maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.oneof(fc.string(), blobs), (value) => {
      const text = typeof value === 'string' ? value : line(value[0], ...value[1].map((one) => string(one)));
      const key = parsePublicKey(text);
      if (!isKeyFault(key)) assert.equal(formatPublicKey(key), text);
    }),
  );
});

test('numbers with leading zeros or a set top bit are written in their one form', () => {
  const key = createPublicKey(
    generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey.export({ format: 'pem', type: 'spki' }),
  );
  const encoded = encodePublicKey(key);
  assert.ok(encoded);
  assert.deepEqual(parsed(formatPublicKey(encoded)), encoded);
  assert.deepEqual(mpint(Buffer.of(0, 0, 0x80)), Buffer.of(0, 0, 0, 2, 0, 0x80));
  assert.deepEqual(mpint(Buffer.of(0, 0)), Buffer.of(0, 0, 0, 0));
});

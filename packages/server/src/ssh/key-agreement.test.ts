/** Key agreements: both sides get one secret, and malformed or weak public values are rejected. */
import assert from 'node:assert/strict';
import { createDiffieHellmanGroup, createECDH } from 'node:crypto';
import { describe, test } from 'node:test';
import { Reader } from '../pki/ssh/index.ts';
import { beginAgreement } from './client-agreement.fixture.ts';
import { agree, type KeyExchange, keyExchanges } from './key-agreement.ts';
import { deriveKey } from './key-exchange.ts';
import { SshError } from './ssh-error.ts';

/** The prime, changed by a small number. */
function nearPrime(group: 'modp14' | 'modp16', difference: number): Buffer {
  const prime = createDiffieHellmanGroup(group).getPrime();
  prime.writeInt8(prime.readInt8(prime.length - 1) + difference, prime.length - 1);
  return Buffer.concat([Buffer.of(0), prime]);
}

function weakGroupValues(group: 'modp14' | 'modp16'): readonly (readonly [string, Buffer])[] {
  return [
    ['zero', Buffer.of(0)],
    ['one', Buffer.of(1)],
    ['the prime less one', nearPrime(group, -1)],
    // Both primes end in 255.
    ['more digits than the prime', Buffer.concat([Buffer.of(1), nearPrime(group, 0)])],
    ['the prime', nearPrime(group, 0)],
    ['a negative number', Buffer.of(0x80, 1)],
  ];
}

const point = createECDH('prime256v1').generateKeys();
const lowOrder: readonly (readonly [string, Buffer])[] = [
  ['a point of low order', Buffer.alloc(32)],
  ['31 bytes', Buffer.alloc(31, 9)],
  ['33 bytes', Buffer.alloc(33, 9)],
];
const weakPoints: readonly (readonly [string, Buffer])[] = [
  ['the point at infinity', Buffer.of(0)],
  ['a compressed point', Buffer.concat([Buffer.of(2), point.subarray(1, 33)])],
  ['a point off the curve', Buffer.concat([point.subarray(0, 64), Buffer.of(point[64]! ^ 1)])],
  ['half a point', point.subarray(0, 33)],
];

function weakHybrids(): readonly (readonly [string, Buffer])[] {
  const { clientPublic } = beginAgreement('mlkem768x25519-sha256');
  const [kem, curve] = [clientPublic.subarray(0, 1184), clientPublic.subarray(1184)];
  return [
    ['coefficients that are too large', Buffer.concat([Buffer.alloc(1184, 255), curve])],
    ['a point of low order', Buffer.concat([kem, Buffer.alloc(32)])],
    ['one byte less', clientPublic.subarray(1)],
    ['one byte more', Buffer.concat([clientPublic, Buffer.of(0)])],
    ['ML-KEM alone', kem],
  ];
}

const weak: Readonly<Record<KeyExchange, () => readonly (readonly [string, Buffer])[]>> = {
  'mlkem768x25519-sha256': weakHybrids,
  'curve25519-sha256': () => lowOrder,
  'curve25519-sha256@libssh.org': () => lowOrder,
  'ecdh-sha2-nistp256': () => weakPoints,
  'diffie-hellman-group14-sha256': () => weakGroupValues('modp14'),
  'diffie-hellman-group16-sha512': () => weakGroupValues('modp16'),
};

for (const method of keyExchanges) {
  describe(method, () => {
    test('gives both sides one secret, and another one each time', () => {
      const secrets = [1, 2].map(() => {
        const client = beginAgreement(method);
        const { serverPublic, secret } = agree(method, client.clientPublic);
        assert.deepEqual(client.secret(serverPublic), secret);
        return secret.toString('hex');
      });
      assert.notEqual(secrets[0], secrets[1]);
    });

    test('writes the public value in its shortest form', () => {
      if (!method.startsWith('diffie-hellman')) return;
      const { serverPublic } = agree(method, beginAgreement(method).clientPublic);
      const length = Buffer.alloc(4);
      length.writeUInt32BE(serverPublic.length);
      assert.ok(new Reader(Buffer.concat([length, serverPublic])).positive().length > 200);
    });

    test('rejects weak and malformed public values', () => {
      for (const [what, value] of [...weak[method](), ['nothing', Buffer.alloc(0)] as const])
        assert.throws(() => agree(method, value), SshError, what);
    });
  });
}

test('strong methods come first, and the one that resists quantum computers is the first of all', () => {
  assert.equal(keyExchanges[0], 'mlkem768x25519-sha256');
  assert.equal(keyExchanges.at(-1), 'diffie-hellman-group14-sha256');
});

test('a key of 64 bytes continues one of 32 bytes', () => {
  const parts = { secret: Buffer.of(1), hash: Buffer.of(2), sessionId: Buffer.of(3) };
  const secrets = { method: 'curve25519-sha256', ...parts } as const;
  const long = deriveKey(secrets, 'C', 64);
  assert.equal(long.length, 64);
  assert.deepEqual(long.subarray(0, 32), deriveKey(secrets, 'C', 32));
  assert.notDeepEqual(long.subarray(32), long.subarray(0, 32));
});

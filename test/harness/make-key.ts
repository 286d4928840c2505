/** Makes private keys for test certificates, with Node alone. */
import {
  createPrivateKey,
  generateKeyPairSync,
  generatePrimeSync,
  getDiffieHellman,
  type KeyObject,
} from 'node:crypto';

/** One prime of 3072 bits of each large key. It is a published one because two new primes take a second to find. */
const KNOWN_PRIME = 'modp15';
const EXPONENT = 65_537n;

const makers = {
  ec: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  'small rsa': () => generateKeyPairSync('rsa', { modulusLength: 512 }).privateKey,
  'largest rsa': () => largeRsa(4096),
  'too large rsa': () => largeRsa(4104),
  ed25519: () => generateKeyPairSync('ed25519').privateKey,
  ed448: () => generateKeyPairSync('ed448').privateKey,
} as const;

export type KeyKind = keyof typeof makers;

/** A new key: `ec` on P-256, `rsa` of 2048 bits, `largest rsa` of 4096 and `too large rsa` of 4104. */
export function makeKey(kind: KeyKind): KeyObject {
  return makers[kind]();
}

/** A key whose factors can be guessed. */
function largeRsa(size: number): KeyObject {
  const known = getDiffieHellman(KNOWN_PRIME).getPrime();
  const p = number(known);
  for (;;) {
    const q = generatePrimeSync(size - known.length * 8, { bigint: true });
    const phi = (p - 1n) * (q - 1n);
    if (phi % EXPONENT === 0n || (p * q).toString(2).length !== size) continue;
    const d = inverse(EXPONENT, phi);
    const parts = { n: p * q, e: EXPONENT, d, p, q, dp: d % (p - 1n), dq: d % (q - 1n), qi: inverse(q, p) };
    const texts = Object.entries(parts).map(([name, value]) => [name, base64url(value)]);
    return createPrivateKey({ format: 'jwk', key: { kty: 'RSA', ...Object.fromEntries(texts) } });
  }
}

/** The number that times `value` is 1 modulo `modulus` (Euclid). */
function inverse(value: bigint, modulus: bigint): bigint {
  let [rest, next] = [modulus, value % modulus];
  let [factor, nextFactor] = [0n, 1n];
  while (next !== 0n) {
    const times = rest / next;
    [rest, next] = [next, rest - times * next];
    [factor, nextFactor] = [nextFactor, factor - times * nextFactor];
  }
  return ((factor % modulus) + modulus) % modulus;
}

function number(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function base64url(value: bigint): string {
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
}

/** The key pair of an SSH certificate authority: made, kept as PKCS#8 PEM, and signing as OpenSSH verifies. */
import { createPrivateKey, createPublicKey, generateKeyPair, type KeyObject, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { type Curve, curves, encodePublicKey, type PublicKey } from './public-key.ts';
import { mpint, string } from './wire.ts';

const generate = promisify(generateKeyPair);

export type KeyChoice =
  | { readonly type: 'ed25519' }
  | { readonly type: 'ecdsa'; readonly curve: Curve }
  | { readonly type: 'rsa'; readonly bits: 2048 | 4096 };

export interface SigningKey {
  readonly publicKey: PublicKey;
  readonly privateKey: KeyObject;
}

/** Generates off the main thread, because an RSA key takes up to seconds. Returns PKCS#8 PEM. */
export async function generateSigningKey(choice: KeyChoice): Promise<string> {
  const { privateKey } = await makePair(choice);
  return privateKey.export({ format: 'pem', type: 'pkcs8' }) as string;
}

export function openSigningKey(pem: string): SigningKey {
  const privateKey = createPrivateKey(pem);
  const publicKey = encodePublicKey(createPublicKey(privateKey));
  if (publicKey === null) throw new Error('the key of an SSH certificate authority is of an unknown type');
  return { privateKey, publicKey };
}

/**
 * Returns a signature in the form of certificates (RFC 8332, RFC 5656, RFC 8709). RSA signs with SHA-512, never with
 * SHA-1.
 */
export function signBlob(key: SigningKey, data: Buffer): Buffer {
  const { privateKey, publicKey } = key;
  switch (publicKey.algorithm) {
    case 'ssh-ed25519':
      return signature('ssh-ed25519', sign(null, data, privateKey));
    case 'ssh-rsa':
      return signature('rsa-sha2-512', sign('sha512', data, privateKey));
    default:
      return signature(publicKey.algorithm, signEcdsa(publicKey.algorithm, data, privateKey));
  }
}

function signEcdsa(algorithm: string, data: Buffer, key: KeyObject): Buffer {
  const hash = hashes[algorithm.slice('ecdsa-sha2-'.length) as Curve];
  const both = sign(hash, data, { key, dsaEncoding: 'ieee-p1363' });
  const half = both.length / 2;
  return Buffer.concat([mpint(both.subarray(0, half)), mpint(both.subarray(half))]);
}

const hashes: Readonly<Record<Curve, string>> = {
  nistp256: 'sha256',
  nistp384: 'sha384',
  nistp521: 'sha512',
};

function signature(algorithm: string, value: Buffer): Buffer {
  return Buffer.concat([string(algorithm), string(value)]);
}

function makePair(choice: KeyChoice): Promise<{ privateKey: KeyObject }> {
  switch (choice.type) {
    case 'ed25519':
      return generate('ed25519');
    case 'ecdsa':
      return generate('ec', { namedCurve: curves[choice.curve].jwk });
    case 'rsa':
      return generate('rsa', { modulusLength: choice.bits });
  }
}

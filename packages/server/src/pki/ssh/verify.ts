/**
 * Verifies signatures of SSH.
 *
 * Invariant: RSA with SHA-1 never counts, nor an algorithm other than the announced one, nor an authenticator that its user did not touch,
 * unless the caller allows that.
 */
import { verify } from 'node:crypto';
import { curveOf, curves, type PublicKey, toKeyObject } from './public-key.ts';
import { applicationOf, isSecurityKey, readAuthenticator } from './security-key.ts';
import { Reader, WireError } from './wire.ts';

/** Keys whose signatures are accepted, by the name of the signature's algorithm. */
const hashes: Readonly<Record<string, { readonly key: string; readonly hash: string | null }>> = {
  'ssh-ed25519': { key: 'ssh-ed25519', hash: null },
  'rsa-sha2-512': { key: 'ssh-rsa', hash: 'sha512' },
  'rsa-sha2-256': { key: 'ssh-rsa', hash: 'sha256' },
  'ecdsa-sha2-nistp256': { key: 'ecdsa-sha2-nistp256', hash: 'sha256' },
  'ecdsa-sha2-nistp384': { key: 'ecdsa-sha2-nistp384', hash: 'sha384' },
  'ecdsa-sha2-nistp521': { key: 'ecdsa-sha2-nistp521', hash: 'sha512' },
  'sk-ssh-ed25519@openssh.com': { key: 'sk-ssh-ed25519@openssh.com', hash: null },
  'sk-ecdsa-sha2-nistp256@openssh.com': { key: 'sk-ecdsa-sha2-nistp256@openssh.com', hash: 'sha256' },
};

/** Statements about the user that an authenticator has to make. */
export interface UserDemand {
  /** True if the user must have touched it. */
  readonly presence: boolean;
  /** True if the user must have given it a PIN or a fingerprint. */
  readonly verification: boolean;
}

const usualDemand: UserDemand = { presence: true, verification: false };

/** Names of signatures that are verified, in the order of preference. */
export const signatureAlgorithms: readonly string[] = Object.keys(hashes);

/** Returns true if `signature` (algorithm and value, RFC 4253, section 6.6) is by this key, with exactly this algorithm. */
export function isSignedBy(
  key: PublicKey,
  algorithm: string,
  signature: Buffer,
  data: Buffer,
  demand = usualDemand,
): boolean {
  const known = Object.hasOwn(hashes, algorithm) ? hashes[algorithm] : undefined;
  if (known === undefined || known.key !== key.algorithm) return false;
  // A key in a file proves no PIN.
  if (demand.verification && !isSecurityKey(algorithm)) return false;
  try {
    const reader = new Reader(signature);
    if (reader.text() !== algorithm) return false;
    const value = reader.string();
    const signed = isSecurityKey(algorithm) ? byAuthenticator(key, reader, data, demand) : data;
    reader.end();
    if (signed === null) return false;
    const object = toKeyObject(key);
    if (key.type !== 'ecdsa') return verify(known.hash, signed, object, value);
    return verify(known.hash, signed, { key: object, dsaEncoding: 'ieee-p1363' }, ecdsaValue(key, value));
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}

/** The bytes that the authenticator signed; null if it does not state what is demanded. Raises WireError. */
function byAuthenticator(
  { fields, algorithm }: PublicKey,
  reader: Reader,
  data: Buffer,
  { presence, verification }: UserDemand,
): Buffer | null {
  const facts = readAuthenticator(reader, applicationOf(fields, algorithm), data);
  if ((presence && !facts.isUserPresent) || (verification && !facts.isUserVerified)) return null;
  return facts.signed;
}

/** Returns the algorithm in a signature. Raises WireError. */
export function algorithmOf(signature: Buffer): string {
  return new Reader(signature).text();
}

/** Two numbers (RFC 5656, section 3.1.2), each in as many bytes as the curve has. */
function ecdsaValue(key: PublicKey, value: Buffer): Buffer {
  const { bytes } = curves[curveOf(key)];
  const reader = new Reader(value);
  const halves = [reader.positive(), reader.positive()].map((half) => {
    if (half.length > bytes) throw new WireError('a number of the signature is too large');
    return Buffer.concat([Buffer.alloc(bytes - half.length), half]);
  });
  reader.end();
  return Buffer.concat(halves);
}

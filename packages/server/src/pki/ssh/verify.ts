/** Signatures of SSH, verified. Never that RSA with SHA-1 counts, or an algorithm other than the one that was announced. */
import { verify } from 'node:crypto';
import { type Curve, curves, type PublicKey, toKeyObject } from './public-key.ts';
import { Reader, WireError } from './wire.ts';

/** Of which key signatures are taken, by the name of the signature's algorithm. */
const hashes: Readonly<Record<string, { readonly key: string; readonly hash: string | null }>> = {
  'ssh-ed25519': { key: 'ssh-ed25519', hash: null },
  'rsa-sha2-512': { key: 'ssh-rsa', hash: 'sha512' },
  'rsa-sha2-256': { key: 'ssh-rsa', hash: 'sha256' },
  'ecdsa-sha2-nistp256': { key: 'ecdsa-sha2-nistp256', hash: 'sha256' },
  'ecdsa-sha2-nistp384': { key: 'ecdsa-sha2-nistp384', hash: 'sha384' },
  'ecdsa-sha2-nistp521': { key: 'ecdsa-sha2-nistp521', hash: 'sha512' },
};

/** Names of signatures that are verified, in the order of preference. */
export const signatureAlgorithms: readonly string[] = Object.keys(hashes);

/** Whether `signature` (algorithm and value, RFC 4253, section 6.6) is by this key, with exactly this algorithm. */
export function isSignedBy(key: PublicKey, algorithm: string, signature: Buffer, data: Buffer): boolean {
  const known = Object.hasOwn(hashes, algorithm) ? hashes[algorithm] : undefined;
  if (known === undefined || known.key !== key.algorithm) return false;
  try {
    const reader = new Reader(signature);
    if (reader.text() !== algorithm) return false;
    const value = reader.string();
    reader.end();
    const object = toKeyObject(key);
    if (key.type !== 'ecdsa') return verify(known.hash, data, object, value);
    return verify(known.hash, data, { key: object, dsaEncoding: 'ieee-p1363' }, ecdsaValue(key, value));
  } catch (error) {
    if (error instanceof WireError) return false;
    throw error;
  }
}

/** The algorithm that a signature says it is of. Raises WireError. */
export function algorithmOf(signature: Buffer): string {
  return new Reader(signature).text();
}

/** Two numbers (RFC 5656, section 3.1.2), each in as many bytes as the curve has. */
function ecdsaValue({ algorithm }: PublicKey, value: Buffer): Buffer {
  const { bytes } = curves[algorithm.slice('ecdsa-sha2-'.length) as Curve];
  const reader = new Reader(value);
  const halves = [reader.positive(), reader.positive()].map((half) => {
    if (half.length > bytes) throw new WireError('a number of the signature is too large');
    return Buffer.concat([Buffer.alloc(bytes - half.length), half]);
  });
  reader.end();
  return Buffer.concat(halves);
}

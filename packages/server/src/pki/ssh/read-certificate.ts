/**
 * Reads certificates of OpenSSH (PROTOCOL.certkeys).
 * Invariant: the signature of a returned certificate is valid.
 */
import type { CertificateContent } from './certificate.ts';
import { certifiedAlgorithm } from './certificate-type.ts';
import { isKeyFault, type PublicKey, parseBlob } from './public-key.ts';
import { algorithmOf, isSignedBy } from './verify.ts';
import { Reader, string, WireError } from './wire.ts';

/** Strings after the nonce that are the key, by the key's algorithm. */
const keyFields: Readonly<Record<string, number>> = {
  'ssh-ed25519': 1,
  'ssh-rsa': 2,
  'ecdsa-sha2-nistp256': 2,
  'ecdsa-sha2-nistp384': 2,
  'ecdsa-sha2-nistp521': 2,
  'sk-ssh-ed25519@openssh.com': 2,
  'sk-ecdsa-sha2-nistp256@openssh.com': 3,
};
const roles: Readonly<Record<number, CertificateContent['role']>> = { 1: 'user', 2: 'host' };

export interface SshCertificate extends Omit<CertificateContent, 'validAfter' | 'validBefore'> {
  /** The key that is certified. */
  readonly key: PublicKey;
  readonly authority: PublicKey;
  /** Seconds since the epoch; valid from the first up to, but not in, the second. */
  readonly validAfter: bigint;
  readonly validBefore: bigint;
}

/** Answers why it cannot be read, or is not signed by the authority that it names. */
export function readCertificate(blob: Buffer, type: string): SshCertificate | { readonly fault: string } {
  try {
    return read(blob, type);
  } catch (error) {
    if (error instanceof WireError) return { fault: error.message };
    throw error;
  }
}

function read(blob: Buffer, type: string): SshCertificate {
  const algorithm = certifiedAlgorithm(type) ?? '';
  const count = Object.hasOwn(keyFields, algorithm) ? keyFields[algorithm] : undefined;
  if (count === undefined) throw new WireError('it is of a type that is not taken');
  const reader = new Reader(blob);
  if (reader.text() !== type) throw new WireError('it is of another type than the one beside it');
  reader.string();
  const fields = Array.from({ length: count }, () => string(reader.string()));
  const key = keyIn(Buffer.concat([string(algorithm), ...fields]));
  const serial = reader.uint64();
  const role = roles[reader.uint32()];
  if (role === undefined) throw new WireError('it is neither of a user nor of a host');
  const keyId = reader.text();
  const principals = readTexts(reader.string());
  const validAfter = reader.uint64();
  const validBefore = reader.uint64();
  const criticalOptions = readOptions(reader.string());
  const extensions = readOptions(reader.string());
  reader.string();
  const authority = keyIn(reader.string());
  const signed = blob.subarray(0, blob.length - reader.rest.length);
  const signature = reader.string();
  reader.end();
  if (!isSignedBy(authority, algorithmOf(signature), signature, signed))
    throw new WireError('it is not signed by the authority that it names');
  return {
    key,
    authority,
    serial,
    role,
    keyId,
    principals,
    validAfter,
    validBefore,
    criticalOptions,
    extensions,
  };
}

function keyIn(blob: Buffer): PublicKey {
  const key = parseBlob(blob, new Reader(blob).text());
  if (isKeyFault(key)) throw new WireError(key.reason);
  return key;
}

function readTexts(bytes: Buffer): readonly string[] {
  const reader = new Reader(bytes);
  const texts: string[] = [];
  while (reader.rest.length > 0) texts.push(reader.text());
  return texts;
}

/** Names with values, which are strings in strings; `''` for an option without one. */
function readOptions(bytes: Buffer): Readonly<Record<string, string>> {
  const reader = new Reader(bytes);
  const options = new Map<string, string>();
  while (reader.rest.length > 0) {
    const name = reader.text();
    const value = new Reader(reader.string());
    if (options.has(name)) throw new WireError(`it has the option ${name} twice`);
    options.set(name, value.rest.length === 0 ? '' : value.text());
    value.end();
  }
  return Object.fromEntries(options);
}

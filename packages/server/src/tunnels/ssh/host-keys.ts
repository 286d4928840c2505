/**
 * The keys by which SSH clients know the service: an Ed25519 key, and an ECDSA key for clients that lack Ed25519.
 * Invariant: they never change. Each is made of a secret that is sealed in the store, so that all daemons on one database share them.
 */
import { createECDH, createPrivateKey, hkdfSync } from 'node:crypto';
import { join } from 'node:path';
import { ForOperator } from '../../core/for-operator.ts';
import { loadMacKey, type MacKeyOptions } from '../../pki/mac-key.ts';
import { formatPublicKey, openSigningKey, readCertificate, type SigningKey } from '../../pki/ssh/index.ts';
import { certifiedHostKey, type HostKey, plainHostKey } from '../../ssh/host-key.ts';
import { ensureFile, readIfThere } from '../../system/files.ts';

export interface HostKeys {
  readonly ed25519: SigningKey;
  readonly ecdsa: SigningKey;
}

/** Names in the data dir; a certificate is `<name>-cert.pub`. */
const fileNames = { ed25519: 'ssh_host_key', ecdsa: 'ssh_host_ecdsa_key' } as const;
/** PKCS#8 of an Ed25519 key, up to the 32 bytes that are the key (RFC 8410). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The order of P-256. */
const p256Order = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');
/** Enough bits beyond those of the order that each private key is as likely as any other. */
const scalarSeedBytes = 48;

/** The certificate beside a host key cannot be used. */
export class HostCertificateError extends ForOperator {
  override readonly name = 'HostCertificateError';
}

/** Loads the keys of the store; the first daemon makes them. */
export async function loadHostKeys(options: Omit<MacKeyOptions, 'purpose'>): Promise<HostKeys> {
  return {
    ed25519: ed25519From(await loadMacKey({ ...options, purpose: 'ssh-host-key' })),
    ecdsa: ecdsaFrom(await loadMacKey({ ...options, purpose: 'ssh-host-key-ecdsa' })),
  };
}

/** `secret`: 32 bytes. */
export function ed25519From(secret: Buffer): SigningKey {
  const key = createPrivateKey({ key: Buffer.concat([ed25519Prefix, secret]), format: 'der', type: 'pkcs8' });
  return openSigningKey(key.export({ format: 'pem', type: 'pkcs8' }) as string);
}

/** A P-256 key; `secret`: any number of bytes. */
export function ecdsaFrom(secret: Buffer): SigningKey {
  const seed = Buffer.from(hkdfSync('sha256', secret, '', 'ecdsa-sha2-nistp256', scalarSeedBytes));
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (p256Order - 1n)) + 1n;
  const d = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(d);
  const point = curve.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)];
  const text = (bytes: Buffer): string => bytes.toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', d: text(d), x: text(x), y: text(y) };
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  return openSigningKey(key.export({ format: 'pem', type: 'pkcs8' }) as string);
}

/**
 * Writes the public keys into the data dir, so that people can check or certify them. A host certificate beside a key is
 * shown to clients that trust its authority. Rejects with HostCertificateError.
 */
export async function publishHostKeys(dataDir: string, keys: HostKeys): Promise<readonly HostKey[]> {
  const certified: HostKey[] = [];
  const plain: HostKey[] = [];
  for (const type of ['ed25519', 'ecdsa'] as const) {
    const [key, file] = [keys[type], fileNames[type]];
    await ensureFile(join(dataDir, `${file}.pub`), `${formatPublicKey(key.publicKey)} underpass\n`, 0o644);
    const certificate = await readHostCertificate(dataDir, file, key);
    if (certificate !== null) certified.push(certificate);
    plain.push(plainHostKey(key));
  }
  return [...certified, ...plain];
}

/** Null if there is none. */
async function readHostCertificate(dataDir: string, file: string, key: SigningKey): Promise<HostKey | null> {
  const path = join(dataDir, `${file}-cert.pub`);
  const line = (await readIfThere(path))?.trim() ?? '';
  if (line === '') return null;
  const certified = certifiedHostKey(key, line);
  const certificate = readCertificate(certified.blob, certified.algorithm);
  if ('fault' in certificate) throw new HostCertificateError(`${path} cannot be read: ${certificate.fault}`);
  if (certificate.role !== 'host' || !certificate.key.blob.equals(key.publicKey.blob))
    throw new HostCertificateError(
      `${path} is not a host certificate of the key in ${file}.pub: remove it, or have that key signed`,
    );
  return certified;
}

/**
 * The key by which SSH clients know the service. Never that it changes: it is made once and sealed in the store, so that all daemons
 * on one database have the same.
 */
import { createPrivateKey } from 'node:crypto';
import { join } from 'node:path';
import { ForOperator } from '../../core/for-operator.ts';
import { formatPublicKey, openSigningKey, readCertificate, type SigningKey } from '../../pki/ssh/index.ts';
import { certifiedHostKey, type HostKey, plainHostKey } from '../../ssh/host-key.ts';
import { ensureFile, readIfThere } from '../../system/files.ts';

const fileName = 'ssh_host_key.pub';
const certificateName = 'ssh_host_key-cert.pub';
/** PKCS#8 of an Ed25519 key, up to the 32 bytes that are the key (RFC 8410). */
const ed25519Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The certificate beside the host key cannot be used. */
export class HostCertificateError extends ForOperator {
  override readonly name = 'HostCertificateError';
}

/** `secret`: 32 bytes. */
export function hostKeyFrom(secret: Buffer): SigningKey {
  const der = Buffer.concat([ed25519Prefix, secret]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return openSigningKey(key.export({ format: 'pem', type: 'pkcs8' }) as string);
}

/**
 * Writes the public key into the data dir, for whoever checks or certifies it. A host certificate that was put there beside it is
 * shown to clients that trust its authority. Rejects with HostCertificateError.
 */
export async function publishHostKeys(dataDir: string, key: SigningKey): Promise<readonly HostKey[]> {
  await ensureFile(join(dataDir, fileName), `${formatPublicKey(key.publicKey)} underpass\n`, 0o644);
  const plain = plainHostKey(key);
  const path = join(dataDir, certificateName);
  const line = (await readIfThere(path))?.trim() ?? '';
  if (line === '') return [plain];
  const certified = certifiedHostKey(key, line);
  const certificate = readCertificate(certified.blob, certified.algorithm);
  if ('fault' in certificate) throw new HostCertificateError(`${path} cannot be read: ${certificate.fault}`);
  if (certificate.role !== 'host' || !certificate.key.blob.equals(key.publicKey.blob))
    throw new HostCertificateError(
      `${path} is not a host certificate of the key in ${fileName}: remove it, or have that key signed`,
    );
  return [certified, plain];
}

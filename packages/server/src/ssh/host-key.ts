/** The identity of a server: a key, or a key with a host certificate. */
import { type SigningKey, signBlob } from '../pki/ssh/index.ts';

export interface HostKey {
  /** Negotiated algorithm of the key or of the certificate. */
  readonly algorithm: string;
  /** The public key as the client receives it. */
  readonly blob: Buffer;
  sign(data: Buffer): Buffer;
}

/** Ed25519 or ECDSA: these have one kind of signature each, of the same name. */
export function plainHostKey(key: SigningKey): HostKey {
  const { algorithm, blob } = key.publicKey;
  return { algorithm, blob, sign: (data) => signBlob(key, data) };
}

/** `certificate`: a line, of that key. */
export function certifiedHostKey(key: SigningKey, certificate: string): HostKey {
  const [algorithm = '', base64 = ''] = certificate.split(' ');
  return { algorithm, blob: Buffer.from(base64, 'base64'), sign: (data) => signBlob(key, data) };
}

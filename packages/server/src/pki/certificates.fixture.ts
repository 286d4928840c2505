/** Chains of certificates for tests: a root, an intermediate below it, and a leaf. */
import { createPrivateKey } from 'node:crypto';
import { isAuthority, makeCertificate } from '../../../../test/harness/make-certificate.ts';
import type { KeyKind } from '../../../../test/harness/make-key.ts';

export interface ChainOptions {
  readonly key?: KeyKind;
  readonly subject?: string;
  /** The value of subjectAltName; default the name of the leaf. */
  readonly names?: string;
  readonly isExpired?: boolean;
  /** The key of the root and the intermediate; default ec. */
  readonly authorityKey?: KeyKind;
}

export interface TestChain {
  readonly root: string;
  readonly intermediate: string;
  readonly leaf: string;
  /** PKCS#8. */
  readonly key: string;
}

export function makeChain(host: string, options: ChainOptions = {}): TestChain {
  const { key, subject = `/CN=${host}`, names = `DNS:${host}`, isExpired = false, authorityKey } = options;
  const authority = { key: authorityKey, extensions: isAuthority };
  const root = makeCertificate({ subject: '/CN=Test Root', ...authority });
  const intermediate = makeCertificate({ subject: '/CN=Test Intermediate', ...authority, signer: root });
  const leaf = makeCertificate({
    ...{ subject, key, serial: '0a0b', signer: intermediate, days: isExpired ? -1 : 2 },
    extensions: [
      'keyUsage=digitalSignature',
      'extendedKeyUsage=serverAuth,1.2.3.4',
      `subjectAltName=${names}`,
    ],
  });
  return { root: root.pem, intermediate: intermediate.pem, leaf: leaf.pem, key: leaf.key };
}

/** The key in a form of before PKCS#8: `pkcs1` for RSA, `sec1` for curves. */
export function traditionalKey(key: string, type: 'pkcs1' | 'sec1'): string {
  return createPrivateKey(key).export({ type, format: 'pem' }) as string;
}

export function encryptedKey(key: string, type: 'pkcs8' | 'sec1'): string {
  const how = { cipher: 'aes-128-cbc', passphrase: 'x' };
  return createPrivateKey(key).export({ type, format: 'pem', ...how }) as string;
}

/** Certificates of servers for tests. */
import { isAuthority, makeCertificate as make } from '../../../../test/harness/make-certificate.ts';

export interface TestCertificate {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** An authority of its own and a leaf for `host`. */
export function makeCertificate(host: string): TestCertificate {
  const signer = make({ subject: '/CN=Test CA', extensions: isAuthority });
  const extensions = [`subjectAltName=DNS:${host}`, 'extendedKeyUsage=serverAuth'];
  const { pem: cert, key } = make({ subject: `/CN=${host}`, extensions, signer });
  return { ca: signer.pem, cert, key };
}

/** Where the front door gets the certificate of a name. Never asked for a name that does not exist. */
import type { Hostname } from '../core/hostname.ts';

export interface ServerCertificate {
  /** PEM, the leaf first. */
  readonly cert: string;
  /** PKCS#8 PEM. */
  readonly key: string;
}

export interface CertificateSource {
  /** The same object until the certificate is replaced. Rejects when there is none to be had. */
  certificateFor(hostname: Hostname): Promise<ServerCertificate>;
}

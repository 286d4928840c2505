/**
 * Where the front door gets the certificate of a name.
 * In: a name that is known to exist. Out: its certificate. What may change here: nothing; who issues them is behind it.
 */
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

/** Source of certificates for the front door, from any issuer. */
import type { Hostname } from '../core/names/hostname.ts';

export interface ServerCertificate {
  /** Name within its source: a replacement has the same name. */
  readonly name: string;
  /** PEM, the leaf first. */
  readonly cert: string;
  /** PKCS#8 PEM. */
  readonly key: string;
}

/** The budget for new certificates is used up. */
export class CertificateBudgetError extends Error {
  override readonly name = 'CertificateBudgetError';
}

export interface CertificateSource {
  /**
   * The certificate of a name that is known to exist, and the account that serves it. The same object until it is replaced.
   * Rejects when there is none to be had, with CertificateBudgetError when there is none now.
   */
  certificateFor(hostname: Hostname, account: string): Promise<ServerCertificate>;
}

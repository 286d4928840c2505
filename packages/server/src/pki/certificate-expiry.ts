/** When a certificate is no longer valid. */
export interface CertificateExpiry {
  /** What the operator knows it by. */
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly notAfterMs: number;
}

/** What the operator says about the certificate authority (RFC 8555). */
export interface AcmeConfig {
  readonly directory: string;
  /** Authorities, in PEM, that the directory's own certificate may be of, beside those that Node knows. */
  readonly authorities: readonly string[];
  /** Whom the authority tells when something is wrong; null for nobody. */
  readonly email: string | null;
  /** How the authority knows its customer (RFC 8555, section 7.3.4); null where it wants none. */
  readonly externalAccount: { readonly kid: string; readonly hmacKey: string } | null;
  /** That an account may ask for, beside renewals; 0 for no limit. */
  readonly ordersPerHour: number;
  /** Whether the service's own names get a certificate, too. */
  readonly serviceNames: boolean;
  /** The path of a command that publishes TXT records; null: the zone that daemons answer. */
  readonly dnsHook: string | null;
}

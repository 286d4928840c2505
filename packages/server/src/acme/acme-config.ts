/** The operator's settings for the certificate authority (RFC 8555). */
export interface AcmeConfig {
  readonly directory: string;
  /** Authorities, in PEM, that may sign the directory's own certificate, beside those that Node knows. */
  readonly authorities: readonly string[];
  /** The address that the authority notifies of problems; null for none. */
  readonly email: string | null;
  /** The account at the authority's own customer system (RFC 8555, section 7.3.4); null for none. */
  readonly externalAccount: { readonly kid: string; readonly hmacKey: string } | null;
  /** Orders of an account in an hour, beside renewals; 0 for no limit. */
  readonly ordersPerHour: number;
  /** True if the service's own names get a certificate, too. */
  readonly serviceNames: boolean;
  /** The path of a command that publishes TXT records; null if the daemons serve the zone themselves. */
  readonly dnsHook: string | null;
}

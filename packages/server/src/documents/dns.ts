/** Stored shapes of the service's own DNS records, and of proofs found in DNS. */

/** TXT records of one name. Account `system`, one document for each name. */
export type DnsTextDocument = {
  /** A name in the zone that is delegated to the service. */
  readonly name: string;
  /** The texts, one TXT record each, the oldest first. */
  readonly values: readonly string[];
};

/** The proof that was found in the DNS of a reserved domain, its parent. There is at most one. */
export type DomainProofDocument = {
  /** Null: nothing was proven. */
  readonly proven_by: 'alias' | 'addresses' | 'text' | null;
  readonly checked_at: string;
};

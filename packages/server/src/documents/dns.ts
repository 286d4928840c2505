/** Stored shapes of what the service says in DNS, and of what it found there. */

/** Account `system`, one for each name. */
export type DnsTextDocument = {
  /** In the zone that is delegated to the service. */
  readonly name: string;
  /** One TXT record each, the oldest first. */
  readonly values: readonly string[];
};

/** Child of a reserved domain, one at most: what its DNS was found to prove. */
export type DomainProofDocument = {
  /** Null: nothing. */
  readonly proven_by: 'alias' | 'addresses' | 'text' | null;
  readonly checked_at: string;
};

/** Stored shape of what the service says in DNS. */

/** Account `system`, one for each name. */
export type DnsTextDocument = {
  /** In the zone that is delegated to the service. */
  readonly name: string;
  /** One TXT record each, the oldest first. */
  readonly values: readonly string[];
};

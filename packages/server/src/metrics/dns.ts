/** Questions at the listener for name servers. */

import { type DnsOutcome, dnsOutcomes } from '../dns/respond.ts';
import { counterFromZero, type Registry } from './prometheus.ts';

export function countDnsQueries(registers: Registry[]): (outcome: DnsOutcome) => void {
  const queries = counterFromZero({
    name: 'underpass_dns_queries_total',
    help: `Questions at --dns-listen, by outcome: ${dnsOutcomes.join(', ')}; truncated: the client retries over TCP, dropped: too many at once`,
    labels: { outcome: dnsOutcomes },
    registers,
  });
  return (outcome) => queries.inc({ outcome });
}

/**
 * Whether a connection's requests still go to the name that it was made for.
 * In: the route table and a connection's facts. Out: the target, or the name of the refusal. What may change here: the checks
 * that every request meets first.
 */
import type { Hostname } from '../../core/hostname.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import type { Target, Targets } from '../target.ts';

/** Asked per request, so that what changed applies to connections that are already open. */
export function admit(targets: Targets, sni: Hostname, terminationKey: string): Target | ErrorName {
  const target = targets.lookup(sni);
  if (target === undefined) return 'nothingOnline';
  // The visitor's TLS was negotiated under other settings than those in force: it has to connect again.
  if (target.termination?.key !== terminationKey) return 'connectionOutdated';
  return target;
}

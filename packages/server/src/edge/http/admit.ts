/**
 * Whether a connection's requests still go to the name that it was made for.
 * In: the route table and a connection's facts. Out: the target, or the name of the refusal. What may change here: the checks
 * that every request meets first.
 */
import type { Hostname } from '../../core/hostname.ts';
import type { ErrorName } from '../../errors/catalogue.ts';
import { meets, type Target, type Targets } from '../target.ts';

/** What is known of a connection before its first request. */
export interface ConnectionFacts {
  readonly sni: Hostname;
  /** Under which settings TLS was negotiated. */
  readonly terminationKey: string;
  /** `ip:port` of the visitor. */
  readonly clientAddr: string;
}

export interface Negotiated extends ConnectionFacts {
  /** Of TLS, as Node names it; null once the connection is gone. Asked only when settings have changed. */
  readonly version: () => string | null;
}

/** Asked per request, so that what changed applies to connections that are already open. */
export function admit(targets: Targets, negotiated: Negotiated): Target | ErrorName {
  const target = targets.lookup(negotiated.sni);
  if (target === undefined) return 'nothingOnline';
  // Only for a request that was half-sent when the settings changed: else the connection ended then.
  return isOutdated(target, negotiated) ? 'connectionOutdated' : target;
}

/** Whether TLS was negotiated in a way that the settings in force do not admit: the visitor has to connect again. */
export function isOutdated({ termination }: Target, { terminationKey, version }: Negotiated): boolean {
  if (termination?.key === terminationKey) return false;
  return termination === null || !meets(termination, version());
}

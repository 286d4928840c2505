/**
 * The IP restriction of all endpoints and edges of an account.
 * Invariant: an enforced restriction admits only visitors that its rules allow. One that is not enforced refuses no
 * visitor.
 */
import type { Logger } from 'pino';
import { ipOf, sourceKey } from '../../core/ip/client-address.ts';
import { explainedBySets } from '../../core/ip/ip-reason.ts';
import { decideBySets } from '../../core/ip/ip-rule-set.ts';
import type { Look } from '../sites/look.ts';
import type { ExplainedGuard, Preview } from '../sites/site.ts';

/** A visitor that would be refused if the restriction were enforced. */
export interface WouldRefuse {
  readonly account: string;
  readonly restriction: string;
  readonly ip: string;
}

export interface AccountLook extends Look {
  wouldRefuse(visitor: WouldRefuse): void;
}

export function accountGuards(account: string, look: AccountLook): readonly ExplainedGuard[] {
  return look.group('ip_restriction', 'restrictionsOf', account).flatMap(({ id, body }): ExplainedGuard[] => {
    if (body.type !== 'endpoints') return [];
    const policies = body.ip_policy_ids.map((policy) => ({
      name: `the policy ${policy}`,
      rules: look.rules(policy),
    }));
    const sets = policies.map(({ rules }) => rules);
    const verdictOf = (decision: 'allow' | 'deny') =>
      decision === 'allow' || !body.enforced ? null : 'sourceRefused';
    const check = ({ clientAddr }: { readonly clientAddr: string }) => {
      const ip = ipOf(clientAddr);
      const decision = decideBySets(sets, ip);
      const verdict = verdictOf(decision);
      if (verdict === null && decision === 'deny') look.wouldRefuse({ account, restriction: id, ip });
      return verdict;
    };
    const preview = ({ clientAddr }: { readonly clientAddr: string }): Preview => {
      const { decision, why } = explainedBySets(policies, ipOf(clientAddr));
      const isLenient = decision === 'deny' && !body.enforced;
      const words = isLenient ? `${why} The restriction is not enforced, so it only logs this.` : why;
      return { verdict: verdictOf(decision), why: words, resource: id };
    };
    return [{ name: 'account_ip_restriction', reads: 'connection', check, preview }];
  });
}

const PERIOD_MS = 60_000;
/** So many sources are known at a time: it bounds the lines of a minute, too. */
const MOST_SOURCES = 1000;

export interface WouldRefuseLogOptions {
  readonly log: Pick<Logger, 'warn'>;
  /** Milliseconds of a clock that never goes back. */
  readonly now: () => number;
}

/** A line per source and minute. */
export function wouldRefuseLog({ log, now }: WouldRefuseLogOptions): (visitor: WouldRefuse) => void {
  /** Time at which each was logged, the latest last. */
  const logged = new Map<string, number>();
  return (visitor) => {
    const since = now() - PERIOD_MS;
    for (const [key, at] of logged) {
      if (at > since) break;
      logged.delete(key);
    }
    const key = `${visitor.restriction} ${sourceKey(visitor.ip)}`;
    if (logged.has(key) || logged.size >= MOST_SOURCES) return;
    logged.set(key, now());
    log.warn(visitor, 'visitor would have been refused: the IP restriction is not enforced');
  };
}

/** Verdicts on an address by the IP restrictions and the IP policies of the account, part by part. */
import type { IPPolicyList, IPRestriction, IPRestrictionList, IPRulesVerdict } from '@underpass/client';
import { send } from '../api/http.ts';
import { href } from '../router.ts';

export interface VerdictLine {
  readonly id: string;
  readonly name: string;
  readonly to: string;
  readonly outcome: string;
  readonly rule: IPRulesVerdict['rule'];
  readonly remark: string;
}

export interface Tested {
  readonly ip: string;
  /** Restrictions, then policies from the newest to the oldest. */
  readonly lines: readonly VerdictLine[];
  /** The last tested policy; '' for none. */
  readonly last: string;
  /** Number of policies that are older than the tested ones. */
  readonly left: number;
}

/** Policies of one request by id, at most. */
const PART = 64;

/** Tests all restrictions, and as many policies as one response has. Rejects with ApiError. */
export async function begin(ip: string): Promise<Tested> {
  const restrictions = await byRestrictions(ip);
  const { policies, policies_left_out: left } = await verdictOf(ip, []);
  return added({ ip, lines: restrictions, last: '', left }, policies);
}

/** Tests the next policies. Rejects with ApiError. */
export async function proceed(before: Tested): Promise<Tested> {
  const path = `/ip_policies?${new URLSearchParams({ limit: String(PART), before_id: before.last })}`;
  const { ip_policies: next } = (await send<IPPolicyList>({ method: 'GET', path })).data;
  if (next.length === 0) return { ...before, left: 0 };
  const ids = next.map(({ id }) => id);
  const { policies } = await verdictOf(before.ip, ids);
  const left = next.length < PART ? 0 : Math.max(0, before.left - policies.length);
  return added({ ...before, left }, policies);
}

function added(before: Tested, policies: IPRulesVerdict['policies']): Tested {
  const lines = policies.map(({ ip_policy: { id }, description, outcome, rule }) => ({
    ...{ id, name: description || id, to: href(['access', 'ip-policies', id]), outcome, rule, remark: '' },
  }));
  return {
    ...before,
    lines: [...before.lines, ...lines],
    last: policies.at(-1)?.ip_policy.id ?? before.last,
  };
}

/** A restriction is the verdict of its policies together. An account has one of each type at most. */
async function byRestrictions(ip: string): Promise<readonly VerdictLine[]> {
  const { data } = await send<IPRestrictionList>({ method: 'GET', path: '/ip_restrictions?limit=100' });
  const lines: VerdictLine[] = [];
  for (const one of data.ip_restrictions) lines.push(await byRestriction(ip, one));
  return lines;
}

async function byRestriction(
  ip: string,
  { id, type, enforced, ip_policies }: IPRestriction,
): Promise<VerdictLine> {
  const ids = ip_policies.map((policy) => policy.id);
  // Without ids the API would test all policies.
  const { outcome, rule } = ids.length === 0 ? { outcome: 'denied', rule: null } : await verdictOf(ip, ids);
  return {
    ...{ id, name: `restriction of ${type}`, to: href(['resources', 'ip_restriction', id]) },
    ...{ outcome, rule, remark: enforced ? '' : 'not enforced: it only logs' },
  };
}

async function verdictOf(ip: string, ids: readonly string[]): Promise<IPRulesVerdict> {
  const body = { ip, ip_policy_ids: ids };
  return (await send<IPRulesVerdict>({ method: 'POST', path: '/ip_policies/test', body })).data;
}
